/** `read` and `list` for files on disk that are in no collection: those of the project in which the person stands. */

import type { Looking } from '../../context/looking.ts'
import { ContextError } from '../../core/errors.ts'
import { oneLine } from '../../text/controls.ts'
import { framed } from '../../text/frames.ts'
import type { AgentTool } from '../tool.ts'

type Loose = ReturnType<Looking['loose']>

export interface LooseParts {
  /** The files on disk around the person; undefined where they stand elsewhere. */
  loose(): Promise<Loose | undefined>
  numbered(places: readonly string[]): string
  /** A file was read: its absolute path. */
  touched(path: string): Promise<void>
}

/** The tools, of which `read` and `list` look on disk for what no collection has. */
export function withLooseFiles(tools: readonly AgentTool[], parts: LooseParts): AgentTool[] {
  return tools.map((tool) => {
    if (tool.name === 'read') return alsoOnDisk(tool, parts, read)
    return tool.name === 'list' ? alsoOnDisk(tool, parts, list) : tool
  })
}

type Look = (loose: Loose, inputs: Readonly<Record<string, unknown>>, parts: LooseParts) => Promise<string>

function alsoOnDisk(tool: AgentTool, parts: LooseParts, look: Look): AgentTool {
  return {
    ...tool,
    description: `${tool.description} A path such as ./src is on disk, in the project where the person stands.`,
    run: async (input, signal, around) => {
      try {
        return await tool.run(input, signal, around)
      } catch (error) {
        const path = Object(input).path
        if (!(error instanceof ContextError) || error.code !== 'not-found' || typeof path !== 'string') throw error
        const loose = /^[a-z0-9+.-]+:\/\//i.test(path) ? undefined : await parts.loose()
        if (!loose) throw error
        return await look(loose, Object(input), parts).catch((other: unknown) => {
          // Of a path that may be either, what the collections say is more.
          throw isOnDisk(path) || !(other instanceof ContextError && other.code === 'not-found') ? other : error
        })
      }
    },
  }
}

async function read(loose: Loose, { path, lines }: Readonly<Record<string, unknown>>, parts: LooseParts) {
  const file = loose.read(String(path), typeof lines === 'string' ? lines : undefined)
  await parts.touched(file.path)
  const { start, end, total } = file.lines
  const attributes = { filename: file.path, lines: `${start}-${end}`, total: `${total}` }
  const notices = file.warnings.map((text) => framed({ tag: 'notice', attributes: {}, text }))
  const document = framed({ tag: 'document', attributes, text: file.text, firstLine: start })
  return `${parts.numbered([file.path])}${document}${notices.join('')}`
}

async function list(loose: Loose, { path }: Readonly<Record<string, unknown>>) {
  const { path: at, entries, total } = loose.list(String(path))
  const rows = entries.map(({ name, kind }) => `${oneLine(name)}${kind === 'directory' ? '/' : ''}`)
  const more = total > entries.length ? [`… ${total - entries.length} more`] : []
  return framed({ tag: 'listing', attributes: { path: at }, text: [...rows, ...more].join('\n') })
}

function isOnDisk(path: string): boolean {
  return /^[/.~]/.test(path)
}
