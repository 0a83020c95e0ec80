/** The files of deploy/, read to be held against what the program knows. */

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { commands } from '../../src/operations/index.ts'
import { serveOptions } from '../support/serve-options.ts'

export const read = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

export type Fields = Record<string, unknown>

/** The value at a path of names and numbers; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((one, name) => Object(one)[name], value)
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const texts = (value: unknown): string[] => list(value).map(String)
export const fields = (value: unknown): Fields => Object(value)

/** The documents of a file. @throws YAMLParseError for what is not YAML, such as a key that stands twice. */
export const documents = (text: string): unknown[] =>
  parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error
    return document.toJS()
  })

/** Commands that the program has. */
const COMMANDS = new Set([...commands.map(({ name, command = name }) => command)])

/** What is wrong with the words after the program's name. */
export function wordProblems([command = '', ...words]: readonly string[]): string[] {
  if (!COMMANDS.has(command)) return [`There is no command ${command}`]
  try {
    if (command === 'serve') serveOptions(words)
    else if (words.length > 0) return [`${command} is given words`]
    return []
  } catch (error) {
    return [String(error)]
  }
}

/** Whether an image has a version that is not just the newest. */
export const isPinned = (image: string) => /^[\w./-]+:(?!latest$)[\w.-]*\d[\w.-]*$/.test(image)

/** Secrets by what they are called: their values are from elsewhere. */
export const SECRET = /TOKEN|PASSWORD|SECRET|ACCESS_KEY|DATABASE_URL/

/** What every process of one database is told alike: where the database is, where uploads are, and how S3 is reached. */
const SHARED = /^(AMBIT_DATABASE_URL|AMBIT_OBJECTS|AMBIT_S3_\w+|AWS_\w+)$/
const NEEDED = ['AMBIT_DATABASE_URL', 'AMBIT_OBJECTS']

/** What of it containers of Ambit lack or are told otherwise; each by its name, with the environment that it has. */
export function sharedProblems(containers: Readonly<Record<string, Fields>>): string[] {
  const all = Object.entries(containers)
  const told = all.flatMap(([, environment]) => Object.keys(environment)).filter((name) => SHARED.test(name))
  return [...new Set([...NEEDED, ...told])].flatMap((name) => {
    const expected = all.map(([, environment]) => environment[name]).find((value) => value !== undefined)
    return all
      .filter(([, environment]) => !(name in environment) || !isDeepStrictEqual(environment[name], expected))
      .map(([container]) => `${container} is not told the same ${name}`)
  })
}

/** The version that images of Ambit have in deploy/. */
export const VERSION = String(JSON.parse(readFileSync('package.json', 'utf8')).version)

/** What a server takes longer than `--drain` to end, at most, with something to spare. Seconds. */
const SPARE = 10

/** The variable by which the collector's file tells apart what it reads. */
export const INSTANCE = 'INSTANCE'

/** What is wrong with how a container is counted, where it serves; `collectors` are on the same loopback. */
export function countProblems(words: readonly string[], collectors: readonly Fields[]): string[] {
  if (words[0] !== 'serve' || wordProblems(words).length > 0) return []
  return [
    ...(serveOptions(words.slice(1)).openMetrics ? [] : ['tells a collector nothing']),
    ...(collectors.length === 1 ? [] : [`is read by ${collectors.length} collectors`]),
    ...collectors.flatMap((environment) =>
      INSTANCE in environment ? [] : ['is one of many that cannot be told apart'],
    ),
  ]
}

/** Whether it is the image of the collector. */
export const isCollector = (image: string) => image.includes('/opentelemetry-collector')

/** What is wrong with how long a container may take to end; `pause` is before it hears of its end. Seconds. */
export function endProblems(words: readonly string[], seconds: unknown, pause = 0): string[] {
  if (words[0] !== 'serve' || wordProblems(words).length > 0) return []
  const least = pause + serveOptions(words.slice(1)).drain + SPARE
  return Number(seconds) >= least ? [] : [`is killed after ${seconds} seconds, and may take ${least}`]
}
