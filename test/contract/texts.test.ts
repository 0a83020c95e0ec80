import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ContextError } from '../../src/core/errors.ts'
import { blocksOf, plainBlocksOf } from '../../src/text/blocks.ts'
import { citationUri, givenElements, identifyFile, sourceNumbers } from '../../src/text/citations.ts'
import { alignRows, displayWidth } from '../../src/text/columns.ts'
import { countNoun, formatBytes, listFirst } from '../../src/text/counts.ts'
import { decode } from '../../src/text/decode.ts'
import { cutElements, elementsOf, fitElements } from '../../src/text/elements.ts'
import { frameContext, frameText } from '../../src/text/frames.ts'
import { gitignore, isIgnored } from '../../src/text/gitignore.ts'
import { globs, patternsOf } from '../../src/text/globs.ts'
import { headingsAbove } from '../../src/text/headings.ts'
import { neutralise, noticeOfInvisible } from '../../src/text/invisible.ts'
import { lineDiff } from '../../src/text/line-diff.ts'
import { lineAt, lineStarts, trimLines } from '../../src/text/lines.ts'
import { marksOf } from '../../src/text/markdown.ts'
import { documentParts } from '../../src/text/markdown-docx.ts'
import { htmlOfMarkdown } from '../../src/text/markdown-html.ts'
import { commentsIn, markdownSpans } from '../../src/text/markdown-spans.ts'
import { countEdits, nearest } from '../../src/text/nearest.ts'
import { ancestors, isWithin, relativeTo } from '../../src/text/paths.ts'
import { placeArgument } from '../../src/text/shell-quote.ts'
import { splitPoints } from '../../src/text/split-points.ts'
import { cellsOfRow, labelCells, plainRow } from '../../src/text/tables.ts'
import { trimBoth, trimEnd } from '../../src/text/trim.ts'
import { byteEnd, byteStart, clipBytes, clipMarked, metadataText } from '../../src/text/truncate.ts'
import { unknownCollection } from '../../src/text/unknown-collection.ts'
import { countIllegal } from '../../src/text/xml.ts'
import { ROOT, readSources } from '../source-files.ts'

/* What the functions on texts give for the inputs of text-calls.json. */

const { files, names, words, matched, calls } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'text-calls.json'), 'utf8'),
)

type Call = (...inputs: never[]) => unknown

const ELEMENTS: string = files.find((file: string) => file.startsWith('<notice>'))
const [ANCHORS, LARGE] = [new Map([['ref', 'one']]), 12]

/** Functions of more than one text, as `calls` tries them. */
const OF_INPUTS: Readonly<Record<string, Call>> = {
  alignRows,
  ancestors: (path: string, top: string) => [ancestors(path, top), isWithin(top, path), relativeTo(top, path)],
  cellsOfRow: (row: string, header: string) => [cellsOfRow(row, header), plainRow(row, header)],
  byteStart,
  cases: (name: string, _: string, text: string) =>
    (OF_LONG[name] ?? OF_TEXTS.find(([one]) => one === name)?.[1])?.(text),
  citedAs: (element: Parameters<typeof citationUri>[0], place: string, root: string | null) =>
    citationUri(element, { place, root: root ?? undefined }),
  clipBytes: (text: string, most: number) => [
    ...[byteEnd(text, 1, most), byteStart(text, text.length, most)],
    ...[clipBytes(text, most), clipMarked(text, most)],
  ],
  countEdits: (one: string, other: string) => [0, 1, 2, 9].map((most) => countEdits(one, other, most)),
  countNoun: (number: number) => [
    ...[countNoun(number, 'file'), formatBytes(number)],
    listFirst(['a', 'b', 'c', 'd', 'e'], number),
  ],
  cutElements: (size: number) =>
    [cutElements, fitElements].map((cut) => cut(ELEMENTS, size, (shown, all) => `${shown}/${all}`)),
  decode: (bytes: string) => decode(Buffer.from(bytes, 'hex')),
  frameText,
  framedContext: frameContext,
  gitignoreUnread: (line: string, times: number) => gitignore(line.repeat(times)).unread,
  globs: (patterns: string[], most?: number) => {
    const { matches, refused } = globs(patterns, most)
    return { matches: matched.filter(matches), refused }
  },
  globsLong: (text: string, times: number) => globs([text.repeat(times)]).refused.length,
  headingsAbove: (at: number) =>
    lineStarts(files[at]).map((_, line) => headingsAbove(files[at], lineStarts(files[at]), line)),
  identifyFile: (uri: string) =>
    identifyFile(uri, [
      { name: 'docs', root: '/d' },
      { name: 'r', root: 's3://b/p' },
    ]),
  isIgnored: (text: string) => {
    const verdict = gitignore(text)
    const rules = [
      { path: '', verdict: undefined },
      { path: 'a', verdict },
    ]
    const sign = (ignored?: boolean) => (ignored === undefined ? '.' : ignored ? '+' : '-')
    return matched.map((path: string) =>
      [path, sign(verdict(path, false)), sign(verdict(path, true)), sign(isIgnored(path, true, rules))].join(' '),
    )
  },
  labelCells,
  lineAt: (offset: number) => lineAt(lineStarts('a\nbc\r\n\rd'), offset),
  lineDiff: (before: string, after: string) => lineDiff('f', before, after),
  metadataText,
  nearest: (word: string, most?: number) => nearest(word, words, most),
  patternsOf,
  placeArgument,
  repeated: (name: string, head: string, unit: string, times: number, tail: string) => {
    const read = OF_LONG[name] ?? OF_TEXTS.find(([one]) => one === name)?.[1]
    const shown = JSON.stringify(read?.(head + unit.repeat(times) + tail) ?? null, listed)
    return shown.length < 180 ? shown : `${shown.slice(0, 90)}…${shown.slice(-90)} (${shown.length})`
  },
  trimEnd: (text: string, of: string) => [trimEnd(text, of), trimBoth(text, of), trimLines(text, of)],
  unknownCollection: (name: string, many: number) => {
    const known = Array.from({ length: many }, (_, at) =>
      at % 4 === 3 ? { name: `gone${at}` } : { name: `docs${at}`, root: '/' },
    )
    throw unknownCollection(name, known)
  },
}

/** Functions of a file that ask for more than its text. */
const OF_FILES: Readonly<Record<string, (text: string) => unknown>> = {
  commentsIn,
  displayWidth,
  documentParts(text) {
    const parts = documentParts('T & t', text)
    return text === '' ? parts : parts.get('word/document.xml')
  },
  givenElements: (text) => givenElements([text]),
  htmlOfMarkdown: (text) => htmlOfMarkdown(text, ANCHORS),
  illegalIn: countIllegal,
  markdownSpans,
  noticeOfInvisible: (text) => (neutralise(text).removed > 0 ? noticeOfInvisible(neutralise(text)) : ''),
  sourceNumbers: (text) => sourceNumbers(elementsOf(text)),
  splitPoints: (text) =>
    plainBlocksOf(text.repeat(LARGE)).map((block) => splitPoints(text.repeat(LARGE), block).slice(0, 8)),
}

/** Functions of a file, as long texts are tried with them. */
const OF_LONG: Readonly<Record<string, (text: string) => unknown>> = {
  headingsAbove: (text) => headingsAbove(text, lineStarts(text), 9),
  htmlOfMarkdown: (text) =>
    htmlOfMarkdown(
      text,
      new Map([...ANCHORS, ...[998, 999, 1000].map((length) => ['x'.repeat(length), 'long'] as const)]),
    ),
  marksOf: (text) => marksOf(text, {}),
  metadataText,
  splitPoints: (text) => blocksOf(text).map((block) => splitPoints(text, block)),
}

function listed(_: string, value: unknown): unknown {
  const isList = value instanceof Map || value instanceof Set || String(value) === '[object Generator]'
  return isList ? [...(value as Iterable<unknown>)] : (value ?? null)
}

/** A value as JSON, or the error in its place; what is repeated is shown once. */
function showValue(read: () => unknown): string {
  try {
    return JSON.stringify(read() ?? null, listed).replaceAll(/(.{1,9}?)\1{25,}/g, (run, one) => `${one}×${run.length}`)
  } catch (error) {
    if (error instanceof ContextError) return `! ${error.code}: ${error.message} ${error.hint}`
    return `! ${error}`
  }
}

/** The names of functions of `src/text` whose one input is a text, each with the function and whether that is a whole file. */
async function functionsOfOneText() {
  const found: (readonly [name: string, read: (text: string) => unknown, isOfFile: boolean])[] = []
  for (const { file, text } of readSources('src').filter((source) => source.file.startsWith('text/'))) {
    const module: Readonly<Record<string, (text: string) => unknown>> = await import(join(ROOT, 'src', file))
    for (const [, name = '', input = ''] of text.matchAll(/^export function\*? (\w+)\((\w+): string\)/gm)) {
      // Its blocks are shown by parseMarkdown.
      if (name in OF_FILES || name === 'parseBlocks') continue
      found.push([name, (given) => module[name]?.(given), /^(?:text|inline|matter|question)$/.test(input)])
    }
  }
  return found
}

const OF_TEXTS = [
  ...(await functionsOfOneText()),
  ...Object.entries(OF_FILES).map(([name, read]) => [name, read, true] as const),
]

it.each(OF_TEXTS)('%s of texts gives this', async (name, read, isOfFile) => {
  const headOf = (text: string) => JSON.stringify(isOfFile ? text.slice(0, 24) : text)
  const inputs: string[] = isOfFile ? files : [...names, ...files.slice(0, 3).join('\n').split('\n')]
  const shown = inputs.map((input) => `${headOf(input)} → ${showValue(() => read(input))}\n`)
  await expect(shown.join('')).toMatchFileSnapshot(`snapshots/texts/${name}.txt`)
})

it.each(Object.entries(OF_INPUTS))('%s gives this', async (name, read) => {
  const shown = calls[name].map(
    (inputs: never[]) => `${showValue(() => inputs)} → ${showValue(() => read(...inputs))}\n`,
  )
  await expect(shown.join('')).toMatchFileSnapshot(`snapshots/texts/${name}.txt`)
})
