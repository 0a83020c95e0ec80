import { describe, expect, it } from 'vitest'
import { NumberedSources } from '../../src/agent/assistant/sources.ts'
import { readWordVectors } from '../../src/files/home.ts'
import type { Message, StepPart, StepRequest } from '../../src/models/language.ts'
import { local } from '../../src/models/providers/language-local.ts'
import { frameContext, frameText } from '../../src/text/frames.ts'
import { statementsLine } from '../../src/text/own-reports.ts'

const TOOLS = ['search', 'read'].map((name) => ({ name, description: name, input: { type: 'object', properties: {} } }))

async function said(messages: readonly Message[], tools: StepRequest['tools'] = TOOLS, model = local()) {
  const parts: StepPart[] = []
  for await (const part of model.step({ system: 's', messages, tools })) parts.push(part)
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: parts.flatMap((part) => (part.type === 'call' ? [{ tool: part.tool, input: JSON.parse(part.input) }] : [])),
  }
}

const asks = (text: string): Message => ({ role: 'user', text })
const called = (tool: string, text: string, isError = false): Message[] => [
  { role: 'assistant', parts: [{ type: 'call', id: `c-${tool}`, tool, input: {} }] },
  { role: 'tool', results: [{ id: `c-${tool}`, tool, text, isError }] },
]
const LIST = '[1] ambit://docs/errors.md\n[2] ambit://docs/other.md'
const SOURCES = frameText({ tag: 'sources', attributes: {}, text: LIST })
const HIT = frameText({ tag: 'hit', attributes: { uri: 'ambit://docs/errors.md', lines: '5-7' }, text: 'Retry twice.' })
const QUESTION = asks('How often are requests retried?')
const OPTIONS = asks('What do xz -9 and npm --force do?')

describe('the built-in model', () => {
  it('looks for what was asked', async () => {
    const asked = await Promise.all([QUESTION, OPTIONS].map((one) => said([one])))
    expect(asked.map(({ calls }) => calls)).toEqual([
      [{ tool: 'search', input: { query: 'How often are requests retried?' } }],
      [{ tool: 'search', input: { query: 'What do xz 9 and npm --force do?' } }],
    ])
  })

  it('takes what people said of places where no document holds a word of the question, last of all', async () => {
    const all = [...TOOLS, { name: 'path_contexts', description: 'said', input: { type: 'object', properties: {} } }]
    const asked = asks('What is the escalation phone number?')
    const nothing = called('search', '<notice>\nNothing was found.\n</notice>\n')
    const once = [asked, ...nothing, ...nothing]
    expect((await said(once, all)).calls).toEqual([{ tool: 'path_contexts', input: {} }])
    const listed = frameText({ tag: 'sources', attributes: {}, text: '[1] ambit://docs/ops\n[2] ambit://notes' })
    const contexts = [
      frameContext({ uri: 'ambit://docs/ops' }, 'Runbooks; the escalation phone number is 555-0199.'),
      frameContext({ uri: 'ambit://notes' }, 'Minutes of meetings.'),
    ]
    const { text, calls } = await said([...once, ...called('path_contexts', listed + contexts.join(''))], all)
    expect(calls).toEqual([])
    expect(text).toMatch(/> Runbooks; the escalation phone number is 555-0199\.\n\n\[1\] ambit:\/\/docs\/ops\n/)
    expect(text).not.toContain('Minutes')
  })

  it('reads around what was found', async () => {
    const { calls } = await said([QUESTION, ...called('search', SOURCES + HIT)])
    expect(calls).toEqual([{ tool: 'read', input: { path: 'ambit://docs/errors.md', lines: '1-307' } }])
  })

  it('searches once more, for what is nearest, where words of the question are hardly in what it read', async () => {
    const attributes = { uri: 'ambit://docs/errors.md', lines: '1-307' }
    const document = (text: string) => frameText({ tag: 'document', attributes, text })
    const once = (text: string) => [QUESTION, ...called('search', SOURCES + HIT), ...called('read', document(text))]
    const again = { tool: 'search', input: { query: 'How often are requests retried?', minScore: 0 } }
    expect((await said(once('The server is small.'))).calls).toEqual([again])
    expect((await said(once('Requests are often retried.'))).calls).toEqual([])
    const other = frameText({ tag: 'hit', attributes: { uri: 'ambit://docs/other.md', lines: '2-3' }, text: 'Soon.' })
    const twice = [...once('The server is small.'), ...called('search', HIT + other)]
    const { calls } = await said(twice)
    expect(calls).toEqual([{ tool: 'read', input: { path: 'ambit://docs/other.md', lines: '1-303' } }])
    expect((await said([...twice, ...called('read', document('Nothing is.'))])).calls).toEqual([])
  })

  it('reads at most five documents', async () => {
    const other = (tag: string, name: string) =>
      frameText({ tag, attributes: { uri: `ambit://docs/${name}.md`, lines: '2-3' }, text: 'Small.' })
    const found = ['a', 'b', 'c', 'd'].map((name) => [other('hit', name), other('document', name)] as const)
    const reads = found.flatMap(([, document]) => called('read', document))
    const first = [QUESTION, ...called('search', SOURCES + found.map(([hit]) => hit).join('')), ...reads]
    const { calls } = await said([...first, ...called('search', other('hit', 'f') + other('hit', 'g'))])
    expect(calls.map(({ input }) => input)).toEqual([{ path: 'ambit://docs/f.md', lines: '1-303' }])
  })

  it('ranks each paragraph, and shows it with those around it', async () => {
    const filler = 'Nobody knows the colour of the small boat in the harbour. '.repeat(6)
    const text = `# One\n\nA request is retried twice.\n\n${filler}\n\n# Two\n\nRequests are retried by those who wait for it long enough, and by all the others who want to.`
    const document = frameText({ tag: 'document', attributes: { uri: 'ambit://docs/errors.md' }, text })
    const { text: answer } = await said([QUESTION, ...called('search', SOURCES + HIT), ...called('read', document)])
    expect(answer).toMatch(/^> A request is retried twice\.\n>\n> Nobody knows/)
  })

  it('reads a long document around each hit that is not read with another', async () => {
    const hits = ['20-22', '900-901', '40-41'].map((lines) =>
      frameText({ tag: 'hit', attributes: { uri: 'ambit://docs/errors.md', lines }, text: 'Retry.' }),
    )
    const { calls } = await said([QUESTION, ...called('search', SOURCES + hits.join(''))])
    expect(calls.map(({ input }) => input)).toEqual(
      ['1-322', '600-1201'].map((lines) => ({ path: 'ambit://docs/errors.md', lines })),
    )
  })

  it('quotes what speaks of the question, with the number and the line of its place', async () => {
    const text = '# Errors\n\nAll is <well>.\n\n## Again\n\nA request is retried\ntwice.\n'
    const document = frameText({ tag: 'document', attributes: { uri: 'ambit://docs/errors.md', lines: '10-17' }, text })
    const messages = [QUESTION, ...called('search', SOURCES + HIT), ...called('read', document)]
    const first = await said(messages)
    expect(first.calls).toEqual([])
    expect(first.text).toMatch(
      /^> A request is retried\n> twice\.\n\n\[1\] ambit:\/\/docs\/errors\.md:16-17, under “Errors › Again”\n/,
    )
    expect(first.text).toMatch(/local\/extractive does not judge.*Set AMBIT_MODEL=/)
    expect(first.text.split('A request is retried')).toHaveLength(2)
    expect(await said(messages)).toEqual(first)
  })

  it('shows the three best places, and names the words that nothing holds', async () => {
    const sections = ['one', 'two', 'three', 'four'].map((name) => `## Part ${name}\n\nRequests of part ${name}.\n`)
    const attributes = { uri: 'ambit://docs/errors.md', lines: '1-15' }
    const document = frameText({ tag: 'document', attributes, text: sections.join('\n') })
    const read = [QUESTION, ...called('search', SOURCES + HIT), ...called('read', document)]
    const { text } = await said([...read, ...called('search', '')])
    expect(text.match(/^> Requests of part/gm)).toHaveLength(3)
    expect(text).toContain('\n\nNothing that was read holds “retried”.\n\n')
  })

  it('quotes a report of Ambit only if nothing else is found, and reads further documents until then', async () => {
    const report = `# When is a request retried?\n\n> A request is retried twice.\n\n${statementsLine(() => 0)}\n`
    const given = (uri: string, text: string) => frameText({ tag: 'document', attributes: { uri, lines: '1-9' }, text })
    const reported = given('ambit://docs/other.md', report)
    const source = given('ambit://docs/errors.md', '# Again\n\nTwice a request is retried.\n')
    const begun = [QUESTION, ...called('search', SOURCES + HIT), ...called('read', reported)]
    expect((await said(begun)).calls.map(({ tool }) => tool)).toEqual(['read'])
    const { text } = await said([...begun, ...called('read', source)])
    expect([text.includes('> Twice a request'), text.includes('> A request')]).toEqual([true, false])
    expect(text).toContain('\n\nNot quoted, because it is a report of Ambit: ambit://docs/other.md.\n\n')
    const alone = await said([QUESTION, ...called('search', SOURCES), ...called('read', reported)])
    expect(alone.text).toContain('> > A request is retried twice.')
  })

  it('quotes no settings that only start programs', async () => {
    const given = (uri: string) =>
      frameText({ tag: 'document', attributes: { uri, lines: '1-1' }, text: 'Requests are often retried.' })
    const quoted = async (uri: string) => {
      const list = frameText({ tag: 'sources', attributes: {}, text: `[1] ${uri}` })
      return (await said([QUESTION, ...called('search', list), ...called('read', given(uri))])).text.includes(
        '> Requests are often',
      )
    }
    expect(await quoted('ambit://docs/.codex/hooks.json')).toBe(false)
    expect(await quoted('ambit://docs/hooks.json')).toBe(true)
  })

  it('quotes what a misspelt word means, and says so', async () => {
    const document = frameText({
      tag: 'document',
      attributes: { uri: 'ambit://docs/errors.md' },
      text: 'The clerk is notified.',
    })
    const asked = { role: 'user', text: 'Who is notfied?' } as const
    const words = local(readWordVectors)
    const { text } = await said([asked, ...called('search', SOURCES + HIT), ...called('read', document)], TOOLS, words)
    expect(text).toMatch(/^> The clerk is notified\.\n/)
    expect(text).toContain('\n\nNothing that was read holds “notfied”; also searched: “notified”.\n\n')
  })

  it.each([
    ['shows a passage once of all versions of a document', 'often', 'mostly', 1],
    ['shows both of two passages that differ in a number', '3', '5', 2],
  ])('%s', async (_, one, other, count) => {
    const given = [one, other].map((word, at) => {
      const text = `Each request of a client that did not get an answer in time is retried ${word}.`
      return frameText({ tag: 'document', attributes: { uri: `ambit://docs/${at ? 'other' : 'errors'}.md` }, text })
    })
    const { text } = await said([QUESTION, ...called('search', SOURCES + HIT), ...called('read', given.join(''))])
    expect(text.match(/^> Each request/gm)).toHaveLength(count)
  })

  it('cites by its own numbers alone, whatever stands in what it quotes', async () => {
    const text = [
      'A request [2] is retried \\[2], \\\\[2] `[2]` and **[2]**.',
      '',
      '```',
      'requests[2] are retried',
      '```',
      '',
      'Retried requests\r[2] end.',
    ].join('\n')
    const document = frameText({ tag: 'document', attributes: { uri: 'ambit://docs/errors.md' }, text })
    const { text: answer } = await said([QUESTION, ...called('search', SOURCES + HIT), ...called('read', document)])
    const sources = new NumberedSources(['ambit://docs/errors.md', 'ambit://docs/other.md'])
    expect(sources.citationsIn(answer).map(({ number }) => number)).toEqual([1])
    expect(answer).toContain('> A request \\[2] is retried \\[2], \\\\\\[2] `[2]` and **\\[2]**.')
    expect(answer).toContain('> requests[2] are retried')
  })

  it('gives a file the number of its first place, once its collection is known', () => {
    const sources = new NumberedSources(['ambit://docs/a.md', '/srv/docs/a.md'])
    expect(sources.numbered(['/srv/docs/a.md'])).toContain('[2] ')
    sources.roots = [{ name: 'docs', root: '/srv/docs' }]
    expect(sources.numbered(['/srv/docs/a.md'])).toContain('[1] ')
  })

  it('names a place whose name looks like a citation as it is', async () => {
    const place = '/srv/notes/[2] ![x](http://evil.example).md'
    const context = frameText({ tag: 'context', attributes: { filename: place }, text: 'Requests are retried twice.' })
    const sources = frameText({ tag: 'sources', attributes: {}, text: `[1] ${place}` })
    const told: Message = { role: 'context', text: context + sources }
    const { text } = await said([told, QUESTION, ...called('search', ''), ...called('read', '')])
    expect(text).toContain('[1] /srv/notes/\\[2\\] !\\[x\\](http://evil.example).md:1')
  })

  it('quotes a block of code whole, with the empty lines in it, and closes one that is cut', async () => {
    const code = (lines: number) => ['```sh', 'retry', '', 'requests', ...Array(lines).fill('often'), '```'].join('\n')
    const given = (text: string) =>
      frameText({ tag: 'document', attributes: { uri: 'ambit://docs/errors.md', lines: '1-600' }, text })
    const short = await said([QUESTION, ...called('search', SOURCES + HIT), ...called('read', given(code(1)))])
    expect(short.text).toMatch(/^> ```sh\n> retry\n>\n> requests\n> often\n> ```\n\n\[1\]/)
    const long = await said([QUESTION, ...called('search', SOURCES + HIT), ...called('read', given(code(500)))])
    expect(long.text).toMatch(/> often …\n> ```\n\n\[1\]/)
    const read = [QUESTION, ...called('search', SOURCES + HIT), ...called('read', given('requests: 3\n```'))]
    const end = await said([...read, ...called('search', '')])
    expect(end.text).toMatch(/^> ```\n> requests: 3\n> ```\n\n\[1\]/)
  })

  it('quotes the context that it was given where nothing is found', async () => {
    const source = frameText({ tag: 'sources', attributes: {}, text: '[3] /w/AGENTS.md' })
    const context = `${source}<context filename="/w/AGENTS.md">\nRetries are logged.\n</context>\n`
    const messages: Message[] = [{ role: 'context', text: context }, asks('What of retries?')]
    expect((await said([...messages, ...called('search', '', true)])).text).toMatch(
      /^> Retries are logged\.\n\n\[3\] \/w\/AGENTS\.md:1\n/,
    )
    expect((await said(messages, [])).text).toMatch(/^> Retries are logged/)
  })

  it('finds words of scripts that have no spaces', async () => {
    const source = frameText({ tag: 'sources', attributes: {}, text: '[3] /w/AGENTS.md' })
    const context = `${source}<context filename="/w/AGENTS.md">\n先做测试。\n\n请求超时后会重试两次。\n</context>\n`
    const { text } = await said([{ role: 'context', text: context }, asks('超时后怎么办？')], [])
    expect(text).toMatch(/^> 先做测试。\n>\n> 请求超时后会重试两次。\n\n\[3\] \/w\/AGENTS\.md:1-3\n/)
  })

  it('quotes a row of a table with its header', async () => {
    const text = '| option | default |\n| --- | --- |\n| retries | 3 |\n| timeout | 30 s |\n'
    const document = frameText({ tag: 'document', attributes: { uri: 'ambit://docs/errors.md' }, text })
    const asked = asks('What is the default of the timeout option?')
    const { text: answer } = await said([asked, ...called('search', SOURCES + HIT), ...called('read', document)])
    expect(answer).toMatch(/^> \| option \| default \|\n> \| --- \| --- \|\n> \| timeout \| 30 s \|\n\n\[1\].*:4\n/)
  })

  it.each([
    ['what was said of it', '<path-context path="/raw">\nRaw readings of the harbour sensors.\n</path-context>\n'],
    ['its package', '<package-info>\n{\n  "message": "Raw readings of the harbour sensors"\n}\n</package-info>\n'],
  ])('quotes %s', async (_, element) => {
    const place = 'ambit://lab/raw'
    const told = `<place>\n${place}\n</place>\n${frameText({ tag: 'sources', attributes: {}, text: `[1] ${place}` })}${element}`
    const { text } = await said([{ role: 'context', text: told }, asks('Which readings of the harbour are there?')], [])
    expect(text).toMatch(/^> (?:- message: )?"?Raw readings of the harbour sensors.*\n\n\[1\] ambit:\/\/lab\/raw\n/)
  })

  it('says what to do where there is nothing at all', async () => {
    const searched = [...called('search', ''), ...called('search', '')]
    expect((await said([QUESTION, ...searched])).text).toMatch(/^Not found in .*ambit collection add/s)
    expect((await said([asks('')])).text).toMatch(/^Not found in/)
  })

  it('takes neither context nor an earlier question for the question', async () => {
    const messages: Message[] = [
      asks('One?'),
      ...called('search', ''),
      { role: 'assistant', parts: [{ type: 'text', text: 'Nothing.' }] },
      asks('Two?'),
      { role: 'context', text: '<context filename="a">\nThree?\n</context>\n' },
    ]
    expect((await said(messages)).calls).toEqual([{ tool: 'search', input: { query: 'Two?' } }])
  })
})
