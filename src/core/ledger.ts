import { type AnswerOf, array, count, flag, number, object, oneOf, orNull, text, withDescription } from './answer.ts'
import { type Count, type Fragment, type Left, type Origin, type Selection, type Source, WHYS } from './flow.ts'

/** Fields of the decision about an item (a fragment, or a file that is left out). */
const verdict = { decision: oneOf('kept', 'truncated', 'outline', 'left'), 'why?': oneOf(...WHYS), 'detail?': text }

/** The decision about one item, without its uri and title. */
export const decisionRow = () => object({ ...verdict, tokensAfter: count })

/** A row of the ledger: the decision about one item that a source gathered. */
export const ledgerRow = () =>
  object({
    uri: text,
    title: text,
    /** The kind of the item: `context`, `context-file`, `path-context`, `package-info`, `code`, `passage` … */
    kind: text,
    /** The scope of the item: `project`, `nested`, `home`, `context-dir`, `bucket`, `package` … */
    scope: text,
    /** How well the item fits the task; 1 for the best item, absent without a ranking. */
    'score?': withDescription(number, '0 to 1'),
    ...verdict,
    /** The pass that cut the item or left it out; absent if the item is whole, or if its source cut it or left it out. */
    'pass?': text,
    /** Tokens of the whole text, including the part that was not read because of a limit; 0 if nothing was read. */
    tokensBefore: count,
    /** Tokens of the shown text, without its heading or element; 0 if the item is not shown. */
    tokensAfter: count,
  })
export type LedgerRow = AnswerOf<typeof ledgerRow>

export const warnings = array(object({ path: text, message: text }))

/** Fields of every answer about a place: the context directory, the budget, and the considered files. */
export const accountFields = {
  contextDir: orNull(object({ path: text, levels: count })),
  tokenCount: count,
  /** Null if nothing is cut to a budget. */
  budget: orNull(count),
  truncated: flag,
  overBudget: flag,
  /** Tokens of headings, tags and separators: `tokenCount` minus the `tokensAfter` of the ledger. */
  frameTokens: count,
  missing: array(text),
  missingRequired: array(text),
  warnings,
  ledger: array(ledgerRow()),
  digest: text,
}
/** The fields of an answer that account for its text: the ledger, the tokens, the budget, the warnings. */
export type AnswerAccount = AnswerOf<ReturnType<typeof object<typeof accountFields>>>

/** Whether a text was cut or left out by a budget, by a cap on all files together, or by the limit of one file. */
export function isTruncated(ledger: readonly LedgerRow[]): boolean {
  return ledger.some(({ decision, why, pass }) => decision === 'truncated' || why === 'over-budget' || pass === 'cap')
}

/** The selection after a stage. `name`: the name of the pass; `''` for the first stage, in which the sources gather. */
export interface FlowStage {
  readonly name: string
  readonly selection: Selection
}

type FlowStages = readonly [FlowStage, ...FlowStage[]]

/** A row for every gathered item, with the decision and the pass that decided. Kept fragments come first, in order. */
export function ledgerOf(stages: FlowStages, count: Count, sources: ReadonlyMap<Origin, Source>): LedgerRow[] {
  const gathered = indexGathered(stages[0].selection)
  const lastSelection = (stages.at(-1) ?? stages[0]).selection
  const passes = decidingPasses(stages)
  const row = (item: Fragment | Left): LedgerRow => {
    const gatheredItem = gathered.get(item.origin) ?? gathered.get(item.origin.uri)
    const pass = passes.size === 0 ? undefined : passes.get(verdictKey(item))
    return {
      uri: item.origin.uri,
      title: item.title,
      ...classOf(item, gatheredItem, sources.get(item.origin)),
      ...decisionOf(item),
      ...(pass !== undefined && { pass }),
      ...itemTokens(item, isFragment(item) || pass !== undefined ? gatheredItem : undefined, count),
    }
  }
  return [...lastSelection.kept.map(row), ...lastSelection.left.map(row)]
}

/** Fragments by their origin, and the first fragment of each uri by the uri. Two sources may give the same uri with different texts. */
function indexGathered({ kept }: Selection): ReadonlyMap<Origin | string, Fragment> {
  const gathered = new Map<Origin | string, Fragment>()
  for (const fragment of kept) {
    gathered.set(fragment.origin, fragment)
    if (!gathered.has(fragment.origin.uri)) gathered.set(fragment.origin.uri, fragment)
  }
  return gathered
}

/** Uris that have only duplicate rows: the same text is kept under another uri. */
export function duplicateUris(ledger: readonly LedgerRow[]): ReadonlySet<string> {
  const urisOfOthers = new Set(ledger.flatMap(({ uri, why }) => (why === 'duplicate' ? [] : [uri])))
  return new Set(ledger.flatMap(({ uri }) => (urisOfOthers.has(uri) ? [] : [uri])))
}

function isFragment(item: Fragment | Left): item is Fragment {
  return 'text' in item
}

/** Kind, scope and score of an item. A missing value comes from the gathered fragment of the item, then from its source. */
function classOf(item: Fragment | Left, gathered: Fragment | undefined, source: Source | undefined) {
  const score = item.score ?? gathered?.score
  return {
    kind: item.kind ?? gathered?.kind ?? source?.kind ?? source?.name ?? '',
    scope: item.scope ?? gathered?.scope ?? source?.scope ?? source?.name ?? '',
    ...(score !== undefined && { score }),
  }
}

function decisionOf(item: Fragment | Left): Pick<LedgerRow, 'decision' | 'why' | 'detail'> {
  if (!isFragment(item)) return { decision: 'left', why: item.why, ...(item.detail && { detail: item.detail }) }
  const detail = item.note !== undefined && { detail: item.note }
  if (!item.cut) return { decision: 'kept', ...detail }
  return { decision: item.cut.to === 'part' ? 'truncated' : 'outline', why: item.cut.why, ...detail }
}

function itemTokens(item: Fragment | Left, gathered: Fragment | undefined, count: Count) {
  const gatheredTokens = gathered ? count(gathered.text) : 0
  // Tokens of an unread file are estimated: four bytes each.
  const tokensBefore = gatheredTokens + Math.ceil((gathered?.unreadBytes ?? 0) / 4)
  if (!isFragment(item)) return { tokensBefore, tokensAfter: 0 }
  return { tokensBefore, tokensAfter: item.text === gathered?.text ? gatheredTokens : count(item.text) }
}

/** The name of the pass that made a decision, by `verdictKey`. Decisions of sources are not in the map. */
function decidingPasses(stages: FlowStages): ReadonlyMap<string, string> {
  const passes = new Map<string, string>()
  // In most runs everything fits, and no pass changes anything.
  if (stages.every(({ selection }) => selection === stages[0].selection)) return passes
  const gatheredKeys = new Set([...stages[0].selection.kept, ...stages[0].selection.left].map(verdictKey))
  for (const { name, selection } of stages.slice(1)) {
    for (const key of [...selection.kept, ...selection.left].map(verdictKey))
      if (!gatheredKeys.has(key) && !passes.has(key)) passes.set(key, name)
  }
  return passes
}

/** Identifies the decision about an item: another decision about the same item has another key. */
function verdictKey(item: Fragment | Left): string {
  const outcome = isFragment(item) ? `kept ${item.cut ? `${item.cut.to} ${item.text.length}` : ''}` : `left ${item.why}`
  return `${outcome}\n${item.origin.uri}`
}

/** The rows to show. Without a context directory, rows for its missing files say nothing, and are left out. */
export function listShownRows({ contextDir, ledger }: Pick<AnswerAccount, 'contextDir' | 'ledger'>) {
  return contextDir === null ? ledger.filter(({ why }) => why !== 'missing') : ledger
}
