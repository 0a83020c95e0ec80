import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitFrontMatter } from '../src/text/front-matter.ts'

/** A Markdown file of a folder of documentation. */
export interface Page {
  /** Path relative to the folder, with `/`. */
  readonly path: string
  /** From the front matter, else the first heading, else ''. */
  readonly title: string
  /** From the front matter, where it is on one line. */
  readonly description?: string
  /** The file without its front matter. */
  readonly body: string
}

/** The paths of the Markdown files under a folder, sorted; hidden folders are left out. */
export function pagePaths(dir: string): string[] {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(dir, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(path)
      else if (entry.isFile() && entry.name.endsWith('.md')) found.push(path)
    }
  }
  return found.sort()
}

/** Folders that programs usually skip when they index. */
const SKIPPED = /(^|\/)(node_modules|vendor|dist|build)(?=\/)/g

/** Renames folders that some programs would skip, so that all programs index the same files. */
export function unskippedPath(path: string): string {
  return path.replace(SKIPPED, '$1$2_')
}

export function pageOf(path: string, text: string): Page {
  const { matter = '', body } = splitFrontMatter(text)
  const rest = text.slice(body)
  const description = scalarOf(matter, 'description')
  return {
    path,
    title: scalarOf(matter, 'title') ?? firstHeading(rest),
    ...(description === undefined ? {} : { description }),
    body: rest,
  }
}

/** Reads the pages of a folder one at a time. */
export function* pagesOf(dir: string): Generator<Page> {
  for (const path of pagePaths(dir)) yield pageOf(path, readFileSync(join(dir, path), 'utf8'))
}

/** A value on the line of its key, with or without quotes. */
function scalarOf(matter: string, key: string): string | undefined {
  const value = new RegExp(`^${key}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'm').exec(matter)?.[1]
  if (value === undefined || value === '' || /^[|>]/.test(value)) return undefined
  const quoted = /^"(.*)"$/.exec(value)?.[1]
  if (quoted !== undefined) return quoted.replace(/\\(["\\])/g, '$1')
  return /^'(.*)'$/.exec(value)?.[1]?.replaceAll("''", "'") ?? value
}

/** The first heading outside of fences. */
function firstHeading(body: string): string {
  const heading = outsideFences(body).match(/^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*\r?$/m)?.[1]
  return (heading ?? '').replace(/[`*]/g, '')
}

/** The text without fenced code. */
export function outsideFences(body: string): string {
  return body.replace(/^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*\r?$|(?![\s\S]))/gm, '')
}
