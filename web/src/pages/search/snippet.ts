/** Pieces of a text that were found, as they are read: without the signs of Markdown. */

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

interface Edit extends Span {
  readonly put: string
}

/** What Markdown says by signs; the first group stays. */
const SIGNS: readonly (readonly [pattern: RegExp, put: string])[] = [
  [/^[ \t]*(?:`{3,}|~{3,})[^\n]*\n?/gm, ''],
  [/^[ \t]*(?:\|[ \t]*)?:?-{2,}:?[ \t]*(?:\|[ \t:|-]*)?(?:\n|$)/gm, ''],
  [/^[ \t]{0,3}(?:#{1,6}|>+)[ \t]+/gm, ''],
  [/^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]+/gm, '• '],
  [/^[ \t]*[-*+][ \t]+/gm, '• '],
  [/^[ ]{0,3}\[[^[\]\n]{1,300}\]:[ \t]+\S[^\n]*(?:\n|$)/gm, ''],
  [/\](?:\([^()\s]{0,500}\)|\[[^[\]\n]{0,300}\])/g, ''],
  [/!?\[(?=[^[\]\n]{0,300}\][([])/g, ''],
  [/^[ \t]*\|[ \t]*|(?<![ \t])[ \t]*\|[ \t]*$/gm, ''],
  [/(?<![ \t])[ \t]*\|[ \t]*/g, ' · '],
  [/\*{1,3}|`{1,2}|~~|(?<![\p{L}\p{N}])_{1,2}|_{1,2}(?![\p{L}\p{N}])/gu, ''],
  [/<\/?[a-z][^<>\n]{0,200}>/gi, ''],
  [/\n\s*\n/g, '\n'],
]

/** A snippet cut at its marks. Of Markdown, the signs are left out; of anything else only empty lines. */
export function readablePieces(snippet: string, marks: readonly Span[], isMarkdown: boolean): Piece[] {
  const edits = isMarkdown ? editsOf(snippet) : editsBy(/\n\s*\n/g, '\n', snippet)
  const pieces: Piece[] = []
  let at = 0
  const show = (end: number, isMarked: boolean) => {
    const text = textBetween(snippet, edits, { start: at, end })
    if (text !== '') pieces.push({ text, isMarked })
    at = end
  }
  for (const { start, end } of marks) {
    if (start < at || end > snippet.length) continue
    show(start, false)
    show(end, true)
  }
  show(snippet.length, false)
  return pieces
}

function editsOf(snippet: string): Edit[] {
  const edits: Edit[] = []
  const taken = new Uint8Array(snippet.length)
  for (const [pattern, put] of SIGNS) {
    for (const edit of editsBy(pattern, put, snippet)) {
      if (taken.subarray(edit.start, edit.end).includes(1)) continue
      taken.fill(1, edit.start, edit.end)
      edits.push(edit)
    }
  }
  return edits.sort((a, b) => a.start - b.start)
}

function editsBy(pattern: RegExp, put: string, text: string): Edit[] {
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length, put }))
}

/** A sign that begins in a piece is put there, also where it ends in the next one. */
function textBetween(text: string, edits: readonly Edit[], { start, end }: Span): string {
  let shown = ''
  let at = start
  for (const edit of edits) {
    if (edit.end <= start || edit.start >= end) continue
    shown += text.slice(at, Math.max(at, edit.start))
    if (edit.start >= start) shown += edit.put
    at = Math.min(end, edit.end)
  }
  return shown + text.slice(at, end)
}
