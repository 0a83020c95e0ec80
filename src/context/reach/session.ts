/**
 * What a reader has been sent: plain data, made of entries that are only ever added. Two processes that add at once see the
 * same entries in the same order, so both know who of them came first.
 */

/** What the reader has of one place. */
export interface Held {
  /** Of the whole text, before any cut. */
  readonly digest: string
  /** A digest for each part of the text, from heading to heading; empty where there are too many. */
  readonly parts: readonly string[]
  /** As the reader was told of it. */
  readonly name: string
  /** Touched paths that brought it, seen from the root; none for what applies where the reader stands. */
  readonly by: readonly string[]
}

/** How a session began, or began anew. */
export interface ReachBeginning {
  /** Where the reader stood. Absolute. */
  readonly cwd: string
  /** Whose settings named the hook that said so: a program may run those of another, too. */
  readonly via: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** One thing that became true of a session. */
export type SessionEntry =
  /** All before it is gone from what the reader sees. `implied`: nobody said so; it counts where nothing has begun. */
  | ({ readonly type: 'begin'; readonly implied?: true } & ReachBeginning)
  /** The reader has this, from the process `from`. */
  | ({ readonly type: 'has'; readonly uri: string; readonly from: string } & Held)
  /** The reader was told that this does not apply any more. */
  | { readonly type: 'gone'; readonly uri: string; readonly from: string }
  /** The reader has the code that bears on its first task, from the process `from`. */
  | { readonly type: 'task'; readonly from: string }
  /** What the reader was sent where it stands is gone from what it sees; what it touched brought the rest, which stays. */
  | { readonly type: 'lost' }
  /** What the reader sees will be cut: the next event begins anew. */
  | { readonly type: 'end' }

/** What a session has been told, by fragment. */
export interface ReachState {
  /** Undefined before it begins. */
  readonly began: ReachBeginning | undefined
  /** By uri. */
  readonly held: ReadonlyMap<string, Held>
  /** Who brings the code of the first task; undefined before that. */
  readonly taskFrom: string | undefined
  /** Of these entries, the ones that changed something: whoever added them is the one to tell. */
  readonly effective: ReadonlySet<SessionEntry>
}

/** The state after these entries. An entry that says what an earlier one has said changes nothing. */
export function sessionAfter(entries: readonly SessionEntry[]): ReachState {
  let began: ReachBeginning | undefined
  let taskFrom: string | undefined
  const held = new Map<string, Held>()
  const effective = new Set<SessionEntry>()
  for (const entry of entries) {
    if (entry.type === 'end') began = undefined
    if (entry.type === 'task') taskFrom ??= entry.from
    if (entry.type === 'begin' && !(entry.implied && began)) {
      began = entry
      held.clear()
      effective.clear()
    }
    if (entry.type === 'has' && held.get(entry.uri)?.digest !== entry.digest) {
      held.set(entry.uri, entry)
      effective.add(entry)
    }
    if (entry.type === 'lost') for (const [uri, { by }] of held) if (by.length === 0) held.delete(uri)
    if (entry.type === 'gone' && held.delete(entry.uri)) effective.add(entry)
  }
  return { began, held, taskFrom, effective }
}

/** What applies now, as far as a session is concerned. */
export interface Applying extends Held {
  readonly uri: string
}

/** How what applies differs from what the reader has. */
export interface SessionNews<Item extends Applying> {
  readonly added: readonly Item[]
  readonly changed: readonly { readonly item: Item; readonly before: Held }[]
}

/** What of these the reader does not have. A text that it has under another name is not new. */
export function newsFor<Item extends Applying>(
  { held }: Pick<ReachState, 'held'>,
  items: readonly Item[],
): SessionNews<Item> {
  const now = new Map(items.map(({ uri, digest }) => [uri, digest]))
  // Of what changed the reader has the old text no longer.
  const lasting = [...held].filter(([uri, { digest }]) => (now.get(uri) ?? digest) === digest)
  const texts = new Set(lasting.map(([, { digest }]) => digest))
  const added: Item[] = []
  const changed: { item: Item; before: Held }[] = []
  for (const item of items) {
    const before = held.get(item.uri)
    if (before) {
      if (before.digest !== item.digest) changed.push({ item, before })
    } else if (!texts.has(item.digest)) added.push(item)
    texts.add(item.digest)
  }
  return { added, changed }
}
