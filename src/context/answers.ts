/** Schemas and types of the answers about a place. The names of the fields are part of the product's contract. */

import {
  type AnswerOf,
  array,
  count,
  flag,
  number,
  object,
  oneOf,
  opaque,
  recordOf,
  type SchemaOf,
  text,
  trueOrAbsent,
  withDescription,
  word,
} from '../core/answer.ts'
import { accountFields, decisionRow, ledgerRow, warnings } from '../core/ledger.ts'

const listItem = () =>
  object({
    title: text,
    fields: recordOf(text),
    tags: array(text),
    'status?': oneOf('todo', 'done', 'blocked'),
    children: array(text),
  })

const structure = () =>
  object({
    title: text,
    sections: array(object({ title: text, items: array(listItem()), content: text, prose: text })),
    metadata: recordOf(text),
  })

/** A file of the context directory. `content` and `parsed` (its structure): only with `full`. */
const loadedFile = () => object({ name: text, path: text, 'content?': text, tokenCount: count, 'parsed?': structure() })
export type LoadedFile = AnswerOf<typeof loadedFile>

const timestamp: SchemaOf<Date | string> = withDescription(text, 'ISO 8601, UTC')
const appliedFile = () =>
  object({
    path: text,
    content: text,
    lastModified: timestamp,
    scope: oneOf('project', 'nested', 'home', 'bucket', 'package'),
    reason: text,
  })

/** The shown text of a file. `isPinned`: no budget cuts the file. */
const shownFragment = () => object({ uri: text, text, 'isPinned?': trueOrAbsent })
export type ShownFragment = AnswerOf<typeof shownFragment>

/** Identifies a shown text in a later request. `digest`: 16 hexadecimal digits, by the uri and the uncut text. */
const sentFragment = () => object({ uri: text, digest: text })
export type SentFragment = AnswerOf<typeof sentFragment>

const { contextDir, ...account } = accountFields

const placeFields = {
  /** Absolute path of the directory, or the uri of a place that is not on disk. */
  place: text,
  /** Absolute path of the project's root, or the uri of the bucket. */
  root: text,
  /** A sentence that names the chosen place, if two places have this name. */
  'choice?': text,
  contextDir,
}

/** The touched paths that do not exist, as given. The answer treats them as new files. Absent if all paths exist. */
const missingTouched = { 'missingTouched?': array(text) } as const

/** The context of a place. */
export const loadAnswer = () =>
  object({
    ...placeFields,
    files: array(loadedFile()),
    /** The instruction files, or the files of a bucket, the most specific first. */
    contexts: array(appliedFile()),
    /** The shown part of each file, the most important first; only with `full`. */
    'fragments?': array(shownFragment()),
    /** The context directory's Markdown, after the budget. */
    summary: text,
    /** The whole context, in the requested format. */
    text,
    ...account,
    ...missingTouched,
    /** Digests of the shown texts, for `known` in a later request. */
    sent: array(sentFragment()),
  })
export type LoadAnswer = AnswerOf<typeof loadAnswer>

/** The reason why a file is loaded or not. */
const whyNot = () =>
  object({
    /** Absolute path of the file. */
    path: text,
    answer: text,
    /** Whether the file exists; absent for places that are not on disk. */
    'isThere?': flag,
    /** The rows of the file in the ledger; empty for a file that was not considered. */
    rows: array(ledgerRow()),
  })
export type WhyNot = AnswerOf<typeof whyNot>

/** The decision about each file that was considered at a place. */
export const explainAnswer = () => object({ ...placeFields, ...account, ...missingTouched, 'whyNot?': whyNot() })
export type ExplainAnswer = AnswerOf<typeof explainAnswer>

/** The rules of `check`: default severity and description. */
export const RULES = {
  'stale-path': { severity: 'warning', text: 'A context file cites a path that does not exist.' },
  'stale-command': { severity: 'warning', text: 'A context file cites a command that cannot run.' },
  'stale-anchor': { severity: 'warning', text: 'A context file links to a heading that does not exist.' },
  'missing-required': { severity: 'error', text: 'The context directory lacks a required file.' },
  'over-budget': { severity: 'warning', text: 'A context file alone takes more than the budget.' },
  'hidden-unicode': { severity: 'error', text: 'A context file holds characters that a person does not see.' },
  'html-comment': {
    severity: 'note',
    text: 'A context file holds HTML comments, which a rendered page does not show.',
  },
  unreadable: { severity: 'error', text: 'A context file cannot be read.' },
  'invalid-utf8': { severity: 'warning', text: 'A context file is not valid UTF-8.' },
  'file-name': { severity: 'warning', text: 'The case of a file name keeps tools from reading an instruction file.' },
  'not-imported': { severity: 'warning', text: 'An instruction file names another one without importing it.' },
  'over-limit': { severity: 'warning', text: 'Instruction files take more than a tool reads.' },
  'unused-rule': { severity: 'warning', text: 'The patterns of a rule match no file.' },
  'contradicting-commands': {
    severity: 'warning',
    text: 'Two instruction files of a package run one script by different package managers.',
  },
} as const

/** A problem of a context file. */
const checkFinding = () =>
  object({
    rule: word<keyof typeof RULES>(),
    /** `error`: an agent reads less than the author meant, or something else. `note`: the author may have intended it. */
    severity: oneOf('error', 'warning', 'note'),
    /**
     * Kind of a reference to a missing thing. `dead`: the text assumes that the thing exists. `moved`: the thing has
     * another name now, or the text is about the past. `planned`: the thing does not exist yet. `example`: the thing is
     * only an example. All kinds except `dead` are notes.
     */
    'kind?': oneOf('dead', 'moved', 'planned', 'example'),
    /** Absolute. */
    path: text,
    /** From 1; absent if the finding is about the whole file. */
    'line?': count,
    /** One sentence that names the problem and the values. */
    message: text,
    'hint?': text,
  })
export type CheckFinding = AnswerOf<typeof checkFinding>

/** `sarif`: the findings as a log for code scanning, on request. */
export const checkAnswer = () =>
  object({
    place: text,
    root: text,
    /** Number of checked files. */
    checked: count,
    /** Sorted by path, then by line. */
    findings: array(checkFinding()),
    'sarif?': opaque<object>(),
  })
export type CheckAnswer = AnswerOf<typeof checkAnswer>

const diffFile = () =>
  object({
    /** Relative to the root, or with `~/`. */
    title: text,
    uri: text,
    /** The decision of each profile, by its name; absent for a profile that does not look for the file. */
    seen: recordOf(decisionRow()),
    /** Whether all profiles show the same part of the file. */
    same: flag,
  })
export type DiffFile = AnswerOf<typeof diffFile>

/** A rule file that a tool does not get completely. `reason`: what the tool does. `mend`: a command or edit as fix. */
const missingRule = () => object({ title: text, uri: text, reason: text, mend: text })

/** Whether one tool gets every rule. `hook`: whether the hook of Ambit is set up for the tool. */
const agentVerdict = () => object({ agent: text, hook: flag, missing: array(missingRule()) })
export type AgentVerdict = AnswerOf<typeof agentVerdict>

/** The files of a tree that each tool loads. */
export const diffAnswer = () =>
  object({
    place: text,
    agents: array(agentVerdict()),
    profiles: array(object({ name: text, files: count, tokens: count })),
    /** Every file that at least one of the tools considers, by name. */
    files: array(diffFile()),
    /** Tools that are not compared, because no file shows their use. Absent if the request names the tools. */
    'unusedTools?': array(text),
    ...missingTouched,
  })
export type DiffAnswer = AnswerOf<typeof diffAnswer>

/** Ambit cannot change the file: a person must edit it, as the note says. */
const needsEdit = trueOrAbsent

/** A file that `init` considered. */
const initFile = () =>
  object({
    /** Absolute. */
    path: text,
    /** The whole file after the change, `''` if it is removed. For a file that `exists`: the text that Ambit would have written. */
    content: text,
    /** The file before the change. */
    'before?': text,
    /** `exists`: the file is unchanged. `removed`: the entries of Ambit were removed. `absent`: there was nothing to remove. */
    state: oneOf('written', 'would-write', 'exists', 'merged', 'would-merge', 'removed', 'would-remove', 'absent'),
    'note?': text,
    'needsEdit?': needsEdit,
  })
export type InitFile = AnswerOf<typeof initFile>

/** Files that were written, or would be. */
export const initAnswer = () => object({ place: text, root: text, files: array(initFile()) })
export type InitAnswer = AnswerOf<typeof initAnswer>

/** A file that `sync` considered. `name`: from the root. `kept`: a person wrote or changed the file. */
const syncedFile = () =>
  object({
    name: text,
    state: oneOf('write', 'update', 'remove', 'current', 'kept'),
    before: text,
    after: text,
    'note?': text,
    'needsEdit?': needsEdit,
  })
export type SyncedFile = AnswerOf<typeof syncedFile>

export const syncAnswer = () =>
  object({
    /** Absolute. */
    place: text,
    /** Absolute path of the project's root. */
    root: text,
    agents: array(text),
    files: array(syncedFile()),
    /** Tools that get only a part of the rules. */
    notes: array(text),
    /** Whether a file must be written or removed. */
    isOutdated: flag,
    isPreview: flag,
  })
export type SyncAnswer = Omit<AnswerOf<typeof syncAnswer>, 'isPreview'>

/** Lines of a file: first and last line, from 1. `name` and `kind`: those of the definition in the lines. */
const shownRange = () =>
  object({ start: count, end: count, 'name?': text, 'kind?': text, shown: oneOf('body', 'signature', 'name') })
export type ShownRange = AnswerOf<typeof shownRange>

/** A file that fits a task. `score`: the best file has 1. */
const taskFile = () =>
  object({
    path: withDescription(text, 'relative to the root'),
    score: withDescription(number, '0 to 1'),
    why: text,
    /** The shown lines, sorted; empty if no line is shown. */
    ranges: array(shownRange()),
  })
export type TaskFile = AnswerOf<typeof taskFile>

/** Files and lines to read for a task. */
export const taskAnswer = () =>
  object({
    place: text,
    root: text,
    task: text,
    budget: count,
    tokenCount: count,
    /** The 20 most relevant files, shown or not. */
    files: array(taskFile()),
    /** Up to five tests that fit the task best and are not shown, the best first, each with a short reason. */
    tests: array(object({ path: text, why: text })),
    text,
    ledger: array(ledgerRow()),
    warnings,
    /** Number of indexed files, number of files that this call read, and milliseconds of the update of the index. */
    index: object({ files: count, changed: count, ms: count }),
  })
export type TaskAnswer = AnswerOf<typeof taskAnswer>
