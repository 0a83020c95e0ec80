/**
 * What leaves by HTTP and by a command line: a reader sees all of it, and a program gets the text as it was.
 *
 * @module-tag long
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { neutralise, serializeVisibly } from '../../src/text/invisible.ts'
import { ROOT } from '../source-files.ts'
import { tree } from '../support/tree.ts'
import { appOf, ask, post } from './http/support.ts'
import { plantHostile } from './mcp/hostile.ts'

/** Tags, an override, a blank of no width, a selector, a control of a terminal. */
const HIDDEN = '\u{e0049}\u{e0067}\u202e\u200b\u{e0100}\u009b2J'
const UNSEEN = /[\u007f-\u009f\u200b\u202e\u{e0000}-\u{e0fff}]/u

let planted: Awaited<ReturnType<typeof plantHostile>>
beforeAll(async () => {
  planted = await plantHostile(HIDDEN)
})
afterAll(() => planted[Symbol.asyncDispose]())

/** What is asked of each operation: each of its inputs is one of these, by turns. */
function inputsOf(name: string): Record<string, unknown>[] {
  const operation = operations.find((one) => one.name === name)
  const schema = operation?.input.json() as { properties?: Record<string, { type?: string; enum?: string[] }> }
  const fields = Object.entries(schema.properties ?? {})
  const values = ['docs', 'docs/a.md', 'word', 'docs/team/data', `docs/${planted.name}/${planted.name}.md`, HIDDEN]
  return values.map((value) =>
    Object.fromEntries(
      fields.flatMap(([field, { type, enum: choices }]) => {
        if (choices !== undefined || !['string', 'array'].includes(type ?? '')) return []
        const isNeeded = [
          'place',
          'path',
          'query',
          'name',
          'uri',
          'pattern',
          'package',
          'task',
          'file',
          'names',
        ].includes(field)
        return isNeeded ? [[field, type === 'array' ? [value] : value]] : []
      }),
    ),
  )
}

describe('what leaves by HTTP', () => {
  const read = operations.filter(({ effect, isAlone, name }) => effect === 'read' && !isAlone && name !== 'doctor')

  it('holds nothing that is not seen, of any operation that reads, in answers and in errors', async () => {
    const app = appOf({ engine: planted.engine, operations: [...operations] })
    const texts: string[] = []
    for (const { name } of read) {
      for (const input of inputsOf(name)) {
        const response = await app.fetch(
          new Request(`http://127.0.0.1:7377/api/${name}`, {
            ...post(input),
            headers: {
              ...post(input).headers,
              host: '127.0.0.1:7377',
              authorization: `Bearer ${(await import('./http/support.ts')).TOKEN}`,
            },
          }),
        )
        texts.push(await response.text())
        expect([name, input, UNSEEN.exec(texts.at(-1) ?? '')?.index]).toEqual([name, input, undefined])
      }
    }
    expect(texts.length).toBeGreaterThan(100)
    // They reached the operations: what is escaped comes back as it was.
    const told = texts.filter((text) => text.includes('\\udb40'))
    expect(told.length).toBeGreaterThan(20)
    expect(told.every((text) => UNSEEN.test(JSON.stringify(JSON.parse(text))))).toBe(true)
  })

  it('holds nothing that is not seen in problems and events', async () => {
    const app = appOf({ engine: planted.engine, operations: [...operations] })
    const { body: text } = await ask(app, '/api/search', {
      ...post({ query: 'word' }),
      headers: { ...post({}).headers, accept: 'text/event-stream' },
    })
    expect(text).toContain('\\udb40')
    expect(text).not.toMatch(UNSEEN)
  })
})

describe('what leaves by a command line', () => {
  it('holds nothing that is not seen, as text and as JSON', () => {
    using at = tree({
      'docs/a.md': `# Lion ${HIDDEN}\n\nA lion ${HIDDEN} sleeps.\n`,
      [`docs/${HIDDEN}.md`]: 'A lion runs.\n',
      'AGENTS.md': `# Be kind ${HIDDEN}\n`,
      '.git/': '',
    })
    const env = { PATH: process.env.PATH, HOME: at.base, AMBIT_DB: at.at('a.db') }
    const run = (...words: string[]) => {
      const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'src/bin.ts'), ...words], {
        cwd: at.base,
        env,
        encoding: 'utf8',
      })
      return stdout + stderr
    }
    execFileSync(process.execPath, [join(ROOT, 'src/bin.ts'), 'collection', 'add', 'docs', 'docs'], {
      cwd: at.base,
      env,
    })
    run('index')
    run('context', 'add', 'docs', `about ${HIDDEN.slice(0, -3)}`)
    const commands = [
      ['search', 'lion'],
      ['get', 'docs/a.md'],
      ['ls', 'docs'],
      ['browse', 'docs'],
      ['load', '.'],
      ['context', 'list'],
    ]
    for (const words of commands) {
      const [text, json] = [run(...words), run(...words, '--json')]
      expect([words, neutralise(text).removed, neutralise(json).removed]).toEqual([words, 0, 0])
      expect([words, UNSEEN.test(json)]).toEqual([words, false])
    }
    expect(run('get', 'docs/a.md', '--json')).toContain('\\u202e')
    expect(run('get', `nothing${HIDDEN}`, '--json')).not.toMatch(UNSEEN)
  })
})

it.each(['', 'plain é 漢 🎉', HIDDEN, 'a\u200db', '👨‍👩‍👧', '\u00ad'])(
  'JSON of %j is that of the same text',
  (text) => {
    const json = serializeVisibly({ [text]: [text] })
    expect(JSON.parse(json)).toEqual({ [text]: [text] })
    expect(json).not.toMatch(UNSEEN)
  },
)
