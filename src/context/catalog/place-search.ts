/** Searches files without an index: lists the files below a place, reads the most promising files, and ranks their passages. */

import { orElse, throwIfAborted } from '../../core/errors.ts'
import { type Run, SILENT } from '../../core/flow.ts'
import { mapParallel } from '../../core/steps.ts'
import { openDirectory } from '../../files/directory.ts'
import { readWordVectors } from '../../files/home.ts'
import { listPages, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { fileFilter, readRulesAt } from '../../ingest/file-filter.ts'
import { satisfiesAll, satisfiesTexts } from '../../retrieval/conditions.ts'
import { NearestPassages } from '../../retrieval/nearest-passages.ts'
import { parseQuery, type Query } from '../../retrieval/query.ts'
import { splitTextUnits, type TextUnit } from '../../retrieval/units.ts'
import { fileUri } from '../../text/citations.ts'
import { countNoun, listFirst } from '../../text/counts.ts'
import { type IgnoreRules, isIgnored } from '../../text/gitignore.ts'
import { isOwnReport, preferSources } from '../../text/own-reports.ts'
import { foldedPath, foldersAbove, relativeTo } from '../../text/paths.ts'
import { isProgramSettings } from '../../text/program-names.ts'
import { looksSecret } from '../../text/secrets.ts'
import { trimEnd } from '../../text/trim.ts'
import { collectBytes, type PlaceFile, plainText } from './locate.ts'
import type { ProjectFiles } from './project-files.ts'

export interface SearchedFile extends Pick<PlaceFile, 'path' | 'size'> {
  open(): Promise<Pick<PlaceFile, 'uri' | 'stream'>>
}

export interface SearchedPlace {
  readonly files: readonly SearchedFile[]
  /** Whether the place has more files than were listed. */
  readonly isCut: boolean
}

/** Maximum files and directories to list, and directories to list at a time. */
export const MAX_FOUND_FILES = 5000
const MAX_DIRECTORIES = 1000
const CONCURRENCY = 16

/** Maximum files to read, bytes of each file, and bytes of all files. */
const MAX_READ_FILES = 200
const MAX_BYTES = 512 * 1024
const MAX_TOTAL_BYTES = 4 * 1024 * 1024

/** Maximum passages to compare by meaning, which takes a quarter of a second. With more passages, only words decide. */
const MAX_COMPARED_PASSAGES = 4000

/** Maximum hits, and hits of one file. */
const MAX_HITS = 8
const MAX_HITS_PER_FILE = 3

/** Files whose content is not text that a person wrote. */
const BINARY =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|heic|pdf|docx?|xlsx?|pptx?|od[tsp]|zip|gz|bz2|xz|zst|tar|tgz|7z|rar|jar|whl|mp[34]|mov|avi|wav|flac|woff2?|ttf|otf|eot|parquet|feather|arrow|npy|npz|h5|hdf5|nc|bam|bai|cram|fcs|czi|pkl|pt|onnx|bin|so|dylib|dll|exe|o|a|class|pyc|wasm|db|sqlite3?|lock|map)$/i

export interface DiskSearch {
  readonly signal: AbortSignal
  /** Whether to leave out a file, because a collection has it. `path`: absolute. */
  isKnown(path: string): boolean
}

/**
 * Ranks the passages of the most promising files, the best first. `notices`: sentences about which files were searched, and which were not.
 *
 * @throws ContextError `cancelled`; `BucketTrouble`.
 */
export async function searchFiles(place: SearchedPlace, query: string, run: Run) {
  const parsed = parseQuery(query)
  const words = `${parsed.plain} ${parsed.pieces}`.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const holdsPart = (path: string) => (part: string) => foldedPath(path).includes(part)
  const isInScope = ({ path }: SearchedFile) =>
    parsed.paths.every(holdsPart(path)) && !parsed.withoutPaths.some(holdsPart(path))
  const chosen = chooseFiles(place.files.filter(isInScope), words)
  const problems: string[] = []
  const options = { atOnce: CONCURRENCY, signal: run.signal }
  const results = await mapParallel(chosen, options, (file) => readSearchedFile(file, problems))
  const texts = results.filter((one) => one !== undefined)
  throwIfAborted(run.signal)
  const matching = (conditions: Query) => texts.filter((file) => satisfiesAll(conditions, file, file.text))
  const strictMatches = matching(parsed)
  const looseMatches =
    strictMatches.length > 0 ? [] : matching({ ...parsed, phrases: parsed.phrases.filter(({ inTitle }) => inTitle) })
  if (looseMatches.length > 0) problems.push('No file contains all the quoted texts, so their words were searched.')
  const passages = [...strictMatches, ...looseMatches].flatMap((file) => {
    const units = splitTextUnits(file.text, { title: file.path, isCsv: /\.[ct]sv$/i.test(file.path) })
    const matchingUnits = units.filter((unit) => satisfiesTexts(parsed, file, [...unit.trail, unit.text].join('\n')))
    return (matchingUnits.length > 0 ? matchingUnits : units).map((unit) => ({ ...file, unit }))
  })
  const units = passages.map(({ unit }) => unit)
  const readTable = units.length > MAX_COMPARED_PASSAGES ? undefined : readWordVectors
  const reports = new Set(texts.flatMap(({ uri, text }) => (isOwnReport(text) ? [uri] : [])))
  const nearest = new NearestPassages(units, readTable).rank(parsed.plain)
  const mayLackWords = parsed.pieces.length > 0 || (parsed.terms.length === 0 && parsed.paths.length > 0)
  const found = nearest.length === 0 && mayLackWords ? units.map((_, at) => ({ at, score: 0 })) : nearest
  const ranked = preferSources(found, ({ at }) => reports.has(passages[at]?.uri ?? ''))
  if (ranked.length < found.length) problems.push('Reports that Ambit wrote were left out.')
  const hitCounts = new Map<string, number>()
  const hits = ranked.flatMap(({ at, score }) => {
    const passage = passages[at]
    const count = (hitCounts.get(passage?.uri ?? '') ?? 0) + 1
    if (!passage || count > MAX_HITS_PER_FILE) return []
    hitCounts.set(passage.uri, count)
    return [{ uri: passage.uri, title: passage.path, score, ...showUnit(passage.unit) }]
  })
  const notices = [...noticesOf(place, words, texts.length), ...problems.slice(0, MAX_SHOWN_PROBLEMS)]
  return { hits: hits.slice(0, MAX_HITS), notices }
}

function showUnit({ text, line, trail }: TextUnit) {
  const heading = trail.at(-1)
  const shown = heading === undefined || text.includes(heading) ? text : `${heading}\n${text}`
  return { text: shown, lines: { start: line, end: line + text.split('\n').length - 1 } }
}

/** Chooses files within the limits: first files with a word of the query in their path, then prose, then other files. */
function chooseFiles(files: readonly SearchedFile[], words: readonly string[]): SearchedFile[] {
  const rank = ({ path }: SearchedFile) => {
    const matchCount = words.filter((word) => path.toLowerCase().includes(word)).length
    return -matchCount * 2 - Number(/\.(?:md|mdx|txt|rst|adoc|org)$|(?:^|\/)[A-Z]+$/.test(path))
  }
  const isText = (path: string) => !BINARY.test(path) && !looksSecret(path) && !isProgramSettings(path)
  const fits = ({ path, size }: SearchedFile) => isText(path) && (size ?? 0) <= MAX_BYTES
  const sorted = files
    .filter(fits)
    .map((file) => ({ file, rank: rank(file) }))
    .sort((a, b) => a.rank - b.rank)
  const chosen: SearchedFile[] = []
  let remainingBytes = MAX_TOTAL_BYTES
  for (const { file } of sorted) {
    remainingBytes -= file.size ?? MAX_BYTES
    if (remainingBytes < 0 || chosen.length === MAX_READ_FILES) break
    chosen.push(file)
  }
  return chosen
}

/** Maximum number of unreadable files that the notices name. */
const MAX_SHOWN_PROBLEMS = 5

/** Reads a file to search. Skips a binary file. Adds a problem for a denied file, or if it differs from its package. */
async function readSearchedFile({ path, open }: SearchedFile, problems: string[]) {
  const read = async () => {
    const file = await open()
    const bytes = await collectBytes(file.stream(), MAX_BYTES + 1)
    // A file of unknown size may exceed the limit.
    if (bytes.length > MAX_BYTES) problems.push(`Only the first ${MAX_BYTES} bytes of ${path} were searched.`)
    const { text } = plainText(file, bytes.subarray(0, MAX_BYTES))
    const [title = path] = (/\.mdx?$/i.test(path) && /^# [^\n]{0,300}/m.exec(text)) || []
    return { uri: file.uri, path, title, text }
  }
  return orElse(read(), ({ code, message }) => {
    if (code !== 'invalid-input') problems.push(message)
    return undefined
  })
}

/** Maximum number of paths with a word of the query that the notice names. */
const MAX_NAMED_PATHS = 20

function noticesOf({ files, isCut }: SearchedPlace, words: readonly string[], readCount: number): string[] {
  const all = `${isCut ? 'more than ' : ''}${countNoun(files.length, 'file')}`
  const summary = `${readCount} of ${all} here ${readCount === 1 ? 'was' : 'were'} read, without an index.`
  const named = files.filter(({ path }) => !looksSecret(path) && words.some((one) => path.toLowerCase().includes(one)))
  const paths = named.map(({ path }) => path)
  return [summary, ...(paths.length > 0 ? [`Paths with a word of it: ${listFirst(paths, MAX_NAMED_PATHS)}.`] : [])]
}

interface PendingDirectory {
  readonly path: string
  /** Rules of the directories above, the nearest last. */
  readonly rules: readonly IgnoreRules[]
}

/** The indexable files below a directory, the nearest directories first. */
export async function filesBelow(objects: Objects, directory: string, run: Run) {
  const filter = fileFilter({ patterns: [], exclude: [] })
  const files: ObjectInfo[] = []
  const path = trimEnd(directory, '/')
  const rules = foldersAbove(path).map((one) => readRulesAt(objects, one, run.signal))
  let pending: PendingDirectory[] = [{ path, rules: await Promise.all(rules) }]
  let directoryCount = 0
  while (pending.length > 0 && files.length < MAX_FOUND_FILES && directoryCount < MAX_DIRECTORIES) {
    const batch = pending.slice(0, CONCURRENCY)
    directoryCount += batch.length
    const listings = await Promise.all(batch.map((one) => listBelow(objects, one, run)))
    for (const one of listings) files.push(...one.files.filter(({ key }) => filter.file(key)))
    const next = listings.flatMap((one) => one.directories.filter(({ path }) => !filter.excludesDirectory(path)))
    pending = [...pending.slice(CONCURRENCY), ...next]
  }
  return { files: files.slice(0, MAX_FOUND_FILES), isCut: pending.length > 0 || files.length > MAX_FOUND_FILES }
}

async function listBelow(objects: Objects, { path, rules }: PendingDirectory, { signal }: Run) {
  const prefix = path === '' ? '' : `${path}/`
  const files: ObjectInfo[] = []
  const prefixes: string[] = []
  for await (const page of listPages(objects, { prefix, delimiter: '/', signal })) {
    files.push(...page.objects.filter(({ key }) => !key.endsWith('/')))
    prefixes.push(...page.prefixes)
    if (files.length > MAX_FOUND_FILES) break
  }
  const hasRules = files.some(({ key }) => key === `${prefix}.gitignore`)
  const rulesHere = hasRules ? [...rules, await readRulesAt(objects, path, signal)] : rules
  const directories = prefixes.map((one) => ({ path: one.replace(/\/$/, ''), rules: rulesHere }))
  return {
    files: files.filter(({ key }) => !isIgnored(key, false, rulesHere)),
    directories: directories.filter((one) => !isIgnored(one.path, true, rulesHere)),
  }
}

export async function diskFiles({ root, directory }: ProjectFiles, { isKnown, signal }: DiskSearch) {
  const objects = openDirectory(root)
  const { files, isCut } = await filesBelow(objects, relativeTo(root, directory) ?? '', { ...SILENT, signal })
  const searched = files
    .filter(({ key }) => !isKnown(`${root}/${key}`))
    .map(({ key, size }) => {
      const file = { uri: fileUri(`${root}/${key}`), stream: () => objects.stream(key, { signal }) }
      return { path: key, size, open: async () => file }
    })
  return { files: searched, isCut }
}
