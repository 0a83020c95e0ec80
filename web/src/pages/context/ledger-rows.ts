import type { Answer } from '../../api/call.ts'
import { counted } from '../../ui/format.ts'
import type { Kind } from '../../ui/kinds.ts'
import { shownLines } from './shown-lines.ts'

export type Loaded = Answer<'load'>
type LedgerRow = Loaded['ledger'][number]
export type Decision = LedgerRow['decision']

/** What became of one file, and all that the page shows of it. */
export interface Row {
  readonly id: string
  /** Its path as seen from the root, or what it is called. */
  readonly name: string
  readonly title: string
  readonly kind: Kind
  readonly decision: Decision
  readonly isPinned: boolean
  /** Tokens of all of it, and of what is shown. */
  readonly before: number
  readonly after: number
  /** Why it is so, in words. */
  readonly reason: string
  /** The whole file, where the answer has it. */
  readonly content: string | undefined
  readonly shown: string | undefined
}

const WHYS: Readonly<Record<NonNullable<LedgerRow['why']>, string>> = {
  missing: 'not there',
  empty: 'empty',
  binary: 'no text',
  unreadable: 'cannot be read',
  denied: 'may not be read',
  untrusted: 'not trusted',
  excluded: 'excluded',
  shadowed: 'another file stands for it',
  duplicate: 'the same again',
  irrelevant: 'does not apply here',
  failed: 'could not be had',
  'over-limit': 'over a limit',
  'over-budget': 'no room in the budget',
}

/** The rows of an answer, in the order of importance. */
export function rowsOf(answer: Loaded): Row[] {
  const contexts = new Map(answer.contexts.map((context) => [context.path, context]))
  const files = new Map(answer.files.map((file) => [file.path, file]))
  const fragments = new Map((answer.fragments ?? []).map((fragment) => [fragment.uri, fragment]))
  return answer.ledger.map((row, at) => {
    const path = pathOf(row.uri)
    const context = contexts.get(path)
    const fragment = fragments.get(row.uri)
    const known = {
      isPinned: fragment?.isPinned === true,
      reason: context?.reason ?? 'In the context directory',
      content: context?.content ?? files.get(path)?.content,
      shown: fragment?.text,
      missing: row.tokensBefore - row.tokensAfter,
    }
    return {
      id: `${row.uri} ${at}`,
      name: nameOf(path, row, answer),
      title: row.title,
      kind: kindOf(path, context?.scope, answer),
      decision: row.decision,
      isPinned: known.isPinned,
      before: row.tokensBefore,
      after: row.tokensAfter,
      reason: reasonOf(row, known),
      content: known.content,
      shown: known.shown,
    }
  })
}

/** Of a file its path; anything else stays as it is. */
function pathOf(uri: string): string {
  if (!uri.startsWith('file:///')) return uri
  try {
    return decodeURIComponent(uri.slice('file://'.length))
  } catch {
    return uri
  }
}

function nameOf(path: string, { uri, title }: LedgerRow, { root }: Loaded): string {
  const base = root.endsWith('/') ? root : `${root}/`
  if (path.startsWith(base)) return path.slice(base.length)
  const [, rest] = /^ambit:\/\/[^/]+\/(.+)$/.exec(uri) ?? []
  return rest === undefined ? title : path
}

function kindOf(path: string, scope: string | undefined, { contextDir }: Loaded): Kind {
  if (contextDir && path.startsWith(`${contextDir.path}/`)) return 'directory'
  if (scope === 'package' || /^quilt\+s3:|[#&]package=/.test(path)) return 'package'
  return /#context|^ambit:\/\/.*\?context/.test(path) ? 'path' : 'instruction'
}

function reasonOf({ decision, why, detail }: LedgerRow, known: Known): string {
  const told = detail === undefined ? '' : sentence(detail)
  const because = why === undefined ? '' : WHYS[why]
  if (decision === 'left') return told || sentence(because)
  if (decision === 'kept')
    return [known.isPinned ? 'Pinned: never cut.' : sentence(known.reason), told].join(' ').trim()
  const how = why === 'over-budget' || because === '' ? 'no room in the budget' : because
  const cut = decision === 'outline' ? 'Only its headings' : `Cut: ${cutIn(known)}`
  return [`${cut}: ${how}.`.replace(/^Cut: (.*): no room in the budget\.$/, 'Cut for the budget: $1.'), told]
    .join(' ')
    .trim()
}

/** What is known of a row from other parts of the answer. */
interface Known {
  readonly isPinned: boolean
  /** Why the file applies. */
  readonly reason: string
  readonly content: string | undefined
  readonly shown: string | undefined
  readonly missing: number
}

/** What was cut, by what it was where that can be told: done tasks, sections, else tokens. */
function cutIn({ content, shown, missing }: Known): string {
  const lines = content === undefined || shown === undefined ? [] : shownLines(content, shown)
  const cut = lines.filter(({ is }) => is === 'cut').map(({ text }) => text)
  const done = cut.filter((text) => /^\s*[-*+] \[[xX]\]/.test(text)).length
  const sections = cut.filter((text) => /^#{1,6} /.test(text)).length
  const parts = [
    ...(done > 0 ? [counted(done, 'done task')] : []),
    ...(sections > 0 ? [counted(sections, 'section')] : []),
  ]
  return parts.length === 0 ? counted(missing, 'token') : parts.join(' and ')
}

function sentence(text: string): string {
  if (text === '') return ''
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
