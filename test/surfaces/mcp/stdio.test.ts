import { describe, expect, it } from 'vitest'
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
    expect(result.structuredContent).toMatchObject({ place: planted.base })
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
