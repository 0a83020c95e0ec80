import type { Assembled } from '../../core/assemble.ts'
import type { Count, Fragment, Selection } from '../../core/flow.ts'
import type { LedgerRow } from '../../core/ledger.ts'
import { utf8Length } from '../../core/tokens.ts'
import { digestFiles } from '../../files/file-version.ts'
import { sectionsOf } from '../../text/fences.ts'
import {
  compareTexts,
  type Delta,
  goneFragment,
  partDigests,
  type Replacement,
  replacementFor,
  type SessionItem,
  shortDigest,
} from '../session.ts'
import type { Instructions } from './instructions.ts'

/** The first text of an epoch (a prompt that only grows until the next epoch). */
export interface EpochBeginning {
  /** The number of the epoch, from 1. */
  readonly number: number
  readonly reason: string
  /** All files that apply, before any cut. */
  readonly selection: Selection
  /** The shown part of the selection. */
  readonly shown: Assembled
}

/** A file that applies. */
interface EpochItem extends SessionItem {
  /** The fragment before any cut. */
  readonly fragment: Fragment
}

interface SentFile extends EpochItem {
  /** Number of rendered bytes of the file that are not replaced. */
  readonly bytes: number
}

/** Differences from the texts that the reader has. */
interface EpochChanges extends Delta<EpochItem, SentFile> {
  readonly changed: readonly (Delta<EpochItem, SentFile>['changed'][number] & { readonly replacement: Replacement })[]
}

/** A prompt that only grows: by new files, replacements of sent parts, and notices about files that no longer apply. */
export class PromptEpoch {
  readonly number: number
  readonly reason: string
  /** Rows of files that the budget cut. A row is dropped when its file is replaced completely, or no longer applies. */
  cut: readonly LedgerRow[]
  text: string
  /** The lengths of the texts of prompts, by their digests. */
  readonly lengths = new Map<string, number>()
  readonly #instructions: Instructions
  readonly #sent: Map<string, SentFile>
  /** For each considered file of this epoch by uri, sent or not, the identity of the file. */
  readonly #identities: Map<string, string>
  /** All sent texts, in the order of the prompt. */
  readonly #sentTexts: { readonly name: string; readonly content: string }[]
  /** Number of bytes of the text that are no longer valid: replaced parts, and removed files with their notices. */
  #invalidBytes = 0
  #lastSelection: Selection

  constructor(instructions: Instructions, { number, reason, selection, shown }: EpochBeginning) {
    this.#instructions = instructions
    this.number = number
    this.reason = reason
    this.#lastSelection = selection
    this.text = shown.text
    this.cut = shown.ledger.filter(({ pass }) => pass === 'budget')
    const fragmentsByUri = new Map(selection.kept.map((fragment) => [fragment.origin.uri, fragment]))
    const { kept } = shown.selection
    this.#sent = new Map(
      kept.map((fragment) => {
        const item = epochItem(fragmentsByUri.get(fragment.origin.uri) ?? fragment)
        return [item.uri, { ...item, bytes: this.#bytesOf([fragment]) }] as const
      }),
    )
    this.#identities = new Map(selection.kept.map((fragment) => [fragment.origin.uri, identityOf(fragment)]))
    this.#sentTexts = instructions.arrange(kept).map(nameAndText)
  }

  get digest(): string {
    return digestFiles(this.#sentTexts)
  }

  /** Appends the changes to the text, and returns undefined; or returns the reason why another epoch must begin. */
  extend(selection: Selection, budget: number | undefined, count: Count): string | undefined {
    if (selection === this.#lastSelection) return undefined
    const changes = this.#changesIn(selection)
    const reason = reasonOf(changes, selection)
    const additions = [...changes.added, ...changes.changed.map(({ replacement }) => replacement)]
    const fragments = additions.map(({ fragment }) => fragment)
    const goneNotices = changes.gone.map(goneNotice)
    const text = this.text + this.#rendered(fragments) + this.#rendered(goneNotices)
    const invalidBytes = this.#invalidBytes + this.#bytesMadeStale(changes)
    if (reason !== undefined && invalidBytes * 2 > utf8Length(text)) return reason
    if (text !== this.text && budget !== undefined && count(text) > budget) return reason ?? 'reserve spent'
    this.#apply(changes)
    this.#sentTexts.push(...[...this.#instructions.arrange(fragments), ...goneNotices].map(nameAndText))
    this.#invalidBytes = invalidBytes
    this.#lastSelection = selection
    this.text = text
    return undefined
  }

  #changesIn({ kept, left }: Selection): EpochChanges {
    const uriByIdentity = new Map(
      left.flatMap(({ why, origin: { uri } }) => {
        const identity = why === 'duplicate' ? this.#identities.get(uri) : undefined
        return identity === undefined ? [] : [[identity, uri] as const]
      }),
    )
    const items = kept.flatMap((fragment) => this.#itemFor(fragment, uriByIdentity) ?? [])
    const delta = compareTexts(items, { held: this.#sent })
    const changed = delta.changed.map((change) => {
      const { item, before } = change
      return { ...change, replacement: replacementFor(item.fragment, partDigests(before.fragment.text)) }
    })
    return { ...delta, changed }
  }

  /**
   * The item of a fragment, under the URI that the reader knows: a file may later apply under another URI. Undefined
   * for a file that did not fit at the start of the epoch.
   */
  #itemFor(fragment: Fragment, uriByIdentity: ReadonlyMap<string, string>): EpochItem | undefined {
    const { uri } = fragment.origin
    const knownUri = this.#identities.has(uri) ? uri : uriByIdentity.get(identityOf(fragment))
    if (knownUri === undefined) return epochItem(fragment)
    const sent = this.#sent.get(knownUri)
    return sent && epochItem({ ...sent.fragment, text: fragment.text })
  }

  #rendered(fragments: readonly Fragment[]): string {
    return this.#instructions.render({ kept: fragments, left: [], warnings: [] })
  }

  #bytesOf(fragments: readonly Fragment[]): number {
    return utf8Length(this.#rendered(fragments))
  }

  /** Number of bytes that these changes make invalid, with the notices about removed files. */
  #bytesMadeStale({ changed, gone }: EpochChanges): number {
    const replacedBytes = changed.map(({ before, replacement }) => staleBytes(before, replacement))
    const goneBytes = gone.map((one) => one[1].bytes + this.#bytesOf([goneNotice(one)]))
    return [...replacedBytes, ...goneBytes].reduce((sum, bytes) => sum + bytes, 0)
  }

  #apply({ added, changed, gone }: EpochChanges): void {
    for (const item of added) this.#record(item, this.#bytesOf([item.fragment]))
    for (const { item, before, replacement } of changed) {
      this.#record(item, before.bytes - staleBytes(before, replacement) + this.#bytesOf([replacement.fragment]))
      if (!replacement.parts) this.cut = this.cut.filter(({ uri }) => uri !== item.uri)
    }
    for (const [uri] of gone) {
      this.#sent.delete(uri)
      this.#identities.delete(uri)
      this.cut = this.cut.filter((row) => row.uri !== uri)
    }
  }

  #record(item: EpochItem, bytes: number): void {
    this.#sent.set(item.uri, { ...item, bytes })
    this.#identities.set(item.uri, identityOf(item.fragment))
  }
}

/** Bytes of a sent file that a replacement replaces. */
function staleBytes({ bytes, fragment }: SentFile, { parts }: Replacement): number {
  if (parts === undefined) return bytes
  const digests = partDigests(fragment.text)
  const stale = sectionsOf(fragment.text).filter((_, index) => parts.includes(digests[index] ?? ''))
  return Math.min(bytes, utf8Length(stale.join('')))
}

function goneNotice([, { fragment }]: readonly [string, SentFile]): Fragment {
  return goneFragment(fragment.origin.labels?.filename ?? fragment.title)
}

/** The item of a fragment. Two files with the same text have different digests, because the URI is a part of the digest. */
function epochItem(fragment: Fragment): EpochItem {
  const { uri } = fragment.origin
  return { uri, digest: shortDigest(`${uri}\n${fragment.text}`, 20), fragment }
}

/** The first change of a sent file, such as `deleted: AGENTS.md`; undefined without a change. */
function reasonOf({ changed: [changed], gone: [gone] }: EpochChanges, { left }: Selection): string | undefined {
  if (changed) return `changed: ${changed.item.fragment.title}`
  if (!gone) return undefined
  const [uri, { fragment }] = gone
  const why = left.find(({ origin }) => origin.uri === uri)?.why
  return `${why === undefined || why === 'missing' ? 'deleted' : why}: ${fragment.title}`
}

function identityOf({ origin }: Fragment): string {
  return origin.id ?? origin.uri
}

function nameAndText({ title, text }: Fragment) {
  return { name: title, content: text }
}
