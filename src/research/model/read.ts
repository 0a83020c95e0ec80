/** Answers of models, read strictly: what is not of its form is not taken for something else. */

import { routeByWords } from '../extractive/workers.ts'
import { type ClaimSource, whyUnsupported } from '../report/claim-check.ts'
import type { EvidenceItem, EvidenceKind, Sufficiency } from '../run/evidence.ts'
import { ITEM_KINDS } from '../run/evidence.ts'
import type { Choice } from '../run/slices.ts'
import type { DraftItem, Routed, RouterTask } from '../run/stages.ts'

type Answer = Readonly<Record<string, unknown>>

/** Undefined for what is not of the form that was asked for. */
type Read<Value> = Value | undefined

const MOST_TEXT = 1200

function isShortText(value: unknown, most = MOST_TEXT): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= most
}

function readTexts(value: unknown, most: number): Read<string[]> {
  if (!Array.isArray(value) || !value.every((one) => isShortText(one))) return undefined
  return [...new Set(value.map(collapseSpace))].slice(0, most)
}

/** Items that a source bears out which there is; the others are counted. */
export function digestIn(
  { items }: Answer,
  spans: ReadonlyMap<string, ClaimSource>,
): Read<{ items: DraftItem[]; rejected: number }> {
  if (!Array.isArray(items)) return undefined
  const kept = items.flatMap((item): DraftItem[] => {
    const { kind, text, sources } = Object(item)
    const known = ITEM_KINDS.find((one) => one === kind)
    const named = Array.isArray(sources) ? sources.map((source) => String(source).replace(/^.*::/s, '')) : []
    const own = [...new Set(named.filter((source) => spans.has(source)))]
    const sayings = own.flatMap((source) => spans.get(source) ?? [])
    return known && isShortText(text) && own.length > 0 && whyUnsupported(text, sayings) === undefined
      ? [{ kind: known, text: collapseSpace(text), sources: own }]
      : []
  })
  return { items: kept, rejected: items.length - kept.length }
}

function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** `mayBeNone`: where it was searched before, a model may have nothing left to try. */
export function queriesIn({ queries }: Answer, mayBeNone: boolean): Read<string[]> {
  const texts = readTexts(queries, 3)
  return texts && (mayBeNone || texts.length > 0) ? texts.map((query) => query.slice(0, 300)) : undefined
}

/** Findings of what was given; one that names another source is none. */
export function findingsIn(
  { findings }: Answer,
  kindOf: (ref: string) => EvidenceKind | undefined,
): Read<EvidenceItem[]> {
  if (!Array.isArray(findings)) return undefined
  return findings.slice(0, 50).flatMap((finding): EvidenceItem[] => {
    const { text, ref } = Object(finding)
    const kind = typeof ref === 'string' ? kindOf(ref) : undefined
    return kind && isShortText(text) ? [{ text: collapseSpace(text), ref, kind }] : []
  })
}

export function sufficiencyIn({ is_sufficient, reasoning, gaps }: Answer): Read<Sufficiency> {
  const open = readTexts(gaps, 20)
  if (typeof is_sufficient !== 'boolean' || !isShortText(reasoning, 8000) || !open) return undefined
  return { is_sufficient, reasoning: collapseSpace(reasoning), gaps: is_sufficient ? [] : open }
}

export function childrenIn(
  { children }: Answer,
  { most, asked }: { readonly most: number; readonly asked: readonly string[] },
): Read<string[]> {
  const questions = readTexts(children, most)
  const fresh = questions?.filter((question) => !asked.includes(question))
  return fresh && fresh.length === 1 ? [] : fresh
}

/** Groups of ids of two files and more; what names another item is left out. */
export function conflictsIn({ conflicts }: Answer, fileOf: ReadonlyMap<string, string>): Read<string[][]> {
  if (!Array.isArray(conflicts)) return undefined
  const groups = conflicts.slice(0, 100).map((one) => {
    const { item_ids: ids } = Object(one)
    return [...new Set<string>(Array.isArray(ids) ? ids.filter((id) => fileOf.has(id)) : [])]
  })
  return groups.filter((ids) => ids.length <= 6 && new Set(ids.map((id) => fileOf.get(id))).size > 1)
}

/** What goes to every child, whatever a model says. */
const FOR_ALL: ReadonlySet<string> = new Set(['constraint', 'definition'])

/**
 * Choices by child. Ids of no item of the parent are left out and counted; a child that was forgotten, or was given only such
 * ids, gets what its words choose.
 */
export function routedIn({ children }: Answer, task: RouterTask): Read<Routed> {
  if (!Array.isArray(children) || !children.every(isChoice)) return undefined
  const items = new Set(task.slice.selected_items.map(({ id }) => id))
  const always = task.slice.selected_items.flatMap(({ id, kind }) => (FOR_ALL.has(kind) ? [id] : []))
  const byWords = routeByWords(task).choices
  let unknown = 0
  const choices = task.children.map(({ id }): readonly [string, Choice] => {
    const said: Said | undefined = children.find((one: Said) => one.node_id === id)
    const known = said?.item_ids.filter((one) => items.has(one)) ?? []
    unknown += (said?.item_ids.length ?? 0) - known.length
    const isUnusable = !said || (said.item_ids.length > 0 && known.length === 0)
    if (isUnusable) return [id, { ...(byWords[id] ?? NOTHING), isFallback: true }]
    return [id, choiceOf(said, [...new Set([...known, ...always])])]
  })
  return { choices: Object.fromEntries(choices), unknown }
}

const NOTHING: Choice = { item_ids: [], selection_reason: '', coverage_note: '' }

interface Said {
  readonly node_id: string
  readonly item_ids: readonly string[]
  readonly selection_reason: string
  readonly coverage_note?: unknown
  readonly why_relevant?: unknown
}

function isChoice(value: unknown): value is Said {
  const { node_id, item_ids, selection_reason } = Object(value)
  const hasIds = Array.isArray(item_ids) && item_ids.every((id) => typeof id === 'string')
  return typeof node_id === 'string' && hasIds && typeof selection_reason === 'string'
}

function choiceOf({ selection_reason, coverage_note, why_relevant }: Said, item_ids: readonly string[]): Choice {
  const own = new Set(item_ids)
  const reasons = Object.entries(Object(why_relevant)).filter(([id, why]) => own.has(id) && isShortText(why, 500))
  return {
    item_ids,
    selection_reason: collapseSpace(selection_reason).slice(0, MOST_TEXT),
    coverage_note: typeof coverage_note === 'string' ? collapseSpace(coverage_note).slice(0, MOST_TEXT) : '',
    ...(reasons.length > 0 && { why_relevant: Object.fromEntries(reasons) as Record<string, string> }),
  }
}
