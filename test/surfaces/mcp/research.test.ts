import { afterAll, expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { type Tree, tree } from '../../support/tree.ts'
import { connected } from './support.ts'

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
  expect(JSON.stringify(content)).toContain('“The last boat in winter leaves at 19:40.” [ferry.md::S1]')
  expect(structuredContent.report).toMatchObject({ grade: 'full', quotes: { unproven: [] } })
  expect(await call('research_start', { question, files: [at.at('.env')] })).toMatchObject({ isError: true })
})
