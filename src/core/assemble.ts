import { throwIfAborted } from './errors.ts'
import {
  type Count,
  type Focus,
  type Fragment,
  type Left,
  type Origin,
  type Pass,
  type Recipe,
  type Renderer,
  type Run,
  type Selection,
  SILENT,
  type Source,
  type Step,
} from './flow.ts'
import { type FlowStage, type LedgerRow, ledgerOf } from './ledger.ts'
import { bytes4 } from './tokens.ts'

/** What a recipe (sources, passes and a renderer) yields for a focus (the task, the place and the touched files). */
export interface Assembled {
  /** Everything that the sources gathered, before any pass. */
  readonly considered: Selection
  readonly selection: Selection
  readonly text: string
  /** Tokens of `text`. */
  readonly tokens: number
  readonly ledger: readonly LedgerRow[]
}

/**
 * Gathers from the recipe's sources, applies its passes in order, and renders the kept fragments.
 *
 * No item is lost: a fragment that a pass drops without a reason moves to `left`, as `irrelevant`, and items in `left`
 * stay in `left`. At most one fragment of a uri is kept. For a pass that adds or restores a fragment, which is a bug,
 * `assemble` throws a plain Error.
 *
 * @throws ContextError `cancelled` when the run's signal fires.
 */
export async function assemble(recipe: Recipe, focus: Focus = {}, run: Run = SILENT): Promise<Assembled> {
  try {
    return await runRecipe(recipe, focus, run)
  } catch (error) {
    // A cancelled stage may throw any error.
    throwIfAborted(run.signal)
    throw error
  }
}

async function runRecipe(recipe: Recipe, focus: Focus, run: Run): Promise<Assembled> {
  const count = recipe.count ?? bytes4
  const gathered = await gatherAll(recipe.sources, focus, run)
  const considered = mergeSelections(gathered)
  const rendered = cacheLastRendering(recipe.render, count)
  // A spread would lose the methods of a run that is an instance of a class.
  const plainRun: Run = { ...(run.signal && { signal: run.signal }), emit: (event) => run.emit(event) }
  const step: Step = { ...plainRun, focus, count, measure: (selection) => rendered(selection).tokens }
  const unique = uniqueBy(considered, (fragment) => fragment.origin.uri)
  const stages: [FlowStage, ...FlowStage[]] = [{ name: '', selection: considered }]
  if (unique !== considered) stages.push({ name: 'unique', selection: unique })
  let selection = unique
  for (const pass of recipe.passes) {
    selection = await runPass(pass, selection, step)
    stages.push({ name: pass.name, selection })
  }
  const { text, tokens } = rendered(selection)
  run.emit({ type: 'rendered', tokens })
  return { considered, selection, text, tokens, ledger: ledgerOf(stages, count, mapSources(recipe.sources, gathered)) }
}

/** Returns a renderer that caches its last text: a selection is not rendered again after a budget measured it. */
function cacheLastRendering(render: Renderer, count: Count) {
  let cached: { readonly selection: Selection; readonly text: string; readonly tokens: number } | undefined
  return (selection: Selection) => {
    if (cached?.selection === selection) return cached
    const parts = count.ofParts && render.parts?.(selection)
    // `+` copies the parts only when the text is read. A budget measures many texts that are never read.
    const text = parts ? parts.reduce((joined, part) => joined + part, '') : render(selection)
    cached = { selection, text, tokens: parts && count.ofParts ? count.ofParts(parts) : count(text) }
    return cached
  }
}

/** Selections of all sources for the focus, in the order of the sources. */
async function gatherAll(sources: readonly Source[], focus: Focus, run: Run): Promise<readonly Selection[]> {
  throwIfAborted(run.signal)
  const selections = await Promise.all(
    sources.map(async (source) => {
      const selection = await source.gather(focus, run)
      run.emit({ type: 'gathered', source: source.name, kept: selection.kept.length, left: selection.left.length })
      return selection
    }),
  )
  throwIfAborted(run.signal)
  return selections
}

/** The source of each origin. An origin is the same object from stage to stage. */
function mapSources(sources: readonly Source[], gathered: readonly Selection[]): ReadonlyMap<Origin, Source> {
  const byOrigin = new Map<Origin, Source>()
  for (const [index, source] of sources.entries()) {
    const { kept = [], left = [] } = gathered[index] ?? {}
    for (const { origin } of [...kept, ...left]) byOrigin.set(origin, source)
  }
  return byOrigin
}

async function runPass(pass: Pass, before: Selection, step: Step): Promise<Selection> {
  const after = conserveItems(pass, before, await pass(before, step))
  throwIfAborted(step.signal)
  step.emit({ type: 'passed', pass: pass.name, kept: after.kept.length, left: after.left.length })
  return after
}

/**
 * The selection after a pass, with the items that the pass lost: items of `left`, and fragments dropped without a
 * reason. Compares the number of items of each uri, because a uri may be in `kept` and in `left` at the same time: the
 * second fragment of a uri moves to `left` as a duplicate, and two sources may give the same uri.
 */
function conserveItems(pass: Pass, before: Selection, after: Selection): Selection {
  if (after === before) return after
  const keptBefore = countsOf(before.kept)
  const keptAfter = countsOf(after.kept)
  for (const [uri, timesKept] of keptAfter) {
    if (!keptBefore.has(uri)) throw new Error(`Pass "${pass.name}" adds ${uri}; only a source may add.`)
    if (timesKept > 1) throw new Error(`Pass "${pass.name}" keeps ${uri} twice.`)
  }
  /** For each uri, how many of its items are missing after the pass. */
  const missing = countsOf([...before.kept, ...before.left])
  const takeMissing = ({ origin: { uri } }: Fragment | Left) => {
    const times = missing.get(uri) ?? 0
    missing.set(uri, times - 1)
    return times > 0
  }
  for (const item of [...after.kept, ...after.left]) {
    if (takeMissing(item)) continue
    throw new Error(`Pass "${pass.name}" leaves ${item.origin.uri} more often than it was selected.`)
  }
  if ([...missing.values()].every((times) => times === 0)) return after
  const leftAfter = new Set(after.left)
  const forgotten = before.left.filter((left) => !leftAfter.has(left) && takeMissing(left))
  const dropped = leave(before, (fragment) =>
    !keptAfter.has(fragment.origin.uri) && takeMissing(fragment)
      ? { why: 'irrelevant', detail: `Dropped by the pass "${pass.name}".` }
      : undefined,
  ).left.slice(before.left.length)
  return { ...after, left: [...forgotten, ...after.left, ...dropped] }
}

function countsOf(items: readonly (Fragment | Left)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { origin } of items) counts.set(origin.uri, (counts.get(origin.uri) ?? 0) + 1)
  return counts
}

/** The items and warnings of several selections, in order. */
export function mergeSelections(selections: readonly Selection[]): Selection {
  return {
    kept: selections.flatMap((selection) => selection.kept),
    left: selections.flatMap((selection) => selection.left),
    warnings: selections.flatMap((selection) => selection.warnings),
  }
}

/**
 * Keeps the first fragment of each `key`, pinned if any fragment of that key is pinned. The other fragments move to
 * `left`, as `duplicate`.
 */
export function uniqueBy(selection: Selection, key: (fragment: Fragment) => string): Selection {
  const firstByKey = new Map<string, Fragment>()
  const duplicates: Left[] = []
  for (const fragment of selection.kept) {
    const existing = firstByKey.get(key(fragment))
    if (!existing) firstByKey.set(key(fragment), fragment)
    else {
      const { origin, title } = fragment
      duplicates.push({ origin, title, why: 'duplicate', detail: `The same as ${existing.title}, which is kept.` })
    }
    if (existing && fragment.pinned) firstByKey.set(key(fragment), { ...existing, pinned: true })
  }
  if (duplicates.length === 0) return selection
  return { ...selection, kept: [...firstByKey.values()], left: [...selection.left, ...duplicates] }
}

/** Moves the fragments for which `reason` returns a reason from `kept` to `left`. The other fragments stay, in order. */
export function leave(
  selection: Selection,
  reason: (fragment: Fragment, index: number) => Pick<Left, 'why' | 'detail'> | undefined,
): Selection {
  const kept: Fragment[] = []
  const left: Left[] = [...selection.left]
  selection.kept.forEach((fragment, index) => {
    const reasonToLeave = reason(fragment, index)
    if (reasonToLeave) left.push({ origin: fragment.origin, title: fragment.title, ...reasonToLeave })
    else kept.push(fragment)
  })
  return { ...selection, kept, left }
}
