/** Adds code for a task to the context of a place. One ladder (the order in which a budget shows pieces) has both. */

import { mergeSelections } from '../../core/assemble.ts'
import { UsageError } from '../../core/errors.ts'
import { EMPTY_SELECTION, type Pass, type Renderer, type Run, type Selection } from '../../core/flow.ts'
import { rendererOfParts } from '../../core/steps.ts'
import { isInBounds, projectRootOf } from '../../files/roots.ts'
import { highestRung } from '../passes/budget/budget.ts'
import { buildLadder, type WeighedLadder } from '../passes/budget/ladder.ts'
import { taskMarkdown, taskXml } from '../task/code-fragments.ts'
import { findTaskCode, type TaskCodeRequest } from '../task/task-code.ts'
import { TaskLadder } from '../task/task-ladder.ts'
import { blockOrder } from './recipe.ts'

/** A request for code, which has a task. */
export type CodePartsRequest = Omit<TaskCodeRequest, 'task' | 'root' | 'files'> & { readonly task?: string | undefined }

/** The source, the budget and the renderer of `load` with code. @throws ContextError `invalid-input` without a task. */
export async function codePartsFor(request: CodePartsRequest, run: Run) {
  const { task = '', place, signatures = false } = request
  if (task.trim() === '')
    throw new UsageError('Code is selected for a task, but the task is empty.', 'Add --task TEXT.')
  const project = projectRootOf(place.directory)
  const root = isInBounds(project) ? project : place.directory
  const { ranking, source } = await findTaskCode({ ...request, task, root }, run)
  const byPath = new Map([...ranking.shown, ...ranking.further].map((file) => [file.file.path, file]))
  const furtherFiles = new Set(ranking.further)
  return {
    source,
    budget: (tokens: number): Pass =>
      function budget(selection, step) {
        const { code, others } = splitByKind(selection)
        const files = code.kept.flatMap(({ title }) => byPath.get(title) ?? [])
        const shown = files.filter((file) => !furtherFiles.has(file))
        const further = signatures ? files.filter((file) => furtherFiles.has(file)) : undefined
        const textLadder = buildLadder(others, step, blockOrder)
        const ladder = interleaveLadders(textLadder, new TaskLadder(shown, { further }).withCosts(code))
        return highestRung(ladder, (one) => step.measure(one) <= tokens)
      },
    render: (write: Renderer, format?: string) => appendCode(write, format === 'xml' ? taskXml : taskMarkdown),
  }
}

/** Splits a selection into code and other fragments. Files in `left` and warnings stay with the other fragments. */
function splitByKind({ kept, left, warnings }: Selection) {
  const { code = [], others = [] } = Object.groupBy(kept, ({ kind }) => (kind === 'code' ? 'code' : 'others'))
  return { code: { ...EMPTY_SELECTION, kept: code }, others: { kept: others, left, warnings } }
}

/** Combines two ladders: their first rungs (steps), then the next rung of the ladder that has cost less so far. */
function interleaveLadders(texts: WeighedLadder, code: WeighedLadder) {
  const rungOrder = [...Array<'texts'>(texts.first).fill('texts'), ...Array<'code'>(code.first).fill('code')]
  const position = { texts: texts.first, code: code.first }
  const spent = { texts: 0, code: 0 }
  while (position.texts < texts.length || position.code < code.length) {
    const isText = position.code >= code.length || (position.texts < texts.length && spent.texts <= spent.code)
    const [next, ladder] = isText ? (['texts', texts] as const) : (['code', code] as const)
    rungOrder.push(next)
    spent[next] += ladder.costs[position[next]++] ?? 0
  }
  return {
    length: rungOrder.length,
    upTo: (rungs: number): Selection => {
      const textRungs = rungOrder.slice(0, rungs).filter((ladder) => ladder === 'texts').length
      return mergeSelections([texts.upTo(textRungs), code.upTo(Math.min(rungs, rungOrder.length) - textRungs)])
    },
  }
}

/** Renders the other fragments, then the code in its own fences or elements. */
function appendCode(textRenderer: Renderer, codeRenderer: Renderer): Renderer {
  const partsOf = (render: Renderer, selection: Selection) => render.parts?.(selection) ?? [render(selection)]
  return rendererOfParts((selection) => {
    const { code, others } = splitByKind(selection)
    const textParts = partsOf(textRenderer, others)
    const parts = partsOf(codeRenderer, code)
    const gap = textParts.length > 0 && parts.length > 0 && codeRenderer === taskMarkdown ? ['\n'] : []
    return [...textParts, ...gap, ...parts]
  })
}
