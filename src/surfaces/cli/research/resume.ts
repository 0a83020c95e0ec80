import { parseArgs } from 'node:util'
import { UsageError } from '../../../core/errors.ts'
import { parsed } from '../ask.ts'

/** What was typed behind `research resume`. @throws UsageError */
export function resumeOptions(argv: readonly string[]) {
  const options = {
    out: { type: 'string' },
    db: { type: 'string' },
    json: { type: 'boolean' },
    format: { type: 'string' },
  } as const
  const { values, positionals } = parsed(
    () => parseArgs({ args: [...argv], options, allowPositionals: true }),
    'research resume',
  )
  const [id = '', ...more] = positionals
  if (id === '' || more.length > 0) throw new UsageError('Give the id of one session.', 'See ambit research list.')
  return { id, out: values.out, db: values.db, json: values.json === true || values.format === 'json' }
}
