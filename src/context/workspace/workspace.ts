import { assemble } from '../../core/assemble.ts'
import { invalidInput } from '../../core/errors.ts'
import type { Count, Selection, Warning } from '../../core/flow.ts'
import type { LedgerRow } from '../../core/ledger.ts'
import { bytes4, validBudget } from '../../core/tokens.ts'
import { digestFiles } from '../../files/file-version.ts'
import { recipeFor } from '../load/recipe.ts'
import type { InstructionContext } from '../sources/instructions.ts'
import { PromptEpoch } from './epoch.ts'
import { type InstructionOptions, Instructions } from './instructions.ts'

/** The directory of a workspace, its sources, and the budget of a prompt. */
export interface WorkspaceOptions extends InstructionOptions {
  /** Most tokens of a prompt's text. A whole number ≥ 1. Default: no limit. */
  readonly budget?: number
  /** The part of the budget that the first text of an epoch leaves to what is found later; from 0 to 1. Default: 0.25. */
  readonly reserve?: number
  /** How tokens are counted. Default: `bytes4`. */
  readonly count?: Count
}

/** The instructions as a stable prompt. */
export interface Prompt {
  /** All that is to be sent: within an epoch, the text before plus `delta`, byte for byte. */
  readonly text: string
  /**
   * What the reader does not have yet: files that are new; with the attribute `update`, what replaces a file that was sent, or
   * its changed sections, and which applies no longer. The whole text when the reader's epoch is over; `''` when nothing is new.
   */
  readonly delta: string
  /** Counts from 1. A new one means: replace what was sent before by `text`. */
  readonly epoch: number
  /**
   * Why the epoch began: `start`, `rebase`, `reserve spent`, or what became of which file (`changed: AGENTS.md`) when more of the
   * text is replaced than still holds.
   */
  readonly reason: string
  /** SHA-256, hex, of all that the text shows, by root-relative names: the same for two checkouts. */
  readonly digest: string
  /** Files of this epoch that the budget cut or left out; empty when all are whole. */
  readonly cut: readonly LedgerRow[]
}

/** State that a caller has. The digest alone will do; with the epoch, a later one is told apart. */
export type Since = (Pick<Prompt, 'digest'> & Partial<Pick<Prompt, 'epoch'>>) | string

/**
 * The instruction files that apply where an agent stands and to what it touched, kept current, as a prompt that grows
 * by what is new, and by what replaces a part of it, and changes nothing that was sent.
 *
 * @example
 * const workspace = await Workspace.open({ cwd: 'my-project' })
 * let prompt = await workspace.prompt()
 * await workspace.touch('packages/api/server.ts')
 * prompt = await workspace.prompt(prompt) // prompt.delta holds packages/api/AGENTS.md, if there is one
 */
export class Workspace {
  readonly #instructions: Instructions
  readonly #count: Count
  readonly #budget: number | undefined
  readonly #reserve: number
  #epoch: PromptEpoch | undefined
  #rebase = false
  #last: Since | undefined
  #memo:
    | { readonly generation: number; readonly selection: Selection; readonly ledger: readonly LedgerRow[] }
    | undefined
  /** The work under way: calls are answered one after the other, so that they give what the same calls in turn give. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(options: WorkspaceOptions) {
    this.#budget = options.budget === undefined ? undefined : validBudget(options.budget)
    this.#reserve = validReserve(options.reserve ?? 0.25)
    this.#count = options.count ?? bytes4
    this.#instructions = new Instructions(options)
  }

  /**
   * Opens the workspace of a directory. Nothing is read yet.
   *
   * @throws ContextError `not-found` when `cwd` or `root` does not exist; `denied` when the root is a directory of the
   * operating system; `invalid-input` for a bad option.
   */
  static async open(options: WorkspaceOptions = {}): Promise<Workspace> {
    return new Workspace(options)
  }

  /** Absolute path of the project's root. */
  get root(): string {
    return this.#instructions.root
  }

  /**
   * Tells that a path was read or written, existing or not; relative to the working directory. Looks into the
   * directories that are new by it. A path outside the root is noted in the ledger, and nothing there is read.
   */
  async touch(path: string): Promise<void> {
    return this.#inTurn(async () => this.#instructions.tree.touch(path))
  }

  /** The instruction files that apply, the most specific first, those of the home directory last; ties by path. */
  async relevantContexts(): Promise<readonly InstructionContext[]> {
    return this.#inTurn(async () => {
      const { selection } = await this.#current()
      return selection.kept.flatMap((fragment) => this.#instructions.contextOf(fragment) ?? [])
    })
  }

  /** A row for every file considered: what became of it, and why. Without the budget, which is each prompt's own. */
  async ledger(): Promise<readonly LedgerRow[]> {
    return this.#inTurn(async () => (await this.#current()).ledger)
  }

  /** Warnings: unreadable files, invisible characters, too many imports. */
  async warnings(): Promise<readonly Warning[]> {
    return this.#inTurn(async () => (await this.#current()).selection.warnings)
  }

  /**
   * The prompt as it is now.
   *
   * @param since The prompt that the caller has, or its digest; `delta` is counted from there. Default: the last one
   * given without `since`.
   */
  async prompt(since?: Since): Promise<Prompt> {
    return this.#inTurn(async () => {
      const { selection } = await this.#current()
      const epoch = await this.#epochFor(selection)
      const has = lengthHeld(since ?? this.#last, epoch)
      const { digest, text, number, reason, cut } = epoch
      epoch.lengths.set(digest, text.length)
      const prompt = { text, delta: text.slice(has), epoch: number, reason, digest, cut }
      if (since === undefined) this.#last = prompt
      return prompt
    })
  }

  /** Begins a new epoch with the next prompt: when a conversation was compacted, or on the person's word. */
  rebase(): void {
    this.#inTurn(async () => {
      this.#rebase = true
    })
  }

  /**
   * Calls the listener when what applies has changed. Watches the files and directories that count now, those of the
   * home directory too; where the system has no watches left it looks twice a second, and less often where a look takes long.
   *
   * @returns How to stop it, and whether it has to look: `isPolling`.
   */
  async watch(listener: () => void): Promise<{ readonly isPolling: boolean; close(): Promise<void> }> {
    const { watchPaths } = await import('../../files/watch-tree.ts')
    const look = () => this.#inTurn(async () => traceOf((await this.#current()).selection))
    let seen: string | undefined = await look()
    const compare = async () => {
      const now = await look()
      if (seen === undefined || seen === now) return
      seen = now
      listener()
    }
    const watching = await watchPaths(this.#instructions.watched, compare)
    // Changes while the watching began.
    await compare()
    return {
      isPolling: watching.isPolling,
      async close() {
        seen = undefined
        await watching.close()
      },
    }
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** The current context, assembled again only after a change. */
  async #current() {
    await this.#instructions.refresh()
    const { generation } = this.#instructions
    if (this.#memo?.generation === generation) return this.#memo
    const { selection, ledger } = await assemble(this.#instructions.recipe(this.#count))
    this.#memo = { generation, selection, ledger }
    return this.#memo
  }

  async #epochFor(selection: Selection): Promise<PromptEpoch> {
    const grown = () => this.#epoch?.extend(selection, this.#budget, this.#count)
    const reason = !this.#epoch ? 'start' : this.#rebase ? 'rebase' : grown()
    this.#rebase = false
    if (this.#epoch && reason === undefined) return this.#epoch
    const most = this.#budget && Math.max(1, Math.floor(this.#budget * (1 - this.#reserve)))
    const sources = [{ name: 'instructions', kind: 'context', scope: 'project', gather: async () => selection }]
    const parts = { sources, render: this.#instructions.render, count: this.#count }
    const shown = await assemble(recipeFor('prompt', most, parts))
    const number = (this.#epoch?.number ?? 0) + 1
    this.#epoch = new PromptEpoch(this.#instructions, { number, reason: reason ?? 'start', selection, shown })
    return this.#epoch
  }
}

/** How much of the epoch's text the caller has: 0 when what it has is of another epoch. */
function lengthHeld(since: Since | undefined, epoch: PromptEpoch): number {
  const { digest, epoch: number } = typeof since === 'string' ? { digest: since } : (since ?? { digest: undefined })
  if (digest === undefined || (number !== undefined && number !== epoch.number)) return 0
  return epoch.lengths.get(digest) ?? 0
}

/** The same for two selections that show the same files and leave the same. */
function traceOf({ kept, left }: Selection): string {
  return digestFiles([
    ...kept.map(({ title, text }) => ({ name: title, content: text })),
    ...left.map(({ title, why }) => ({ name: title, content: why })),
  ])
}

function validReserve(reserve: number): number {
  if (reserve >= 0 && reserve <= 1) return reserve
  throw invalidInput(`The reserve is ${reserve}.`, 'Give a part of the budget: 0.25 keeps a quarter.')
}
