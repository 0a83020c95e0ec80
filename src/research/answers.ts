/** Answers of research. Names with underscores are names of the research spec, the same on every surface. */

import {
  type AnswerOf,
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
import { REPORT_FORMATS, type RunSettings, SEARCH_PROVIDERS } from './settings.ts'

/** `context`: the files of the session. `earlier`: the session that this session follows. */
export type EvidenceKind = 'context' | 'collections' | 'web' | 'earlier'

export const ITEM_KINDS = [
  'fact',
  'uncertainty',
  'analysis',
  'constraint',
  'case',
  'definition',
  'lead',
  'conflict',
] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** `planned`: the first questions are ready, and a person may change them. */
const OPEN_STATUSES = ['created', 'queued', 'running', 'planned', 'paused'] as const
const STATUSES = [...OPEN_STATUSES, 'completed', 'stopped', 'failed', 'quarantined'] as const
export type RunStatus = (typeof STATUSES)[number]

const sessionLine = {
  session_id: text,
  question: text,
  status: oneOf<string>(...STATUSES),
  follows: textOrNull,
  created_at: text,
  updated_at: text,
}

const sessionLineAnswer = () => object(sessionLine)
export type SessionLine = AnswerOf<typeof sessionLineAnswer>

export const sessionListAnswer = () =>
  object({
    sessions: array(sessionLineAnswer()),
    /** Names of the web search providers that a session can use. */
    search_providers: array(oneOf(...SEARCH_PROVIDERS)),
  })
export type SessionList = AnswerOf<typeof sessionListAnswer>

const answered = oneOf('yes', 'part', 'no')

/** A slice: the items of the files that a node (a question of the tree) works with. */
const slice = () =>
  object({
    node_id: text,
    selection_reason: text,
    /** Absent if the administrator hides the items of slices. */
    'selected_items?': array(
      object({
        id: text,
        kind: word<ItemKind>(),
        text,
        /** The words of the file that support the item, if they differ from its text. */
        'quote?': text,
        /** `alias::S3`: spans of files. */
        sources: array(text),
        'why_relevant?': text,
      }),
    ),
    selected_items_count: count,
    coverage_note: text,
    dropped_items_count: count,
    mode: oneOf('root', 'routed', 'fallback', 'passthrough', 'none'),
  })
export type ShownSlice = AnswerOf<typeof slice>

const node = () =>
  object({
    id: text,
    parent: textOrNull,
    question: text,
    depth: count,
    status: text,
    /** `yes`: each part of the question is answered. `no`: no part is answered, not even partly. */
    answered,
    parts: array(object({ text, answered })),
    pinned: flag,
    evidence: array(word<EvidenceKind>()),
    queries: array(text),
    findings: array(object({ text, ref: text, kind: word<EvidenceKind>(), 'is_row?': flag, 'sql?': text })),
    gaps: array(text),
    reasoning: text,
    slice: orNull(slice()),
    /** Ids of items in the node's slice that no child's slice has. */
    orphans: array(text),
  })
export type ShownNode = AnswerOf<typeof node>

/** Usage of models and of the web. `calls`: requests to models. `input`, `output`: tokens. */
const spent = object({
  calls: count,
  input: count,
  output: count,
  /** US dollars. Absent if no price is known. */
  'cost?': number,
  /** Web searches, and requested pages. */
  'searches?': count,
  'pages?': count,
})

const reportFields = {
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
  /**
   * The parts of the question. `absent`: the run searched for the part, and did not find it. `open`: the report does
   * not mention the part. `lacks`: a sentence about what a reader misses in the answer to the part.
   */
  'parts?': array(object({ text, answered: oneOf('answered', 'part', 'absent', 'open'), 'lacks?': text })),
  quotes: object({ proven: count, unproven: array(object({ quote: text, 'ref?': text })) }),
  claims: array(
    object({
      /** The statement without citations and marks. */
      text,
      /** Offsets in `markdown`, in UTF-16 units. */
      start: count,
      end: count,
      citations: array(text),
      verdict: oneOf('supported', 'partly', 'unsupported', 'unchecked', 'uncited'),
      'why?': text,
    }),
  ),
  unknown_refs: array(text),
  stages: recordOf(array(text)),
  spent,
}

const span = object({ start: count, end: count })

const source = () =>
  object({
    ref: text,
    kind: word<EvidenceKind>(),
    title: text,
    'author?': text,
    'file?': text,
    'page?': count,
    'lines?': span,
    /** UTF-16 offsets in the text of the file. */
    'offsets?': span,
    'headings?': array(text),
    'dates?': array(object({ what: oneOf('published', 'modified'), day: text, where: text })),
    text,
  })

/** A report in one format, with its sources. */
export const reportExportAnswer = () =>
  object({
    session_id: text,
    format: oneOf(...REPORT_FORMATS),
    /** Base64 if `encoding` is set. */
    text,
    'encoding?': oneOf('base64'),
    /** Number of this report, from 1, and number of reports of the session. */
    version: count,
    versions: count,
    report: object({ ...reportFields, sources: array(source()) }),
  })
export type ReportExport = AnswerOf<typeof reportExportAnswer>

export const sessionFileAnswer = () =>
  object({
    id: text,
    name: text,
    alias: text,
    /** Bytes. */
    size: count,
    type: text,
    sha256: text,
    status: oneOf('uploaded', 'ready', 'error'),
    'reason?': text,
    'items_count?': count,
    /** Items that a model invented; they are left out. */
    'rejected_count?': count,
  })
export type SessionFile = AnswerOf<typeof sessionFileAnswer>

export const sessionAnswer = () =>
  object({
    ...sessionLine,
    revision: count,
    /** The number of the last event. */
    seq: count,
    settings: opaque<RunSettings>(),
    context_processing: object({ status: text, files_total: count, files_ready: count, files_error: count }),
    files: array(sessionFileAnswer()),
    nodes: array(node()),
    spent,
    /** The brief: the parts of the question that need an answer, and what the report must say it did not find. */
    'brief?': object({ parts: array(text), reader: text, form: text, missing: array(text) }),
    failure: orNull(object({ code: text, message: text, 'hint?': text })),
    /** Whether slices are shown with their items. */
    ui_debug: flag,
    report: orNull(object(reportFields)),
  })
export type SessionAnswer = AnswerOf<typeof sessionAnswer>

export type ResearchReport = ReportExport['report']

/** A source of a report, with its address. */
export type ReportSource = ResearchReport['sources'][number]
