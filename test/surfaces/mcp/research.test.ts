/** @module-tag long */

import { afterAll, describe, expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { type Shape, type Tree, tree } from '../../support/tree.ts'
import { connected, ERAS, spawned, textOf } from './support.ts'

const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
const at: Tree = tree({ 'ferry.md': '# Ferry\n\nThe last boat in winter leaves at 19:40.\n', '.env': 'KEY=1\n' })
afterAll(async () => {
  await engine.close()
  at[Symbol.dispose]()
})

type Structured = Readonly<Record<string, unknown>>

it('a client begins research, asks how far it is, and reads the report', async () => {
  await using client = await connected('auto', { engine })
  const call = async (name: string, input: Structured) =>
    (await client.callTool({ name, arguments: input })) as {
      isError?: boolean
      content: unknown
      structuredContent: Structured
    }
  const question = 'When does the last boat leave in winter?'
  const begun = await call('research_start', { question, files: [at.at('ferry.md')] })
  const session = String(begun.structuredContent.session_id)
  await expect.poll(async () => (await call('research_status', { session })).structuredContent.status).toBe('completed')
  const { content, structuredContent } = await call('research_report', { session })
  expect(JSON.stringify(content)).toContain('> The last boat in winter leaves at 19:40.')
  expect(structuredContent.report).toMatchObject({ grade: 'partial', quotes: { unproven: [] } })
  expect(await call('research_start', { question, files: [at.at('.env')] })).toMatchObject({ isError: true })
})

const SHAPE: Shape = {
  'project/.git/': '',
  'project/pkg/': '',
  'project/in.md': '# In\n\nThe ferry leaves at nine.\n',
  'project/near.md -> in.md': '',
  'project/out.md -> ../secret/plan.md': '',
  'project/away -> ../secret': '',
  'project-too/plan.md': 'SECRET',
  'secret/plan.md': 'SECRET',
  'shared/facts.md': '# Facts\n\nThe ferry is blue.\n',
  'shared/link.md -> ../secret/plan.md': '',
}

describe('a client of the program that may not write', () => {
  const denied: readonly (readonly [what: string, file: (at: Tree) => string])[] = [
    ['a file beside the project', (at) => at.at('secret/plan.md')],
    ['a file of a directory that is named alike', (at) => at.at('project-too/plan.md')],
    ['dots', () => '../../secret/plan.md'],
    ['a link', (at) => at.at('project/out.md')],
    ['a link to a directory', (at) => at.at('project/away/plan.md')],
    ['a link in a collection', (at) => at.at('shared/link.md')],
    ['what is not there', (at) => at.at('secret/none.md')],
    ['a path that begins at the home directory', () => '~/../../secret/plan.md'],
    ['a file of the system', () => '/etc/hostname'],
    ['a character that no path has', () => 'in.md\0'],
  ]

  async function withCollection(at: Tree): Promise<void> {
    const known = openWith({ file: undefined, unknown: [], home: false, db: at.at('project/pkg/ambit.db') })
    await (await known.library()).collections.add({ name: 'shared', root: at.at('shared') })
    await known.close()
  }

  it('gives research the files of its project and of collections, and no others', async () => {
    using at = tree(SHAPE)
    await withCollection(at)
    await using client = await spawned(ERAS[1][1], at.at('project/pkg'))
    const start = (file: string) =>
      client.callTool({ name: 'research_start', arguments: { question: 'When?', files: [file] } })
    for (const [what, file] of denied) {
      const answer = await start(file(at))
      expect([what, answer.isError, textOf(answer)]).toEqual([what, true, expect.stringMatching(/^denied: /)])
    }
    const taken = [at.at('project/in.md'), '../in.md', at.at('project/near.md'), at.at('shared/facts.md')]
    for (const file of taken) expect([file, (await start(file)).isError ?? false]).toEqual([file, false])
  })

  it('takes any file where it may write', async () => {
    using at = tree(SHAPE)
    await using client = await spawned(ERAS[1][1], at.at('project/pkg'), ['--allow-write'])
    const files = [at.at('secret/plan.md')]
    const answer = await client.callTool({ name: 'research_start', arguments: { question: 'When?', files } })
    expect(answer.isError ?? false).toBe(false)
  })
})
