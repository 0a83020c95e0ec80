import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openWith } from '../../src/open.ts'
import { aliases, commands } from '../../src/operations/index.ts'
import { runCli } from '../../src/surfaces/cli/cli.ts'
import type { Stream } from '../../src/surfaces/cli/streams.ts'
import { tree } from '../support/tree.ts'

/*
 * What command lines print, in the tree that transcripts/tree.txt plants. A line of the other files there is one: `@` is the root, `%` a line
 * end. "(tty)" before it: on a terminal with colours; "plant" and "delete" change the tree.
 */

const NAMES = ['load', 'agents', 'library']

/** The words of a line, as a shell has them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(([word, quoted, other]) => quoted ?? other ?? word)
}

/** An object of JSON as lines: one for each field, and for each element of a list of objects. */
function spread(text: string): string {
  if (!/^\{(?!"type").*\}\n?$/.test(text)) return text
  const lines = Object.entries(JSON.parse(text)).flatMap(([name, value]) =>
    Array.isArray(value) && typeof value[0] === 'object'
      ? [`${name}:`, ...value.map((one) => `  ${JSON.stringify(one)}`)]
      : [`${name}: ${JSON.stringify(value)}`],
  )
  return lines.join('\n')
}

/** Without what differs from run to run, and with the length of the root. */
function steady(text: string, base: string): string {
  return text
    .replaceAll(base, '@')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\u001b\[2m\d+ tokens\u001b\[22m */g, 'N ')
    .replaceAll(/("files":\d+,"tokens":)\d+/g, '$1N')
    .replaceAll(/\b(ms|bytes|seconds|(?:semanticV|v)ersion)("?: ?)("?)[\d.]+/g, '$1$2$3N')
    .replaceAll(/\b\d+(?:[.,]\d+)? (?:kB|MB|ms|s)\b/g, 'N')
    .replaceAll(/("uri":"[^"]*","digest":)"[0-9a-f]{16}"/g, '$1"DIGEST"')
    .replaceAll(/ambit_[\w-]{20,}/g, 'SECRET')
    .replaceAll(/\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b/g, 'ID')
}

const DIRECTORY = process.cwd()
afterEach(() => process.chdir(DIRECTORY))

it.each(NAMES)('the transcript of %s is this', async (name) => {
  const scripts = ['tree', name].map((script) => join(import.meta.dirname, 'transcripts', `${script}.txt`))
  const lines = scripts.flatMap((script) => readFileSync(script, 'utf8').split('\n'))
  using planted = tree({})
  process.chdir(planted.base)
  const at = (path: string) => planted.at(path.replace('@/', ''))
  const engine = openWith({
    db: planted.at('db'),
    home: at('home'),
    state: at('state'),
    file: at('config.yaml'),
    unknown: [],
    embedding: false,
  })
  const shown: string[] = []
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const isTerminal = line.startsWith('(tty) ')
    const [first = '', ...rest] = wordsOf(line.replace('(tty) ', ''))
    const words = rest.map((word) => word.replaceAll('%', '\n'))
    if (first === 'plant') planted.plant({ [words[0]?.replace('@/', '') ?? '']: words[1] ?? '' })
    else if (first === 'delete') rmSync(at(words[0] ?? ''), { recursive: true })
    else {
      const said: string[] = []
      const stream = (mark: string): Stream => {
        const write = (text: string) =>
          void said.push(
            ...spread(text)
              .split('\n')
              .map((one) => `${mark}${one}`),
          )
        const bytes = async (more: Uint8Array) => write(new TextDecoder().decode(more))
        return {
          isTerminal,
          write,
          draw: write,
          bytes,
          look: { isTerminal, plain: !isTerminal, columns: isTerminal ? 160 : undefined },
        }
      }
      const argv = [first, ...words].map((word) => word.replaceAll('@', planted.base))
      const open = async () => ({ ...engine, close: async () => {} })
      const streams = { out: stream(''), err: stream('! '), canAsk: false }
      const code = await runCli({
        argv,
        commands,
        aliases,
        runners: {},
        debug: false,
        plain: !isTerminal,
        open,
        streams,
      })
      shown.push(
        `$ ${line}`,
        ...said.filter((one) => one.trim() !== '!' && !one.startsWith('! {"type":"progress"')),
        ...(code === 0 ? [] : [`(${code})`]),
      )
    }
  }
  await engine.close()
  await expect(steady(shown.join('\n'), planted.base)).toMatchFileSnapshot(`snapshots/transcripts/${name}.txt`)
})
