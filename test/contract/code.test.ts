import { createHash } from 'node:crypto'
import { it } from 'vitest'
import { openCodeIndex } from '../../src/code/code-index.ts'
import { extendHistory } from '../../src/code/commit-history.ts'
import { parseCode, signaturesOf } from '../../src/code/definitions.ts'
import { isWithoutContent, mergeRanges, orderPieces, orderPrecisePieces } from '../../src/code/excerpts.ts'
import { encodeRecord } from '../../src/code/index/file-record.ts'
import { hashOf } from '../../src/code/index/identifiers.ts'
import {
  factorOf,
  isIndexable,
  isMinified,
  isTest,
  isTestCode,
  languageOf,
  maxBytesOf,
} from '../../src/code/languages.ts'
import { type RankedFile, type RankOptions, rankForTask } from '../../src/code/rank.ts'
import { relatedFiles } from '../../src/code/related.ts'
import { parseTask, termCoverage } from '../../src/code/task-query.ts'
import { ContextError } from '../../src/core/errors.ts'
import { tree } from '../support/tree.ts'
import { digits, filesIn, fixtureText, record } from './recorded.ts'

/* What is understood of code and of tasks, whole: definitions and units of each language, each weight and each signal. */

function showParsed(path: string, text: string): string[] {
  const parsed = parseCode(path, text)
  const { lines, definitions, units } = parsed
  return [
    `# ${path}: ${lines.length} lines`,
    ...definitions.map(
      ({ kind, name, line, start, end, parent }) =>
        `${kind} ${definitions[parent]?.name ?? '-'} / ${name}: ${start + 1} (${line + 1}) to ${end}`,
    ),
    ...units.map(
      ({ start, end, names, kind = '', parent = '' }) => `  ${start + 1}-${end} ${kind} ${parent}[${names}]`,
    ),
    ...signaturesOf(parsed).map(({ line, kind, text: head }) => `  ${line + 1} ${kind} |${head}`),
  ]
}

/** Stored indexes hold these bytes: whoever changes them raises the version of the format. */
function showStored(): string[] {
  const records = filesIn('shop.txt').map(
    ([path, text]) => `${path}: ${createHash('sha256').update(encodeRecord(path, text)).digest('hex')}`,
  )
  const words = `${'parseRequest '.repeat(1200)} ${Array.from({ length: 300 }, (_, at) => `word${at}x`).join(' ')}`
  return [
    ...records,
    `long ${createHash('sha256').update(encodeRecord('a.ts', words)).digest('hex')}`,
    `hashes ${['', 'a', 'parse', 'ü'].map(hashOf)}`,
  ]
}

it('files in each language define these, in these units', async () => {
  const body = (lines: number) => '  work()\n'.repeat(lines)
  const generated = [
    ['long.ts', `function a() {\n${body(158)}}\nfunction b() {\n${body(159)}}\nfunction c() {\n${body(320)}}\n`],
    ['blanks.ts', `${body(50)}\n${body(20)}\n${body(90)}`],
    [
      'data.ts',
      `${Array.from({ length: 70 }, (_, at) => `const a${at} = ${at}\n`).join('')}\n\n\nconst big = {\n${body(9)}}\n`,
    ],
    ['sections.md', Array.from({ length: 9 }, (_, at) => `# Part ${at}\n\n${'text\n'.repeat(at * 12)}\n`).join('')],
    ['wide.ts', `const a${' '.repeat(390)}= 1\nfunction after() {\n}\nfunction ${'n'.repeat(400)}() {\n}\n`],
    ['old.ts', 'function a() {\r\n  b()\r\n}\r\rfunction c() {\r}'],
    ['empty.ts', ''],
    ...[78, 79].map((lines) => [`${lines}.ts`, body(lines)] as const),
    ['blank.ts', `${body(42)}\n${body(60)}`],
    [
      'heads.ts',
      [149, 150].map((length) => `function ${'n'.repeat(length)}() {\n}\n`).join('') +
        [150, 151].map((length) => `function ${'n'.repeat(length)}(\n  a) {\n}\n`).join(''),
    ],
  ] as const
  const shown = [...filesIn('code.txt'), ...generated].flatMap(([path, text]) => showParsed(path, text))
  shown.push(...showStored())
  await record(shown, 'code/definitions')
})

/** A tree for tasks: small files in several languages, with tests, documents, and generated ones. */
const TREE = Object.fromEntries(filesIn('shop.txt').map(([path, text]) => [`w/${path}`, text]))

const commit = (message: string, ...paths: string[]) => ({ message, paths })
const HISTORY = extendHistory(undefined, {
  head: 'a',
  commits: [
    commit('Round the total of an invoice', 'src/billing/invoice.ts', 'src/billing/tax.ts'),
    commit('Totals and taxes are whole cents', 'src/billing/invoice.ts', 'src/billing/tax.ts', 'db/schema.sql'),
    commit('Retry failed jobs', 'src/jobs/queue.go', 'src/billing/tax.ts', 'lib/cache.rb'),
    commit('Retries wait', 'src/jobs/queue.go', 'lib/cache.rb'),
    commit('Format all', ...Array.from({ length: 30 }, (_, at) => `src/all/${at}.ts`), 'src/jobs/queue.go'),
    ...Array.from({ length: 12 }, (_, at) => commit(`Release ${at}`, 'CHANGELOG.md', 'package.json')),
    commit('Render invoices', 'src/billing/invoice.ts', 'src/Order.java', 'src/gone.ts'),
  ],
})

const meaningOf = (text: string) =>
  Float32Array.of(/tax|rate/i.test(text) ? 1 : 0, /cache|render/i.test(text) ? 1 : 0, 0.2)
const EMBEDDER = {
  documents: async (texts: readonly string[]) => texts.map(meaningOf),
  query: async (text: string) => meaningOf(text),
}
const JUDGE = {
  rank: async (query: string, texts: readonly string[]) => texts.map((text) => text.length % query.length),
}
const failing = (options: { hint?: string }) => ({
  rank: () => Promise.reject(new ContextError('unavailable', 'No answer.', options)),
})

const CALLS: readonly (readonly [task: string, options?: RankOptions])[] = [
  ['The total of an invoice is wrong by a cent'],
  ['The total of an invoice is wrong by a cent', { isPrecise: true, outlinedFiles: 4 }],
  ['The total of an invoice is wrong by a cent', { history: HISTORY, near: ['src/jobs'], outlinedFiles: 12 }],
  [
    'The total of an invoice is wrong by a cent',
    { history: HISTORY, near: ['lib/cache.rb'], maxShown: 2, outlinedFiles: 8 },
  ],
  ['Which tax and rate has a rendered invoice?', { models: { embedder: EMBEDDER } }],
  ['Which tax and rate has a rendered invoice?', { models: { embedder: EMBEDDER, judge: JUDGE } }],
  ['Which tax and rate has a rendered invoice?', { models: { judge: failing({ hint: 'Start it.' }) } }],
  ['Which tax and rate?', { models: { judge: failing({}) }, run: { signal: new AbortController().signal, emit() {} } }],
  [
    '`addLine` and `roundCents` and `Server` differ in src/billing/tax.ts, queue.go and lib/other/tax.ts',
    { maxShown: 4 },
  ],
  ['It says "an invoice without lines cannot be rendered", "return 0" and "no such line here"\nstep step'],
  [
    'Boom\n    at Invoice.render (/app/src/billing/invoice.ts:19:13)\n    at handle (/srv/http/server.py:3)',
    { outlinedFiles: 3 },
  ],
  ['retry the queue', { history: HISTORY }],
  ['nothing of it', { history: HISTORY, outlinedFiles: 5 }],
]

it('tasks in a fixed tree have these ranks, by each signal', async () => {
  using planted = tree(TREE)
  const index = await openCodeIndex(planted.at('w'), { cacheFile: planted.at('index') })
  const shown = index.files.map(({ path, factor, size }) => `${path}: ${factor}, ${size} bytes`)
  for (const [task, options = {}] of CALLS) {
    const { history, near, maxShown: most, isPrecise, outlinedFiles: outlined, models } = options
    const { files, shown: best, further, gains, notices } = await rankForTask(index, parseTask(task), options)
    shown.push(
      `# ${JSON.stringify([task, { near, most, isPrecise, outlined }, history?.head, Object.keys(models ?? {})])}`,
    )
    shown.push(`gains ${[...gains.values()].map(digits)}`, ...notices)
    for (const { file, score, signals, units, defines, words, commits } of files) {
      const of = Object.entries(signals).flatMap(([name, value]) => (value === 0 ? [] : [`${name} ${digits(value)}`]))
      const said = commits ? `messages ${digits(commits.messages)} together ${commits.together}` : ''
      shown.push(
        `${digits(score)} ${file.path}: ${of.join(' ')} [${units.map(digits)}] (${defines}) (${words}) ${said}`,
      )
    }
    for (const { file, ranked, parsed } of [...best, ...further]) {
      const { path } = file
      shown.push(`> ${path} ${ranked.map(({ start, score }) => `${start}:${digits(score)}`).join(' ')}`)
      shown.push(`  covers ${digits(termCoverage(parsed.lines.join('\n'), gains))}`)
    }
    const places = (pieces: ReturnType<typeof orderPieces>) =>
      pieces.map(({ file, start, end }) => `${file}:${start}-${end}`)
    shown.push(`pieces ${places(orderPieces(best))}`, `precise ${places(orderPrecisePieces(best))}`)
    const paths = new Set(best.slice(0, 3).map(({ file }) => file.path))
    shown.push(
      ...relatedFiles({ index, files, shown: paths, history }).map(({ path, why }) => `related ${path}: ${why}`),
    )
  }
  await record(shown, 'code/ranks')
})

it('tasks are read as these words, names, places and quotations', async () => {
  const many = (times: number, of: (at: number) => string) => Array.from({ length: times }, (_, at) => of(at)).join(' ')
  const large = [
    many(30, (at) => `"some quotation ${at}"`),
    many(120, (at) => `\`ticked${at}x\``),
    many(250, (at) => `dir/file${at}.ts`),
    `Title\n${many(230, (at) => `\n    at run (/app/f${at}.js:${at}:1)`)}`,
    `${'x'.repeat(241)} walrus\nline`,
    `one\n${many(5, (at) => `\nThe same line ${at}`)}`,
    `${'word '.repeat(16_000)}beyond`,
    `${'sentence of the request '.repeat(60)}\nlast`,
    `${'a'.repeat(79)}B ${'c'.repeat(80)}D`,
  ]
  const shown: string[] = []
  for (const [, task] of filesIn('tasks.txt')) {
    const { terms, words, identifiers, paths, frames, phrases, request } = parseTask(task.trimEnd(), ['suggestedName'])
    shown.push(`# ${JSON.stringify(task.slice(0, 60))}`, `wanted ${JSON.stringify(request)}`)
    shown.push([...terms].map(([term, weight]) => `${words.get(term)} ${digits(weight)}`).join(', '))
    shown.push([...identifiers].map(([key, { name, weight }]) => `${key} ${name} ${digits(weight)}`).join(', '))
    shown.push(...[paths, frames, phrases].map((found) => JSON.stringify(found)))
  }
  for (const task of large) {
    const { terms, identifiers, paths, frames, phrases, request } = parseTask(task)
    const weight = [...terms.values()].reduce((sum, one) => sum + one, 0)
    shown.push(`# ${task.slice(0, 30)}`)
    shown.push(
      `${[terms.size, identifiers.size, paths.length, frames.length, phrases.length, request.length, digits(weight)]}`,
    )
    shown.push(digits([...identifiers.values()].reduce((sum, one) => sum + one.weight, 0)))
  }
  await record(shown, 'code/tasks')
})

it('paths have these languages, factors and roles', async () => {
  const paths = fixtureText('paths.txt').trim().split('\n')
  const texts = [
    '',
    '// Code generated by tool. DO NOT EDIT.\n',
    `${'\n'.repeat(799)}@generated`,
    `${'\n'.repeat(800)}@generated`,
  ]
  const shown = paths.map((path) => {
    const { name, grammar, kind } = languageOf(path) ?? {}
    const role = `${isIndexable(path) ? 'indexed' : 'left'}${isTest(path) ? ', a test' : ''}${isTestCode(path) ? ' of code' : ''}`
    return `${path}: ${name} ${grammar} ${kind}, ${maxBytesOf(path)}, ${role}, ${texts.map((text) => factorOf(path, text))}`
  })
  const minified = [
    'x'.repeat(1000),
    'x'.repeat(1001),
    `${'x'.repeat(1001)}\n${'y\n'.repeat(500)}`,
    `${'x'.repeat(1001)}\n${'y\n'.repeat(501)}`,
  ]
  const ranges = mergeRanges(
    [
      [9, 12],
      [0, 3],
      [5, 6],
      [9, 10],
      [15, 16],
    ].map(([start = 0, end = 0]) => ({ start, end })),
  )
  /** Units of one line, by the tokens that each takes and its score. */
  const unitsOf = (...units: [tokens: number, score: number][]) => ({
    parsed: { lines: units.map(([tokens]) => 'x'.repeat(4 * tokens)) },
    ranked: units.map(([, score], start) => ({ start, end: start + 1, names: [], score })),
  })
  const precise = [
    [unitsOf([1, 82], [1, 81.9], [1, 76], [1, 75.9], [1, 100])],
    [unitsOf([1, 10], [1, 20]), unitsOf([1, 100])],
    [unitsOf([299, 100], [151, 80], [1, 79]), unitsOf([1, 78], [1, 77])],
    [unitsOf([300, 100], [1, 80], [1, 82])],
    [unitsOf([299, 100], [152, 80], [1, 79])],
  ].map((files) => orderPrecisePieces(files as unknown as RankedFile[]).map(({ file, start }) => `${file}:${start}`))
  const many = Array.from({ length: 41 }, () =>
    unitsOf(...Array.from({ length: 8 }, (_, at) => [1, at] as [number, number])),
  )
  const pieces = orderPieces(many as unknown as RankedFile[]).map(({ file, start }) => `${file}:${start}`)
  shown.push(...precise.map((places) => `precise ${places}`), `pieces ${pieces}`)
  const bare = [['# A', '', '---'], ['# A', 'b'], ['####### A'], []].map(isWithoutContent)
  shown.push(`minified ${minified.map(isMinified)}`, JSON.stringify(ranges), `bare ${bare}`)
  await record(shown, 'code/paths')
})
