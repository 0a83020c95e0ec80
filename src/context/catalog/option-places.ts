import { UsageError } from '../../core/errors.ts'
import type { LoadRequest } from '../load.ts'

type Option = Exclude<keyof LoadRequest, 'place'> | 'withContextDir'

/**
 * Which options of `load` are honoured in a collection, a bucket or a package; on disk all are. `home: false` and its like are
 * honoured: they leave out what is not there.
 */
const IN_OBJECTS: Readonly<Record<Option, boolean>> = {
  budget: true,
  format: true,
  touched: false,
  task: true,
  code: false,
  signatures: false,
  rewrite: false,
  profile: false,
  order: true,
  tokens: true,
  home: true,
  instructions: false,
  drift: true,
  known: true,
  full: true,
  withContextDir: true,
}

/** What an option is when it is not given. */
const PRESET: Readonly<Partial<Record<Option, unknown>>> = { instructions: true, code: false, signatures: false }

/** @throws UsageError for an option that only places on disk honour. */
export function assertHonoured(request: object): void {
  const given = Object.entries(request).find(
    ([name, value]) => Reflect.get(IN_OBJECTS, name) === false && isGiven(name, value),
  )
  if (!given) return
  const [name] = given
  throw new UsageError(`${name} is only for places on disk.`, 'Leave it out, or give a directory or file on disk.')
}

function isGiven(name: string, value: unknown): boolean {
  return value !== undefined && value !== Reflect.get(PRESET, name) && !(Array.isArray(value) && value.length === 0)
}
