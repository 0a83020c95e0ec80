import { ContextError } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'

/** There is no package of that name: whoever knows other names may tell those that are near. */
export class NoPackage extends ContextError {
  constructor(name: string, { uri }: Pick<Objects, 'uri'>) {
    super('not-found', `There is no package ${name} in ${uri}.`, {
      hint: '"ambit package list" shows which there are.',
    })
  }
}
