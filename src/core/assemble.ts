import { throwIfAborted } from './errors.ts'
import type { Count, Focus, Pass, Recipe, Renderer, Run, Selection, Source, Step } from './flow.ts'
import { type LedgerRow, ledgerOf, type Stage } from './ledger.ts'
import { leave, merge, uniqueBy } from './selection.ts'
import { bytes4 } from './tokens.ts'

/** What a recipe made of a focus. */
export interface Assembled {
  /** All that the sources gave, before any pass. */
  readonly considered: Selection
  readonly selection: Selection
  readonly text: string
  /** Tokens of `text`. */
  readonly tokens: number
  readonly ledger: readonly LedgerRow[]
}

/**
 * Gathers from the recipe's sources, applies its passes in order, and renders what is kept.
 *
 * Nothing is lost on the way (conservation): a uri is kept at most once; what a pass drops without a word is left as
 * `irrelevant`; what is left stays left. A pass that adds a fragment, or brings one back, is a bug and throws.
 *
 * @throws ContextError `cancelled` when the run's signal fires.
 */
export async function assemble(recipe: Recipe, focus: Focus, run: Run): Promise<Assembled> {
  const count = recipe.count ?? bytes4
  const considered = await gatherAll(recipe.sources, focus, run)
  const rendered = lastRendered(recipe.render, count)
  const step: Step = { ...run, focus, count, measure: (selection) => rendered(selection).tokens }
  const unique = uniqueBy(considered, (fragment) => fragment.origin.uri)
  const stages: [Stage, ...Stage[]] = [{ name: '', selection: considered }]
  if (unique !== considered) stages.push({ name: 'unique', selection: unique })
  let selection = unique
  for (const pass of recipe.passes) {
    selection = await passed(pass, selection, step)
    stages.push({ name: pass.name, selection })
  }
  const { text, tokens } = rendered(selection)
  run.emit({ type: 'rendered', tokens })
  return { considered, selection, text, tokens, ledger: ledgerOf(stages, count) }
}

/** Renders, and remembers the last rendering: what a budget measured to fit is what is printed. */
function lastRendered(render: Renderer, count: Count) {
  let last: { readonly selection: Selection; readonly text: string; readonly tokens: number } | undefined
  return (selection: Selection) => {
    if (last?.selection === selection) return last
    const text = render(selection)
    last = { selection, text, tokens: count(text) }
    return last
  }
}

/** What all sources give for the focus, in the order of the sources. */
async function gatherAll(sources: readonly Source[], focus: Focus, run: Run): Promise<Selection> {
  throwIfAborted(run.signal)
  const selections = await Promise.all(sources.map((source) => gathered(source, focus, run)))
  throwIfAborted(run.signal)
  return merge(selections)
}

async function gathered(source: Source, focus: Focus, run: Run): Promise<Selection> {
  const selection = await source.gather(focus, run)
  const { kept, left } = selection
  run.emit({ type: 'gathered', source: source.name, kept: kept.length, left: left.length })
  return selection
}

async function passed(pass: Pass, before: Selection, step: Step): Promise<Selection> {
  throwIfAborted(step.signal)
  const after = conserved(pass, before, await pass(before, step))
  step.emit({ type: 'passed', pass: pass.name, kept: after.kept.length, left: after.left.length })
  return after
}

function conserved(pass: Pass, before: Selection, after: Selection): Selection {
  if (after === before) return after
  const known = new Set(before.kept.map((fragment) => fragment.origin.uri))
  const kept = new Set<string>()
  for (const { origin } of after.kept) {
    if (!known.has(origin.uri)) throw new Error(`Pass "${pass.name}" adds ${origin.uri}; only a source may add.`)
    if (kept.has(origin.uri)) throw new Error(`Pass "${pass.name}" keeps ${origin.uri} twice.`)
    kept.add(origin.uri)
  }
  const told = new Set(after.left.map((left) => left.origin.uri))
  const dropped = leave(before, ({ origin }) =>
    kept.has(origin.uri) || told.has(origin.uri)
      ? undefined
      : { why: 'irrelevant', detail: `Dropped by the pass "${pass.name}".` },
  ).left.slice(before.left.length)
  const forgotten = before.left.filter((left) => !after.left.includes(left) && !told.has(left.origin.uri))
  if (dropped.length === 0 && forgotten.length === 0) return after
  return { ...after, left: [...forgotten, ...after.left, ...dropped] }
}
