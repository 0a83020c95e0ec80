import { cachePerObject } from '../../core/cache-per-object.ts'
import type { Count, Warning } from '../../core/flow.ts'
import { type ParsedContent, parseMarkdown } from '../../text/parse.ts'
import type { ContextDirText } from '../sources/context-dir.ts'

/** A file of the context directory. */
export interface ContextFile {
  /** File name without extension. */
  readonly name: string
  /** Absolute path. */
  readonly path: string
  /** The whole unchanged file. */
  readonly content: string
  /** Title, sections and items; parsed at the first access. */
  readonly parsed: ParsedContent
  /** Tokens of `content`. */
  readonly tokenCount: number
}

const parsedOf = cachePerObject(({ content }: ContextDirText) => parseMarkdown(content))

/** Converts a read file. Its content is parsed once, at the first access to `parsed`. */
export function contextFile(read: ContextDirText, count: Count): ContextFile {
  return {
    name: read.fileName.replace(/\.md$/i, ''),
    path: read.path,
    content: read.content,
    get tokenCount() {
      return count(read.content)
    },
    get parsed() {
      return parsedOf(read).parsed
    },
  }
}

/** Warnings about malformed parts of a file, which this function parses. */
export function parseWarnings(file: ContextDirText): Warning[] {
  return parsedOf(file).warnings.map((message) => ({ path: file.path, message }))
}
