/** Programs that are killed. */

import { join } from 'node:path'
import { LineProcess } from '../../test/support/line-process.ts'

/** A program of children/, by what it says; `under`: the words of a command that runs it. */
export class Child extends LineProcess {
  constructor(
    program: string | { readonly name: string; readonly under: readonly string[] },
    ...given: readonly unknown[]
  ) {
    const { name, under } = typeof program === 'string' ? { name: program, under: [] } : program
    const script = join(import.meta.dirname, 'children', `${name}.ts`)
    super([...under, process.execPath, script, JSON.stringify(given)])
  }
}
