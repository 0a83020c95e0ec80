import type { Answer } from '../../api/call.ts'
import { decodePart } from '../../api/place.ts'
import { countOf } from '../../ui/format.ts'
import type { Kind } from '../../ui/kinds.ts'
import { shownLines } from './shown-lines.ts'

export type LoadAnswer = Answer<'load'>
type LedgerRow = LoadAnswer['ledger'][number]
export type Decision = LedgerRow['decision']

/** The decision about one file, with the values that the page shows. */
export interface Row {
  readonly id: string
  /** The path of the file relative to the root, or the title of the row. */
  readonly name: string
  readonly kind: Kind
  readonly decision: Decision
  /** Whether the file is missing. */
  readonly isMissing: boolean
  /** Whether the file exists, but could not be read. */
  readonly isUnreadable: boolean
  /** `before`: tokens of the whole file. `after`: tokens of its shown part. */
  readonly before: number
  readonly after: number
  /** The reason, in words. */
  readonly reason: string
  /** The whole text of the file, if the answer has it. */
  readonly content: string | undefined
  readonly shown: string | undefined
}

const REASONS: Readonly<Record<NonNullable<LedgerRow['why']>, string>> = {
  missing: 'does not exist',
  empty: 'empty',
  binary: 'not a text file',
  unreadable: 'cannot be read',
  denied: 'access denied',
  untrusted: 'not trusted',
  excluded: 'excluded',
  shadowed: 'another file replaces it',
  duplicate: 'duplicate of another file',
  irrelevant: 'does not apply here',
  failed: 'could not be loaded',
  'over-limit': 'over a limit',
  'over-budget': 'no room in the budget',
}

/** The rows of an answer, in the order of importance. */
export function rowsOf(answer: LoadAnswer): Row[] {
  const records = recordsOf(answer)
  const fragments = new Map((answer.fragments ?? []).map((fragment) => [fragment.uri, fragment]))
  return answer.ledger.map((row, at) => {
    const path = pathOf(row.uri)
    const { content, reason: given } = records.get(path) ?? records.get(row.title) ?? {}
    const fragment = fragments.get(row.uri)
    const kind = kindOf(row)
    const rule = ruleOf(row, { path, kind, given, answer })
    return {
      id: `${row.uri} ${at}`,
      name: kind === 'path' ? row.title : nameOf(path, row, answer),
      kind,
      decision: row.decision,
      isMissing: row.decision === 'left' && row.why === 'missing',
      isUnreadable: row.decision === 'left' && UNREADABLE.has(row.why ?? 'missing'),
      before: row.tokensBefore,
      after: row.tokensAfter,
      reason: reasonOf(row, { isPinned: fragment?.isPinned === true, rule, content, shown: fragment?.text }),
      content,
      shown: fragment?.text,
    }
  })
}

/** Reasons of files that exist but were not read. */
const UNREADABLE: ReadonlySet<string> = new Set(['unreadable', 'denied', 'failed', 'untrusted'])

interface RuleFacts {
  readonly path: string
  readonly kind: Kind
  /** The reason that the answer gives for the file. */
  readonly given: string | undefined
  readonly answer: LoadAnswer
}

/** Why a row applies: its level above the place, its rank in the context directory, or the touched path. */
function ruleOf(row: LedgerRow, { path, kind, given, answer }: RuleFacts): string {
  if (kind === 'directory') {
    const ranked = answer.ledger.filter((other) => kindOf(other) === 'directory' && other.why !== 'missing')
    const rank = ranked.indexOf(row) + 1
    return rank === 0 ? DEFAULT_REASONS[kind] : `Context directory, ${rank} of ${ranked.length} by priority`
  }
  return given === 'the working directory' ? levelOf(path, answer) : (given ?? DEFAULT_REASONS[kind])
}

/** Says where the directory of an instruction file is, relative to the place. */
function levelOf(path: string, { place, root }: LoadAnswer): string {
  const directory = path.slice(0, path.lastIndexOf('/'))
  const above =
    directory === place || !place.startsWith(`${directory}/`) ? 0 : place.slice(directory.length).split('/').length - 1
  if (above === 0) return directory === root ? 'In the place itself, the project root' : 'In the place itself'
  const level = `${countOf(above, 'level')} above the place`
  return directory === root ? `${level}, at the project root` : level
}

/** Reasons of rows that have no reason in the answer. */
const DEFAULT_REASONS: Readonly<Record<Kind, string>> = {
  instruction: '',
  directory: 'In the context directory',
  path: 'Description of this place',
  package: 'Description of the package',
  digest: 'From the files of the research session',
  code: 'Relevant to the task',
}

/** Content and reason of a file, from the answer. */
interface FileRecord {
  readonly content?: string
  readonly reason?: string
}

/** The files of the answer, by path; in a bucket or a package, by title. */
function recordsOf({ contexts, files, ledger }: LoadAnswer): ReadonlyMap<string, FileRecord> {
  const records = new Map<string, FileRecord>(files.map((file) => [file.path, file]))
  for (const context of contexts) {
    const isNamed = (title: string) =>
      context.scope === 'package' ? title.endsWith(`: ${context.path}`) : title === context.path
    const isOnDisk = context.scope !== 'bucket' && context.scope !== 'package'
    const key = isOnDisk ? context.path : ledger.find(({ title }) => isNamed(title))?.title
    if (key !== undefined) records.set(key, context)
  }
  return records
}

/** The decoded path of a `file:` URI; any other URI decoded as a whole. */
function pathOf(uri: string): string {
  return decodePart(uri.replace(/^file:\/\/(?=\/)/, ''))
}

function nameOf(path: string, { title }: LedgerRow, { root }: LoadAnswer): string {
  const base = pathOf(root).replace(/\/?$/, '/')
  return path.startsWith(base) && !/[#&@]/.test(path.slice(base.length)) ? path.slice(base.length) : title
}

function kindOf({ kind, scope }: LedgerRow): Kind {
  if (kind === 'code' || kind === 'path-context') return kind === 'code' ? 'code' : 'path'
  if (scope === 'context-dir') return 'directory'
  return scope === 'package' ? 'package' : 'instruction'
}

function reasonOf(row: LedgerRow, facts: RowFacts): string {
  const { decision, why, detail } = row
  const note = detail === undefined ? '' : sentence(detail)
  const because = why === undefined ? '' : REASONS[why]
  if (decision === 'left' && why !== undefined && UNREADABLE.has(why)) return [sentence(because), note].join(' ').trim()
  if (decision === 'left') return note || sentence(because)
  if (decision === 'kept')
    return [facts.isPinned ? 'Pinned: never cut.' : '', sentence(facts.rule), note].filter(Boolean).join(' ')
  const how = why === 'over-budget' || because === '' ? 'no room in the budget' : because
  const cut = decision === 'outline' ? 'Only its headings' : `Cut: ${cutIn(row, facts)}`
  const becauseOf = `${cut}: ${how}.`.replace(/^Cut: (.*): no room in the budget\.$/, 'Cut for the budget: $1.')
  return [sentence(facts.rule), becauseOf, note].filter(Boolean).join(' ')
}

/** Facts about a row from other parts of the answer. */
interface RowFacts {
  readonly isPinned: boolean
  /** Why the file applies. */
  readonly rule: string
  readonly content: string | undefined
  readonly shown: string | undefined
}

/** Names the cut parts: done tasks and sections, or a number of tokens. */
function cutIn({ tokensBefore, tokensAfter }: LedgerRow, { content, shown }: RowFacts): string {
  const lines = content === undefined || shown === undefined ? [] : shownLines(content, shown)
  const cut = lines.filter(({ is }) => is === 'cut').map(({ text }) => text)
  const doneTasks = cut.filter((text) => /^\s*[-*+] \[[xX]\]/.test(text)).length
  const sections = cut.filter((text) => /^#{1,6} /.test(text)).length
  const parts = [doneTasks > 0 && countOf(doneTasks, 'done task'), sections > 0 && countOf(sections, 'section')]
  return parts.filter(Boolean).join(' and ') || countOf(tokensBefore - tokensAfter, 'token')
}

function sentence(text: string): string {
  if (text === '') return ''
  const capitalized = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(capitalized) ? capitalized : `${capitalized}.`
}
