import { describe, expect, it } from 'vitest'
import { rephraseCommands } from '../../src/operations/command-hints.ts'
import { operations } from '../../src/operations/index.ts'

const KNOWN = operations.filter(({ name }) => ['ls', 'contexts.add', 'contexts.list', 'embed'].includes(name))

function told(text: string): string {
  return rephraseCommands(text, KNOWN, ({ name }, inputs) => `${name}${JSON.stringify(inputs)}`)
}

describe('command lines in a sentence', () => {
  it.each([
    ['See "ambit ls docs".', 'See ls{"place":"docs"}.'],
    ['See "ambit ls".', 'See ls{}.'],
    ['See "ambit ls a b.md".', 'See ls{"place":"a b.md"}.'],
    [`Write: ambit context add 'a b' TEXT`, 'Write: contexts.add{"path":"a b","text":"TEXT"}'],
    ['Write: ambit context add docs TEXT.', 'Write: contexts.add{"path":"docs","text":"TEXT"}.'],
    [
      'Write: ambit context add a.md TEXT. If not: ambit context add / a.md',
      'Write: contexts.add{"path":"a.md","text":"TEXT"}. If not: contexts.add{"path":"/","text":"a.md"}',
    ],
    ['Run "ambit embed --force" to recompute all of them.', 'Run embed{"force":true} to recompute all of them.'],
    ['Find it: "ambit ls docs --match LETTERS".', 'Find it: ls{"place":"docs","match":"LETTERS"}.'],
    ['Remove it (ambit context add docs T), or not.', 'Remove it (contexts.add{"path":"docs","text":"T"}), or not.'],
    ['See "ambit context list", or "ambit ls".', 'See contexts.list{}, or ls{}.'],
  ])('are told otherwise: %s', (text, other) => {
    expect(told(text)).toBe(other)
  })

  it.each([
    '',
    'Run "ambit index --rebuild".',
    'See "ambit context".',
    'This is a bug in ambit.',
    'It is "ambit".',
    'gambit ls x',
  ])('are left where there are none that are known: %j', (text) => {
    expect(told(text)).toBe(text)
  })

  it('are left where there is nothing else to tell', () => {
    expect(rephraseCommands('See "ambit ls".', KNOWN, () => undefined)).toBe('See "ambit ls".')
  })
})
