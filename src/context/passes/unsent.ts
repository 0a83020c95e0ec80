import { type Fragment, namePass, type Pass, type Selection } from '../../core/flow.ts'
import { leave } from '../../core/selection.ts'
import type { SentFragment } from '../answers.ts'

export interface Unsent {
  /** Leaves the fragments whose digests are known. Stands before the budget, which is then for what is new. */
  readonly pass: Pass
  /** What a selection after the pass gives of each fragment; one of which only an outline is left is not given. */
  sentIn(selection: Selection): SentFragment[]
}

/** A hexadecimal digest over names and contents. */
type DigestOf = (files: readonly { readonly name: string; readonly content: string }[]) => string

/** Gives a reader only what it does not have, by the digests of what it was given before. */
export function unsentOnly(known: readonly string[], digestOf: DigestOf): Unsent {
  const has = new Set(known)
  const texts = new Map<string, string>()
  const digest = ({ origin: { uri }, text }: Fragment) =>
    digestOf([{ name: uri, content: texts.get(uri) ?? text }]).slice(0, 16)
  return {
    pass: namePass('unsent', (selection) => {
      for (const { origin, text } of selection.kept) texts.set(origin.uri, text)
      if (has.size === 0) return selection
      return leave(selection, (fragment) => (has.has(digest(fragment)) ? SENT : undefined))
    }),
    sentIn: ({ kept }) =>
      kept
        .filter(({ cut }) => cut?.to !== 'outline')
        .map((fragment) => ({ uri: fragment.origin.uri, digest: digest(fragment) })),
  }
}

const SENT = { why: 'irrelevant', detail: 'The reader already has it.' } as const
