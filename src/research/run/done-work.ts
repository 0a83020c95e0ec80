/** Reads the results of a run, by `owner/name`: stages, owners, models, failures of models, and looked-up passages. */

import { byCodeUnit } from '../../text/paths.ts'
import { EXTRACTIVE } from '../settings.ts'
import { byPosition, type EvidencePassage } from './evidence.ts'
import type { StageResult } from './stages.ts'

export const BRIEF_WORK = 'brief'

export function isStageResult(value: unknown): value is StageResult<unknown> {
  return typeof value === 'object' && value !== null && 'spent' in value && 'by' in value
}

/** The stage in a key: `synthesis` in `1.2/synthesis-2`. */
export function stageOf(key: string): string {
  return key.split(/[/-]/).findLast((part) => /^[a-z]+$/.test(part)) ?? ''
}

/** Stages of a report in their order. All except the report itself need a model. */
const REPORT_STAGES = ['report', 'judge', 'repair', 'grade']

/** The stages in their order, each with the models that did its work, or `extractive`. */
export function stagesIn(results: ReadonlyMap<string, unknown>): Record<string, readonly string[]> {
  const done = [...results].flatMap(([key, value]) => {
    const needsModel = key.startsWith('/report-') && stageOf(key) !== 'report'
    if (!isStageResult(value) || (needsModel && value.by === EXTRACTIVE)) return []
    return [{ stage: stageOf(key), by: value.by }]
  })
  const order = (stage: string) => `${REPORT_STAGES.indexOf(stage)} ${stage}`
  return Object.fromEntries(
    Object.entries(Object.groupBy(done, ({ stage }) => stage))
      .toSorted(([a], [b]) => byCodeUnit(order(a), order(b)))
      .map(([stage, all = []]) => [stage, [...new Set(all.map(({ by }) => by))].sort()]),
  )
}

/** Why stages were done without their models: each reason once, with the stage. */
export function failuresIn(results: ReadonlyMap<string, unknown>): string[] {
  const reasons = [...results].flatMap(([key, value]) => {
    const failed = isStageResult(value) ? value.failed : undefined
    return failed === undefined ? [] : [`${stageOf(key)}: ${failed}`]
  })
  return [...new Set(reasons)].sort()
}

/** The owner in a key: `1.2` in `1.2/queries`. */
export function ownerOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** Looked-up passages by citation. Texts that two nodes found in the same place are joined, in the order of the nodes. */
export function passagesIn(results: ReadonlyMap<string, unknown>): ReadonlyMap<string, EvidencePassage> {
  const lookups = [...results].flatMap(([key, value]) => {
    const passages: unknown = Object(value).passages
    return Array.isArray(passages) ? [{ owner: ownerOf(key), key, found: passages as readonly EvidencePassage[] }] : []
  })
  const inOrder = lookups.sort((a, b) => byPosition(a.owner, b.owner) || byCodeUnit(a.key, b.key))
  const byRef = new Map<string, EvidencePassage>()
  for (const passage of inOrder.flatMap(({ found }) => found)) {
    const earlier = byRef.get(passage.ref)
    if (!earlier) byRef.set(passage.ref, passage)
    else if (!earlier.text.includes(passage.text)) {
      byRef.set(passage.ref, { ...earlier, text: `${earlier.text}\n\n${passage.text}` })
    }
  }
  return byRef
}
