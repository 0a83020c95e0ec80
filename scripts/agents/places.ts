/** Copies the instruction files and rules of a repository, without its programs, and adds a file to touch in each directory. */

import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { parseSettings } from '../../src/context/profiles/settings-file.ts'

/** A directory with instruction files, and all instruction files that apply there. Paths are relative to the root. */
export interface TouchedPlace {
  readonly directory: string
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

/** In a directory, the first of these files applies. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']
const SKIPPED = /(^|\/)(\.git|node_modules|vendor)(\/|$)/
/** Paths of instruction files and rules. */
const COPIED =
  /(^|\/)((AGENTS|CLAUDE|GEMINI)(\.local|\.override)?\.md|\.(cursor|claude|agents|windsurf)\/rules(\/.*)?|\.github\/(instructions(\/.*)?|copilot-instructions\.md)|\.claude\/CLAUDE\.md)$|^\.context\//
/** Keys of settings that are copied. Other keys may name programs. */
const SETTINGS = {
  '.gemini/settings.json': ['context', 'contextFileName'],
  '.claude/settings.json': ['claudeMdExcludes'],
  'opencode.json': ['instructions'],
} as const

/** Name of the file to touch in each directory. */
export const TOUCHED = 'touched.ts'
/** A word in the touched file. */
export const WORD = 'wordOfTouchedFile'

/** Copies instruction files and rules, and writes a file to touch beside them. Returns the directories below the root. */
export function preparePlaces(repository: string, project: string): readonly TouchedPlace[] {
  const paths = readdirSync(repository, { recursive: true, encoding: 'utf8' })
  const copied = paths.filter((path) => !SKIPPED.test(path) && COPIED.test(path)).sort()
  for (const path of copied) copyWithMentioned(repository, project, path)
  copySettings(repository, project)
  const directories = new Set(copied.filter((path) => NAMES.includes(basename(path))).map((path) => dirname(path)))
  return [...directories].flatMap((directory) => {
    if (directory === '.' || /(^|\/)\./.test(directory)) return []
    writeFileSync(join(project, directory, TOUCHED), `export const ${WORD} = 1\n`)
    return [{ directory, files: filesAt(project, directory) }]
  })
}

/** Copies a file and the files that it may import: paths after an `@`, and in a short text all paths. */
function copyWithMentioned(repository: string, project: string, path: string): void {
  const [from, to] = [join(repository, path), join(project, path)]
  const isOutside = path.startsWith('..') || SKIPPED.test(path) || lstatSync(to, { throwIfNoEntry: false })
  if (isOutside || !lstatSync(from, { throwIfNoEntry: false }) || lstatSync(from).isDirectory()) return
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { verbatimSymlinks: true })
  const text = lstatSync(from).isFile() ? readFileSync(from, 'utf8') : ''
  const mentioned = [...text.matchAll(text.length > 600 ? /@([\w./-]*\w)/g : /([\w./-]*\w)/g)]
  for (const [, name = ''] of mentioned) copyWithMentioned(repository, project, join(dirname(path), name))
}

function copySettings(repository: string, project: string): void {
  for (const [name, keys] of Object.entries(SETTINGS)) {
    const path = join(repository, name)
    const settings = existsSync(path) ? parseSettings(readFileSync(path, 'utf8')) : undefined
    const copied = Object.entries(Object(settings)).filter(([key]) => keys.some((one) => one === key))
    if (copied.length === 0) continue
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), JSON.stringify(Object.fromEntries(copied)))
  }
}

function filesAt(project: string, directory: string): TouchedPlace['files'] {
  const file = NAMES.map((name) => join(project, directory, name)).find((path) => existsSync(path))
  const files = directory === '.' ? [] : filesAt(project, dirname(directory))
  return file === undefined ? files : [...files, { path: relative(project, file), text: readFileSync(file, 'utf8') }]
}
