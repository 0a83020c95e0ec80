/**
 * The directories that an agent program says it works in.
 *
 * @module-tag long
 */

import { describe, expect, it } from 'vitest'
import { tree } from '../../support/tree.ts'
import { ERAS, PROJECT, spawned, textOf } from './support.ts'

const SHAPE = {
  ...Object.fromEntries(Object.entries(PROJECT).map(([path, text]) => [`project/${path}`, text])),
  'elsewhere/AGENTS.md': '# RemoteAnswers\n',
}

describe.each(ERAS)('the program, to a client of %s that has roots,', (_, era) => {
  it('works in the first of them, wherever it was started', async () => {
    using planted = tree(SHAPE)
    const roots = [planted.at('gone'), planted.at('project'), planted.at('elsewhere')]
    await using client = await spawned(era, planted.base, [], roots)
    const load = async (given: object) =>
      textOf(await client.callTool({ name: 'load_context', arguments: { ...given } }))
    expect(await load({})).toContain('Tests first.')
    expect(await load({ touched: ['pkg/a.ts'] })).toContain('# Package')
    const input = { question: 'When?', files: ['AGENTS.md'] }
    expect(textOf(await client.callTool({ name: 'research_start', arguments: input }))).toContain('"session_id"')
  })

  it('stays where it was started in one of them', async () => {
    using planted = tree(SHAPE)
    const roots = [planted.at('elsewhere'), planted.at('project')]
    await using client = await spawned(era, planted.at('project/pkg'), [], roots)
    expect(textOf(await client.callTool({ name: 'load_context', arguments: {} }))).toContain('# Package')
  })

  it('stays where it was started where there are none', async () => {
    using planted = tree(SHAPE)
    await using client = await spawned(era, planted.at('project'), [], [])
    expect(textOf(await client.callTool({ name: 'load_context', arguments: {} }))).toContain('Tests first.')
  })
})
