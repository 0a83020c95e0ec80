/** Texts whose time grew with the square or the cube of their length: each is read at once by the door that it comes in by. */

import { expect, it } from 'vitest'
import { rootMarkersFor, withSettings } from '../../src/context/profiles/settings.ts'
import { findProfile } from '../../src/context/profiles.ts'
import { objectIn } from '../../src/research/model/ask.ts'
import { splitQuestion } from '../../src/text/questions.ts'
import { type Shape, tree } from '../support/tree.ts'

/** Reads the settings of a tool as load and diff do. */
const settings = (name: string, shape: Shape) => async () => {
  using at = tree(shape)
  await withSettings(findProfile(name), { root: at.base, home: at.base })
  await rootMarkersFor(findProfile(name), at.base, at.base)
}
const lines = '\n'.repeat(200_000)
const blanks = ' '.repeat(4000)

it.each<[string, () => unknown]>([
  ['config.toml with empty lines', settings('codex', { '.codex/config.toml': `${lines}project_doc_` })],
  ['config.yaml with empty lines', settings('kodelet', { 'kodelet-config.yaml': `${lines}x` })],
  ['config.yaml with lines of one key', settings('kodelet', { 'kodelet-config.yaml': 'a:\n'.repeat(40_000) })],
  ['a question with blanks', () => splitQuestion(`When?${blanks}x`)],
  ['a question of many parts', () => splitQuestion(`When,${blanks}x`.repeat(4))],
  ['an answer with empty lines', () => expect(objectIn(`\`\`\`${lines}`)).toBeUndefined()],
])('%s is read in linear time', async (_, read) => {
  const began = process.cpuUsage()
  await read()
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(1500)
})

it.each([
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['\n ```\r\n{"a":\n1}\r\n``` \n', { a: 1 }],
  [' {"a":1} ', { a: 1 }],
])('an answer %j holds one object', (text, value) => {
  expect(objectIn(text)).toEqual(value)
})
