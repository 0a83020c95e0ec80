import { utf8Length } from '../../core/tokens.ts'
import { type Block, blocksOf, plainBlocksOf } from '../../text/blocks.ts'
import { lineAt, lineStarts } from '../../text/lines.ts'

/** A piece of a text for an embedding model, cut at headings and blocks, so that it probably has one subject. */
export interface TextChunk {
  readonly text: string
  /** Line numbers in the text, from 1. */
  readonly lines: { readonly start: number; readonly end: number }
  /** The headings above the chunk, outermost first. A heading at the start of the chunk is the last. */
  readonly headings: readonly string[]
}

/** Maximum bytes of a chunk: about 400 tokens, within the input of every model. */
const MAX_BYTES = 1600

/** A shorter section is joined with the next section, because a single sentence says little. */
const MIN_BYTES = 400

/**
 * Cuts a text into chunks: at headings, else between blocks, so that code and tables are cut only if they are too long.
 * The chunks are in order, and leave out front matter and blank lines around them.
 */
export function chunksOf(text: string, { isMarkdown }: { readonly isMarkdown: boolean }): TextChunk[] {
  const builder = new ChunkBuilder(text)
  for (const block of isMarkdown ? blocksOf(text) : plainBlocksOf(text)) builder.add(block)
  return builder.finish()
}

class ChunkBuilder {
  readonly #text: string
  readonly #starts: readonly number[]
  readonly #chunks: TextChunk[] = []
  readonly #headings: { readonly level: number; readonly title: string }[] = []
  /** Offsets of the current chunk, and the headings at its start. */
  #start = 0
  #end = 0
  #chunkHeadings: readonly string[] = []

  constructor(text: string) {
    this.#text = text
    this.#starts = lineStarts(text)
  }

  add({ kind, start, end, level = 1, title = '' }: Block): void {
    if (kind === 'front-matter') return
    const size = this.#size(this.#start, kind === 'heading' ? this.#end : end)
    if (kind === 'heading' ? size >= MIN_BYTES : size > MAX_BYTES) this.#close()
    if (kind === 'heading') {
      while ((this.#headings.at(-1)?.level ?? 0) >= level) this.#headings.pop()
      this.#headings.push({ level, title })
    }
    if (this.#end === this.#start) this.#open(start)
    this.#end = end
    if (this.#size(this.#start, end) > MAX_BYTES) this.#splitLongBlock()
  }

  #size(start: number, end: number): number {
    return start === end ? 0 : utf8Length(this.#text.slice(start, end))
  }

  #open(start: number): void {
    this.#start = start
    this.#chunkHeadings = this.#headings.map((heading) => heading.title)
  }

  /** Cuts a long block between lines, and a long line between characters. */
  #splitLongBlock(): void {
    const end = this.#end
    let from = this.#start
    this.#end = from
    for (const to of listCutOffsets(this.#text, from, end)) {
      if (this.#size(this.#start, to) > MAX_BYTES) {
        this.#end = from
        this.#close()
        this.#open(from)
      }
      from = to
    }
    this.#end = end
    this.#close()
  }

  #close(): void {
    const [start, end] = trimRange(this.#text, this.#start, this.#end)
    this.#start = this.#end
    if (start >= end) return
    this.#chunks.push({
      text: this.#text.slice(start, end),
      lines: { start: lineAt(this.#starts, start) + 1, end: lineAt(this.#starts, end - 1) + 1 },
      headings: this.#chunkHeadings,
    })
  }

  finish(): TextChunk[] {
    this.#close()
    return this.#chunks
  }
}

/** Offsets for cuts: after each line, and within a line that is too long for a chunk. */
function* listCutOffsets(text: string, from: number, to: number): Generator<number> {
  for (let offset = from; offset < to; ) {
    const lineFeed = text.indexOf('\n', offset)
    const end = lineFeed < 0 || lineFeed >= to ? to : lineFeed + 1
    // A third of the bytes: a UTF-16 unit takes at most three.
    for (const maxUnits = Math.floor(MAX_BYTES / 3); end - offset > maxUnits; yield offset)
      // Never between two surrogates.
      offset += maxUnits - Number((text.codePointAt(offset + maxUnits - 1) ?? 0) > 0xffff)
    offset = end
    yield end
  }
}

function trimRange(text: string, start: number, end: number): [start: number, end: number] {
  const piece = text.slice(start, end)
  const leadingSpace = piece.length - piece.trimStart().length
  // The first line keeps its indentation, because it may be code.
  const lineStart = piece.lastIndexOf('\n', leadingSpace - 1) + 1
  return [start + (piece.trim() === '' ? piece.length : lineStart), start + piece.trimEnd().length]
}
