import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Tree, tree } from '../../support/tree.ts'
import { answerOf, connected, metaOf, partsOf, textOf } from './support.ts'

const WORDS = 'Retry <after> a "timeout" & say so \u202e\u{e0041} in the log.'
const long = (name: string, lines: number) =>
  `# ${name}\n\n${Array.from({ length: lines }, (_, at) => `- ${name} ${at}: ${WORDS}\n`).join('')}`

const parts = partsOf()
let at: Tree

beforeAll(async () => {
  at = tree({
    '.git/': '',
    'AGENTS.md': long('root', 600),
    'pkg/AGENTS.md': long('package', 300),
    '.context/CONSTITUTION.md': long('constitution', 200),
    '.context/TASKS.md': long('tasks', 300),
    'docs/long.md': long('long', 3000),
    'docs/line.json': `{"all":"${'x'.repeat(200_000)}"}`,
    ...Object.fromEntries(Array.from({ length: 40 }, (_, each) => [`docs/api/${each}.md`, long(`page ${each}`, 12)])),
  })
  await answerOf(parts.engine, 'collections.add', { name: 'docs', root: at.at('docs') })
  await answerOf(parts.engine, 'index', {})
  await answerOf(parts.engine, 'contexts.add', { path: 'docs', text: 'The manual. '.repeat(160) })
  await answerOf(parts.engine, 'contexts.add', { path: 'docs/api', text: 'What servers call. '.repeat(100) })
})
afterAll(() => at[Symbol.dispose]())

const BUDGETS = [500, 2000, 8000, 32_000]

/** What each kind of client shows a model of a result. */
const CLIENTS = {
  'the text': (result: Result) => textOf(result),
  'structured content, else the text': (result: Result) => {
    return result.structuredContent ? JSON.stringify(result.structuredContent) : textOf(result)
  },
  'the text, and words of its own': (result: Result) => `Wall time: 12.3456 seconds\nOutput:\n${textOf(result)}`,
  'the text in a frame of its own': (result: Result) => `<untrusted_context>\n${textOf(result)}</untrusted_context>\n`,
  'both together': (result: Result) => `${JSON.stringify(result.structuredContent) ?? ''}${textOf(result)}`,
}
type Result = { readonly content?: unknown; readonly structuredContent?: unknown }

const CALLS = [
  ['load_context', () => ({ place: at.base, touched: [at.at('pkg/a.ts')], fresh: true }), /^<context filename=/],
  ['load_context', () => ({ place: at.base, format: 'markdown', fresh: true }), /^# Project Context/],
  ['load_context', () => ({ place: 'docs/api', fresh: true }), /^<path-context path=/],
  ['search', () => ({ query: 'retry timeout', limit: 50 }), /^<results .*\n<hit /],
  ['search', () => ({ query: 'timeout "say so"', limit: 50, sections: 5 }), /^<results .*\n<hit /],
  ['get', () => ({ path: 'docs/long.md' }), /^<document .* lines="1-\d+" total="3002">/],
  ['get', () => ({ path: 'docs/line.json' }), /^<document .*\n(<path.*\n[^<]*<.*\n)*\{"all":"xxx/],
  ['multi_get', () => ({ pattern: 'docs/api/*' }), /^<document /],
] as const

it.each(CALLS)('what a client forwards of %s %# is within the budget, and uses it', async (name, input, beginning) => {
  await using client = await connected('legacy', parts)
  for (const budget of BUDGETS) {
    const result = await client.callTool({ name, arguments: { ...input(), budget } })
    const sizes = Object.entries(CLIENTS).map(([kind, forwarded]) => {
      return [kind, Math.ceil(Buffer.byteLength(forwarded(result)) / 4) <= budget]
    })
    expect([budget, sizes]).toEqual([budget, Object.keys(CLIENTS).map((kind) => [kind, true])])
    expect([budget, result.isError ?? false, beginning.test(textOf(result))]).toEqual([budget, false, true])
    expect(metaOf(result)).toMatchObject({ budget, tokens: Math.ceil(Buffer.byteLength(textOf(result)) / 4) })
  }
})

it.each(CALLS)(
  'what Cline forwards, the JSON of the whole answer, of %s %# is within the budget, and uses it',
  async (name, input, beginning) => {
    await using client = await connected('auto', parts, '@cline/core')
    for (const budget of BUDGETS) {
      const result = await client.callTool({ name, arguments: { ...input(), budget } })
      const { content } = result
      // What the 2026 protocol adds to each answer is not in the one that Cline speaks.
      const shown = Buffer.byteLength(JSON.stringify({ _meta: { 'ambit/answer': metaOf(result) }, content })) / 4
      expect([budget, shown, shown <= budget, beginning.test(textOf(result))]).toEqual([budget, shown, true, true])
      expect(metaOf(result)).toMatchObject({ budget })
      if (name === 'get') expect(shown).toBeGreaterThan(budget * 0.7)
    }
  },
)

it.each(CALLS)('a budget without room of %s %# is told with the tokens to ask with', async (name, input) => {
  await using client = await connected('auto', parts)
  for (const budget of [1, 5]) {
    const text = textOf(await client.callTool({ name, arguments: { ...input(), budget } }))
    expect([budget, text]).toEqual([budget, expect.stringMatching(/\b(ask with|Give) \d+ tokens\b/)])
    expect(text).not.toMatch(/…|\d+ of \d+ bytes [^f]/)
    const least = Number(/Give (\d+)/.exec(text)?.[1] ?? 8000)
    expect((await client.callTool({ name, arguments: { ...input(), budget: least } })).isError).toBeFalsy()
  }
})

it('a search takes 4,000 tokens where it is not told otherwise, and says how many hits it drops', async () => {
  await using client = await connected('auto', parts)
  const result = await client.callTool({ name: 'search', arguments: { query: 'retry timeout', limit: 50 } })
  const text = textOf(result)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000)
  const shown = [...text.matchAll(/^<hit /gm)].length
  expect(metaOf(result)).toMatchObject({ budget: 4000, shown, dropped: 41 - shown })
  expect(text).toContain(`${41 - shown} more hits dropped: no room in the budget.`)
  expect(text.match(/The manual\./g)).toHaveLength(160)
  expect(text.match(/<path-context scope="path" prefix="\/api" \/>/g)?.length).toBeGreaterThan(5)
})

it.each([
  ['codex-mcp-client', 'load_context', 2900],
  ['codex-mcp-client', 'search', 2900],
  ['copilot-cli', 'get', 4000],
  ['@cline/core', 'get', 1950],
  ['claude-code', 'load_context', 8000],
  ['claude-code', 'search', 4000],
] as const)(
  'without a budget, a client that cuts answers gets what it shows whole %s, %s: %i tokens',
  async (client, tool, budget) => {
    await using connection = await connected('auto', parts, client)
    const inputs = {
      load_context: { place: at.base, fresh: true },
      search: { query: 'retry timeout', limit: 50 },
      get: { path: 'docs/long.md' },
    }
    const ask = async (more: object) => connection.callTool({ name: tool, arguments: { ...inputs[tool], ...more } })
    const tokens = Buffer.byteLength(textOf(await ask({}))) / 4
    expect(tokens).toBeLessThanOrEqual(budget)
    expect(tokens).toBeGreaterThan(budget * 0.7)
    expect(metaOf(await ask({}))).toMatchObject({ budget })
    expect(metaOf(await ask({ budget: 6000 }))).toMatchObject({ budget: 6000 })
  },
)
