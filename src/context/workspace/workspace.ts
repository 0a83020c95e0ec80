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
  /** Maximum tokens of a prompt's text. A whole number ≥ 1. Default: no limit. */
  readonly budget?: number
  /** The share of the budget, from 0 to 1, that the first text of an epoch reserves for later files. Default: 0.25. */
  readonly reserve?: number
  /** The token counter. Default: `bytes4`. */
  readonly count?: Count
}

/** The instructions as a stable prompt. */
export interface Prompt {
  /** The whole text to send: within an epoch, the previous text plus `delta`, byte for byte. */
  readonly text: string
  /**
   * The part of `text` that the reader lacks: new files; and with the attribute `update`, replacements of sent files or
   * of their changed sections, and notices about files that no longer apply. The whole text if the reader's epoch has
   * ended; `''` if nothing is new.
   */
  readonly delta: string
  /** The number of the epoch, from 1. In a new epoch, `text` replaces all texts that were sent before. */
  readonly epoch: number
  /**
   * Why the epoch began. `start`: the first prompt. `rebase`: after `rebase()`. The first change of a sent file, such
   * as `changed: AGENTS.md`: more than half of the text was no longer valid, or the text with the change exceeded the
   * budget. `reserve spent`: new files exceeded the budget.
   */
  readonly reason: string
  /** SHA-256, hex, of the shown files by root-relative names: equal for two checkouts. */
  readonly digest: string
  /** Files of this epoch that the budget cut or left out; empty if all are whole. */
  readonly cut: readonly LedgerRow[]
}

/** Identifies the prompt that a caller has: its digest, and optionally its epoch, if two epochs have equal texts. */
export type Since = (Pick<Prompt, 'digest'> & Partial<Pick<Prompt, 'epoch'>>) | string

/**
 * The instruction files that apply to an agent's working directory and touched paths, kept current, as a prompt that only grows: by new files, and by
 * replacements of sent parts.
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
  #mustRebase = false
  #lastPrompt: Since | undefined
  #lastAssembled?: { readonly generation: number; readonly selection: Selection; readonly ledger: readonly LedgerRow[] }
  /** The current call. Calls run one after the other. */
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
   * @throws ContextError `not-found` if `cwd` or `root` does not exist; `denied` if the root is a directory of the operating system; `invalid-input` for a
   * bad option.
   */
  static async open(options: WorkspaceOptions = {}): Promise<Workspace> {
    return new Workspace(options)
  }

  /** Absolute path of the project's root. */
  get root(): string {
    return this.#instructions.root
  }

  /**
   * Records that a path was read or written, existing or not; relative to the working directory. Lists only directories that become relevant. A path
   * outside of the root gets a row in the ledger, and is never read.
   */
  async touch(path: string): Promise<void> {
    return this.#inTurn(async () => this.#instructions.tree.touch(path))
  }

  /** The instruction files that apply, the most specific first, the user's own last; ties by path. */
  async relevantContexts(): Promise<readonly InstructionContext[]> {
    return this.#inTurn(async () => {
      const { selection } = await this.#current()
      return selection.kept.flatMap((fragment) => this.#instructions.contextOf(fragment) ?? [])
    })
  }

  /** A row for every considered file: the decision and the reason, without decisions of a prompt's budget. */
  async ledger(): Promise<readonly LedgerRow[]> {
    return this.#inTurn(async () => (await this.#current()).ledger)
  }

  /** Warnings: unreadable files, invisible characters, too many imports. */
  async warnings(): Promise<readonly Warning[]> {
    return this.#inTurn(async () => (await this.#current()).selection.warnings)
  }

  /**
   * The current prompt.
   *
   * @param since The prompt that the caller has, or its digest, from which `delta` begins. Default: the last prompt without `since`.
   */
  async prompt(since?: Since): Promise<Prompt> {
    return this.#inTurn(async () => {
      const { selection } = await this.#current()
      const epoch = await this.#epochFor(selection)
      const heldLength = lengthHeld(since ?? this.#lastPrompt, epoch)
      const { digest, text, number, reason, cut } = epoch
      epoch.lengths.set(digest, text.length)
      const prompt = { text, delta: text.slice(heldLength), epoch: number, reason, digest, cut }
      if (since === undefined) this.#lastPrompt = prompt
      return prompt
    })
  }

  /** Makes the next prompt begin a new epoch, for example after a conversation was compacted. */
  rebase(): void {
    this.#inTurn(async () => {
      this.#mustRebase = true
    })
  }

  /**
   * Calls the listener after a change of the context. Watches the relevant files and directories, also in the home
   * directory. If the system has no watches left, polls twice a second, or less often if a poll takes long.
   *
   * @returns `close` ends the watching. `isPolling`: whether it polls.
   */
  async watch(listener: () => void): Promise<{ readonly isPolling: boolean; close(): Promise<void> }> {
    const { watchPaths } = await import('../../files/watch-tree.ts')
    const readTrace = () => this.#inTurn(async () => traceOf((await this.#current()).selection))
    let lastTrace: string | undefined = await readTrace()
    const compare = async () => {
      const trace = await readTrace()
      if (lastTrace === undefined || lastTrace === trace) return
      lastTrace = trace
      listener()
    }
    const watching = await watchPaths(this.#instructions.watched, compare)
    // Finds changes during the start of watching.
    await compare()
    return {
      isPolling: watching.isPolling,
      async close() {
        lastTrace = undefined
        await watching.close()
      },
    }
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** The current context. Assembles again only after a change. */
  async #current() {
    await this.#instructions.refresh()
    const { generation } = this.#instructions
    if (this.#lastAssembled?.generation === generation) return this.#lastAssembled
    const { selection, ledger } = await assemble(this.#instructions.recipe(this.#count))
    this.#lastAssembled = { generation, selection, ledger }
    return this.#lastAssembled
  }

  async #epochFor(selection: Selection): Promise<PromptEpoch> {
    const extendEpoch = () => this.#epoch?.extend(selection, this.#budget, this.#count)
    const reason = !this.#epoch ? 'start' : this.#mustRebase ? 'rebase' : extendEpoch()
    this.#mustRebase = false
    if (this.#epoch && reason === undefined) return this.#epoch
    const maxTokens = this.#budget && Math.max(1, Math.floor(this.#budget * (1 - this.#reserve)))
    const sources = [{ name: 'instructions', kind: 'context', scope: 'project', gather: async () => selection }]
    const parts = { sources, render: this.#instructions.render, count: this.#count }
    const shown = await assemble(recipeFor('prompt', maxTokens, parts))
    const number = (this.#epoch?.number ?? 0) + 1
    this.#epoch = new PromptEpoch(this.#instructions, { number, reason: reason ?? 'start', selection, shown })
    return this.#epoch
  }
}

/** The length of the text that the caller has in this epoch; 0 for a text of another epoch. */
function lengthHeld(since: Since | undefined, epoch: PromptEpoch): number {
  const { digest, epoch: number } = typeof since === 'string' ? { digest: since } : (since ?? { digest: undefined })
  if (digest === undefined || (number !== undefined && number !== epoch.number)) return 0
  return epoch.lengths.get(digest) ?? 0
}

/** A digest that is equal for two selections with the same files in `kept` and in `left`. */
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
