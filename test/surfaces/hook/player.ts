/** Plays a tool's part: it says what the tool would say to its hooks, and gives what its model would see. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWith } from '../../../src/open.ts'
import { hook } from '../../../src/surfaces/hook/hook.ts'

export interface HookAnswer {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A tree of files, and a place where sessions are remembered. */
export class Stage {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-hook-')))
  readonly project = join(this.base, 'project')
  readonly state = join(this.base, 'state')
  readonly home = join(this.base, 'home')
  readonly variables: Record<string, string> = {}
  /** There is none unless a test makes it. */
  readonly db = join(this.base, 'ambit.db')

  close(): void {
    rmSync(this.base, { recursive: true, force: true })
  }

  at(name: string): string {
    return join(this.project, name)
  }

  /** What the hook answers to an event; a text is said as it is. */
  async answer(argv: readonly string[], event: object | string | undefined): Promise<HookAnswer> {
    const [agent = '', named] = argv.filter((word) => word !== '--task')
    let [out, err] = ['', '']
    const config = { state: this.state, home: this.home, db: this.db, file: undefined, unknown: [] }
    const code = await hook({
      agent,
      event: named,
      task: argv.includes('--task'),
      debug: false,
      variable: (name) => this.variables[name],
      open: async () => openWith(config),
      input: async () => (typeof event === 'object' ? JSON.stringify(event) : event),
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
    })
    return { code, out, err }
  }
}
