/** Answers about sessions, as schemas, of which their types come. Names with underscores are those of the research spec. */

import {
  array,
  count,
  flag,
  number,
  object,
  oneOf,
  opaque,
  orNull,
  recordOf,
  text,
  textOrNull,
  word,
} from '../core/answer.ts'
import type { EvidenceKind } from './run/evidence.ts'

export const session = {
  is: 'text',
  required: true,
  placeholder: 'ID',
  names: 'sessions',
  description: 'the beginning of the id of a session; "last" is the newest',
} as const

const sessionLineSchema = {
  session_id: text,
  question: text,
  status: oneOf<string>(
    'created',
    'queued',
    'running',
    'planned',
    'paused',
    'completed',
    'stopped',
    'failed',
    'quarantined',
  ),
  follows: textOrNull,
  created_at: text,
  updated_at: text,
}

export const sessionLine = () => object(sessionLineSchema)

export const sessionList = () => object({ sessions: array(sessionLine()) })

const digestItemSchema = () => object({ id: text, kind: text, text, sources: array(text), 'why_relevant?': text })

const slice = () =>
  orNull(
    object({
      node_id: text,
      selection_reason: text,
      'selected_items?': array(digestItemSchema()),
      selected_items_count: count,
      coverage_note: text,
      dropped_items_count: count,
      mode: oneOf('root', 'routed', 'fallback', 'passthrough', 'none'),
    }),
  )

const node = () =>
  object({
    id: text,
    parent: textOrNull,
    question: text,
    depth: count,
    status: text,
    answered: oneOf('yes', 'part', 'no'),
    parts: array(object({ text, answered: oneOf('yes', 'part', 'no') })),
    pinned: flag,
    evidence: array(text),
    queries: array(text),
    findings: array(object({ text, ref: text, kind: text, 'is_row?': flag, 'sql?': text, 'groups?': groups() })),
    gaps: array(text),
    reasoning: text,
    slice: slice(),
    orphans: array(text),
  })

const spentSchema = () =>
  object({
    calls: count,
    input: count,
    output: count,
    'cost?': number,
    'searches?': count,
    'pages?': count,
  })

const quotes = () => object({ proven: count, unproven: array(object({ quote: text, 'ref?': text })) })

/** Names, with a number each. */
const groups = () => array(object({ name: text, value: number }))

const reportFields = () => ({
  session_id: text,
  question: text,
  grade: oneOf('full', 'partial', 'none'),
  is_partial: flag,
  markdown: text,
  branches: array(
    object({ id: text, question: text, status: text, evidence: array(word<EvidenceKind>()), gaps: array(text) }),
  ),
  conflicts: array(object({ text, refs: array(text) })),
  gaps: array(text),
  'parts?': array(object({ text, answered: oneOf('answered', 'part', 'absent', 'open') })),
  quotes: quotes(),
  'charts?': array(object({ title: text, ref: text, rows: groups() })),
  claims: array(
    object({
      text,
      start: count,
      end: count,
      citations: array(text),
      verdict: oneOf('supported', 'partly', 'unsupported', 'unchecked', 'uncited'),
      'why?': text,
    }),
  ),
  unknown_refs: array(text),
  stages: recordOf(array(text)),
  spent: spentSchema(),
})

const span = () => object({ start: count, end: count })

const source = () =>
  object({
    ref: text,
    kind: word<EvidenceKind>(),
    title: text,
    'author?': text,
    'file?': text,
    'page?': count,
    'lines?': span(),
    'offsets?': span(),
    'headings?': array(text),
    'dates?': array(object({ what: oneOf('published', 'modified'), day: text, where: text })),
    text,
  })

export const reportSchema = () => object({ ...reportFields(), sources: array(source()) })

export const file = () =>
  object({
    id: text,
    name: text,
    alias: text,
    size: count,
    type: text,
    sha256: text,
    status: oneOf('uploaded', 'ready', 'error'),
    'reason?': text,
    'items_count?': count,
    'rejected_count?': count,
  })

export const sessionAnswerSchema = () =>
  object({
    ...sessionLineSchema,
    revision: count,
    seq: count,
    settings: opaque<unknown>(),
    context_processing: object({ status: text, files_total: count, files_ready: count, files_error: count }),
    files: array(file()),
    nodes: array(node()),
    spent: spentSchema(),
    'brief?': object({ parts: array(text), reader: text, form: text, missing: array(text) }),
    failure: orNull(object({ code: text, message: text, 'hint?': text })),
    ui_debug: flag,
    report: orNull(object(reportFields())),
  })
