/** A person's own judged queries: what is looked for, and the documents that are right. */

import { isMap, isSeq, parseDocument } from 'yaml'
import { ContextError } from '../../core/errors.ts'
import { countNoun } from '../../text/counts.ts'
import { lineAt, lineStarts } from '../../text/lines.ts'

/** A document that is right, and how much so: above 0. */
export interface JudgedPath {
  readonly path: string
  readonly grade: number
}

export interface JudgedQuery {
  /** Where it begins in the file, from 1. */
  readonly line: number
  readonly query: string
  readonly paths: readonly JudgedPath[]
  /** Where it is looked for; absent: in all that are not paused. */
  readonly collections?: readonly string[]
}

/** A value of the file, and the line that it begins on. */
interface FileEntry {
  readonly line: number
  readonly value: unknown
}

const FIELDS = ['id', 'query', 'paths', 'grades', 'collections']
const HINT =
  'A line is {"query": "…", "paths": ["COLLECTION/PATH"]}, with "grades" and "collections" if you like; YAML is a list of such.'

/** Aliases of YAML that are followed: none has to be. */
const MOST_ALIASES = 100

/**
 * Reads JSONL, a query a line, or YAML, a list of queries, by itself or as `queries`.
 *
 * @throws ContextError `invalid-input` that names the line and what is wrong with it.
 */
export function readJudgedQueries(text: string): JudgedQuery[] {
  const body = text.replace(/^\uFEFF/, '')
  const entries = body.trimStart().startsWith('{') ? jsonEntries(body) : yamlEntries(body)
  if (entries.length === 0) throw invalidJudgement('There is no query in the file.')
  return entries.map(readEntry)
}

function jsonEntries(text: string): FileEntry[] {
  return text.split(/\r?\n/).flatMap((written, at) => {
    if (written.trim() === '') return []
    try {
      return [{ line: at + 1, value: JSON.parse(written) }]
    } catch (cause) {
      throw invalidJudgement(`Line ${at + 1} is not JSON.`, cause)
    }
  })
}

function yamlEntries(text: string): FileEntry[] {
  const document = parseDocument(text, { prettyErrors: false })
  const starts = lineStarts(text)
  const [error] = document.errors
  if (error) throw invalidJudgement(`Line ${lineAt(starts, error.pos[0]) + 1} is not YAML.`, error)
  const { contents } = document
  const list = isMap(contents) ? contents.get('queries', true) : contents
  if (list === null || list === undefined) return []
  if (!isSeq(list)) throw invalidJudgement('The file is neither lines of JSON nor a list in YAML.')
  const values = toValues(document)
  const all: unknown = isMap(contents) ? Object(values).queries : values
  return list.items.map((item, at) => {
    const range: unknown = Reflect.get(Object(item), 'range')
    const start: unknown = Array.isArray(range) ? range[0] : 0
    return { line: lineAt(starts, Number(start)) + 1, value: Array.isArray(all) ? all[at] : undefined }
  })
}

function toValues(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (cause) {
    throw invalidJudgement(`The file has more than ${MOST_ALIASES} aliases.`, cause)
  }
}

function readEntry({ line, value }: FileEntry): JudgedQuery {
  const problem = entryProblem(value)
  if (problem !== undefined) throw invalidJudgement(`Line ${line}: ${problem}`)
  const { query, paths, grades, collections } = Object(value)
  const names: string[] = Array.isArray(paths) ? paths : Object.keys(paths)
  const all: unknown[] = Array.isArray(paths) ? (grades ?? []) : Object.values(paths)
  const judged = names.map((path, at) => ({ path, grade: Number(all[at] ?? 1) })).filter(({ grade }) => grade > 0)
  return { line, query, paths: judged, ...(collections && { collections }) }
}

/** What is wrong with an entry: a sentence. */
function entryProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is not an object with "query".'
  const stranger = Object.keys(value).find((name) => !FIELDS.includes(name))
  if (stranger !== undefined)
    return `${JSON.stringify(stranger.slice(0, 100))} is not a field; there are ${FIELDS.join(', ')}.`
  const { query, paths, grades, collections } = Object(value)
  if (query === undefined) return '"query" is missing.'
  if (typeof query !== 'string' || query.trim() === '') return '"query" must be a text that is not empty.'
  if (paths === undefined) return '"paths" is missing: the documents that are right.'
  if (collections !== undefined && !isTexts(collections)) return '"collections" must be a list of names.'
  return pathsProblem(paths, grades)
}

function pathsProblem(paths: unknown, grades: unknown): string | undefined {
  const isMapped = typeof paths === 'object' && paths !== null && !Array.isArray(paths)
  if (!isMapped && !isTexts(paths)) return '"paths" must be a list of paths, or paths with their grades.'
  const names = isMapped ? Object.keys(paths) : paths
  if (isMapped && grades !== undefined) return 'grades stand in "paths" already, and cannot be in "grades", too.'
  const all = isMapped ? Object.values(paths) : (grades ?? names.map(() => 1))
  const areGrades = Array.isArray(all) && all.every((grade) => Number.isFinite(grade) && grade >= 0)
  if (!areGrades) return 'grades must be numbers from 0 on, one for each path.'
  if (all.length !== names.length)
    return `it has ${countNoun(names.length, 'path')} and ${countNoun(all.length, 'grade')}.`
  return all.some((grade) => grade > 0) ? undefined : '"paths" names no document that is right.'
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')
}

function invalidJudgement(message: string, cause?: unknown): ContextError {
  return new ContextError('invalid-input', message, { hint: HINT, cause })
}
