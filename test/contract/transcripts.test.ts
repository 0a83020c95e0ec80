import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { openWith } from '../../src/open.ts'
import { aliases, commands, operations } from '../../src/operations/index.ts'
import { ask } from '../../src/surfaces/cli/ask.ts'
import { runCli, type ServiceRunners } from '../../src/surfaces/cli/cli.ts'
import { research, resumeResearch } from '../../src/surfaces/cli/research.ts'
import type { Stream } from '../../src/surfaces/cli/streams.ts'
import { tree } from '../support/tree.ts'

/*
 * What command lines print, in the tree that transcripts/tree.txt plants. A line of the other files there is one: `@` is the root, `%` a line
 * end. "(tty)" before it: on a terminal with colours; "plant" and "delete" change the tree.
 */

const NAMES = ['load', 'agents', 'library', 'talk', 'usage']

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
    .replaceAll(/^[0-9a-f]{8}(?= {2}\w+ +\d{4}-)/gm, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d(?: \d\d:\d\d\b|T[\d:.]+Z)/g, 'TIME')
    .replaceAll(/\u001b\[2m\d+ tokens\u001b\[22m */g, 'N ')
    .replaceAll(/("files":\d+,"tokens":)\d+/g, '$1N')
    .replaceAll(/\b(ms|bytes|seconds|(?:semanticV|v)ersion)("?: ?)("?)[\d.]+/g, '$1$2$3N')
    .replaceAll(/\b\d+(?:[.,]\d+)? (?:kB|MB|ms|s)\b/g, 'N')
    .replaceAll(/("uri":"[^"]*","digest":)"[0-9a-f]{16}"/g, '$1"DIGEST"')
    .replaceAll(/ambit_[\w-]{20,}/g, 'SECRET')
    .replaceAll(/\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b/g, 'ID')
}

/** Streams, and what is said on them: of a picture that is drawn again and again, the last. */
function capture(isTerminal: boolean) {
  const said: string[] = []
  let isPicture = false
  const stream = (mark: string): Stream => {
    const write = (text: string) => {
      said.push(
        ...spread(text)
          .split('\n')
          .map((line) => `${mark}${line}`),
      )
      isPicture = false
    }
    const draw = (text: string) => {
      if (text.includes('\u001b[2K') && isPicture) said.pop()
      if (!text.includes('\u001b[2K')) return write(text)
      const picture = text.replaceAll(/\r?\u001b\[(?:2K|\d+A)/g, '')
      isPicture = picture !== ''
      if (isPicture) said.push(picture)
    }
    const display = { isTerminal, plain: !isTerminal, columns: isTerminal ? 160 : undefined }
    return { isTerminal, write, draw, bytes: async (more) => write(new TextDecoder().decode(more)), display }
  }
  const lines = () => said.filter((one) => one.trim() !== '!' && !one.startsWith('! {"type":"progress"'))
  return { lines, streams: { out: stream(''), err: stream('! '), canAsk: false } }
}

const DIRECTORY = process.cwd()
afterEach(() => {
  process.chdir(DIRECTORY)
  vi.unstubAllEnvs()
})

it.each(NAMES)('the transcript of %s is this', async (name) => {
  const scripts = ['tree', name].map((script) => join(import.meta.dirname, 'transcripts', `${script}.txt`))
  const lines = scripts.flatMap((script) => readFileSync(script, 'utf8').split('\n'))
  using planted = tree({})
  process.chdir(planted.base)
  vi.stubEnv('AMBIT_MODEL', undefined)
  const at = (path: string) => planted.at(path)
  const paths = { db: at('db'), home: at('home'), state: at('state'), file: at('config.yaml') }
  const engine = openWith({ ...paths, unknown: [], embedding: false })
  const open = async () => ({ ...engine, close: async () => {} })
  const shown: string[] = []
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const plain = !line.startsWith('(tty) ')
    const [first = '', ...rest] = wordsOf(line.replace('(tty) ', ''))
    const words = rest.map((word) => word.replaceAll('%', '\n'))
    if (first === 'plant') planted.plant({ [words[0] ?? '']: words[1] ?? '' })
    else if (first === 'delete') rmSync(at(words[0] ?? ''), { recursive: true })
    else {
      const { lines: said, streams } = capture(!plain)
      const argv = [first, ...words].map((word) => word.replaceAll('@', planted.base))
      const parts = { plain, operations, open, streams }
      const runners = {
        ask: (input, flags) => ask(input, flags, parts),
        research: (input, flags) => research(input, flags, parts),
        'research.resume': (input, flags) => resumeResearch(input, flags, parts),
      } satisfies Partial<ServiceRunners>
      const code = await runCli({ argv, commands, aliases, runners, debug: false, plain, open, streams })
      shown.push(`$ ${line}`, ...said(), ...(code === 0 ? [] : [`(${code})`]))
    }
  }
  await engine.close()
  await expect(steady(shown.join('\n'), planted.base)).toMatchFileSnapshot(`snapshots/transcripts/${name}.txt`)
})
