import { invalidInput } from '../../core/errors.ts'

/** `1` or `true`, `0` or `false`; undefined where it is not set. */
export function switchIn(environment: Readonly<Record<string, string | undefined>>, name: string): boolean | undefined {
  const value = environment[name]
  if (!value) return undefined
  if (/^(1|true|0|false)$/.test(value)) return value === '1' || value === 'true'
  throw invalidInput(`${name} is ${JSON.stringify(value)}.`, 'Set it to 1 or to 0.')
}
