import { expect, it } from 'vitest'
import { importsIn, instructionFile } from '../../../src/context/discovery/instruction-file.ts'
import { fc, forAll } from '../../support/property.ts'

it.each([
  [256, 0],
  [257, 1],
])('imports are read up to the 256th: of %i', async (count, warnings) => {
  const content = Array.from({ length: count }, (_, at) => `@${at}.md`).join('\n')
  const read = await instructionFile({ path: 'AGENTS.md', content, warnings: [] } as never)
  expect([read.imports.length, read.warnings.length]).toEqual([256, warnings])
})

it('a hostile text of any characters ends, with imports that stand in it', () =>
  forAll(
    2000,
    fc.string({ unit: fc.constantFrom('@', 'a', '.', '/', '`', '~', '\n', ' ', '>', '-', '\\') }),
    (text) => {
      for (const path of importsIn(text)) expect(text.replaceAll('\\ ', ' ')).toContain(`@${path}`)
    },
  ))
