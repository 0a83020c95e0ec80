import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TOKEN_KINDS } from '../../src/text/secret-kinds.ts'
import { ROOT } from '../source-files.ts'

it('The reference lists the kinds of tokens that are recognised, and no others', () => {
  const guide = readFileSync(join(ROOT, 'docs/secrets.md'), 'utf8')
  const [, section = ''] = /## Tokens\n(.*)/s.exec(guide) ?? []
  const rows = [...section.matchAll(/^\| (.*?) \| (`.*`) \|$/gm)].flatMap(([, what = '', begins = '']) =>
    begins.split(', ').map((one) => `${what}: ${one.slice(1, -1).replaceAll('\\|', '|')}`),
  )
  const kinds = TOKEN_KINDS.map(([what, begins]) => `${what}: ${begins.replaceAll('\\.', '.')}`)
  expect(rows.toSorted()).toEqual(kinds.toSorted())
})
