/** @module-tag long */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../source-files.ts'
import { tree } from '../../support/tree.ts'
import { ERAS, PROJECT, spawned, textOf } from './support.ts'

describe.each(ERAS)('the program, to a client of %s,', (_, era) => {
  it('answers, and ends with its client', async () => {
    using planted = tree(PROJECT)
    await using client = await spawned(era, planted.base)
    expect(client.getServerVersion()).toMatchObject({ name: 'ambit', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(client.getInstructions()).toContain('Load the context of a place before you work there')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('context_add')
    const result = await client.callTool({ name: 'load_context', arguments: { touched: ['pkg/a.ts'] } })
    expect(textOf(result)).toContain('# Package')
    expect(textOf(result)).toContain(`<context filename="${planted.at('AGENTS.md')}">`)
  })

  it('has the sets of tools that it is told', async () => {
    using planted = tree(PROJECT)
    await using client = await spawned(era, planted.base, ['--tools', 'packages, context'])
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.sort()).toEqual(['context_check', 'context_list', 'explain_context', 'load_context', 'package_show'])
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['context'])
    expect(client.getServerCapabilities()).not.toHaveProperty('resources')
  })

  it('has tools that write where it is told so', async () => {
    using planted = tree({ ...PROJECT, 'notes/a.md': '# A\n' })
    await using client = await spawned(era, planted.base, ['--allow-write'])
    const { tools } = await client.listTools()
    const index = tools.find(({ name }) => name === 'index')
    expect(index?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect((await client.callTool({ name: 'index', arguments: {} })).isError ?? false).toBe(false)
  })
})

it('a set of tools that there is not is told at the start', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'src/bin.ts'), 'mcp', '--tools', 'serach'],
    { encoding: 'utf8' },
  )
  expect([status, stdout, stderr]).toEqual([
    2,
    '',
    'ambit: There is no set of tools called "serach".\nSets: context, search, task, packages, research, all; several with commas between them.\n',
  ])
})
