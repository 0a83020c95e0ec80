import remarkMath from 'remark-math'
import type { Code, CompileContext, Effects, Parser, State } from './remark-citations.ts'

interface Node {
  type: string
  value?: string
  data?: unknown
  readonly children?: readonly Node[]
  readonly position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } }
}

/** Reads `$…$` and `$$…$$` as GitHub does. */
export const FORMULAS: readonly unknown[] = [remarkMath, remarkPrices]

/** Formulas in answers. Models also write `\(…\)`, and `\[…\]` on lines of their own; in files, these are escaped brackets. */
export const ANSWER_FORMULAS: readonly unknown[] = [...FORMULAS, remarkTexBrackets]

/** Line ends have codes below this one. */
const LINE_ENDS = -2

const BACKSLASH = 92

const DISPLAY_END = 93

const CLOSERS = new Map(Object.entries({ 40: 41, 91: DISPLAY_END }).map(([open, close]) => [Number(open), close]))

/** Adds `\(…\)` and `\[…\]` to the syntax of a parser. */
function remarkTexBrackets(this: Parser): void {
  const data = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text: { [BACKSLASH]: { tokenize } } }]
  const enter = {
    texFormula(this: CompileContext, token: unknown) {
      const written = this.sliceSerialize(token)
      const value = written.slice(2, -2).trim()
      const kind = written.startsWith('\\[') ? 'math-display' : 'math-inline'
      const hProperties = { className: ['language-math', kind] }
      const data = { hName: 'code', hProperties, hChildren: [{ type: 'text', value }] }
      this.enter({ type: 'inlineMath', value, data }, token)
    },
  }
  const exit = {
    texFormula(this: CompileContext, token: unknown) {
      this.exit(token)
    },
  }
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { enter, exit }]
}

type Events = readonly (readonly [string, { readonly type: string }, unknown])[]

function tokenize(this: { readonly events: Events }, effects: Effects, ok: State, nok: State): State {
  const isAtStart = /^line/.test(this.events.at(-1)?.[1].type ?? 'line')
  let closer: number | undefined
  let isInLine = false
  // Each line of a formula is a token, and so is each line end.
  const consume = (code: number): void => {
    const isLineEnd = code < LINE_ENDS
    if (isLineEnd && isInLine) effects.exit('texLine')
    if (isLineEnd) effects.enter('lineEnding')
    else if (!isInLine) effects.enter('texLine')
    effects.consume(code)
    if (isLineEnd) effects.exit('lineEnding')
    isInLine = !isLineEnd
  }
  const open = (code: Code): State | undefined => {
    closer = CLOSERS.get(code ?? 0)
    if (code === null || closer === undefined || (closer === DISPLAY_END && !isAtStart)) return nok(code)
    consume(code)
    return inside
  }
  const inside = (code: Code): State | undefined => {
    if (code === null) return nok(code)
    consume(code)
    return code === BACKSLASH ? escaped : inside
  }
  const escaped = (code: Code): State | undefined => {
    if (code === null || code !== closer) return inside(code)
    consume(code)
    effects.exit('texLine')
    effects.exit('texFormula')
    return closer === DISPLAY_END ? atEnd : ok
  }
  const atEnd = (code: Code) => (code === null || code < LINE_ENDS ? ok : nok)(code)
  return (code) => {
    effects.enter('texFormula')
    consume(code ?? BACKSLASH)
    return open
  }
}

/** Changes prices in dollars back to text: a formula has no space inside its signs, and no digit after them. */
function remarkPrices() {
  return (tree: Node, file: { readonly value: unknown }): void => restorePrices(tree, String(file.value))
}

function restorePrices(node: Node, text: string): void {
  for (const child of node.children ?? []) {
    const { start, end } = child.position ?? {}
    if (child.type === 'inlineMath' && start?.offset !== undefined && end?.offset !== undefined) {
      const written = text.slice(start.offset, end.offset)
      if (isPrice(written, text.charAt(end.offset))) {
        child.type = 'text'
        child.value = written
        child.data = undefined
      }
    }
    restorePrices(child, text)
  }
}

function isPrice(written: string, next: string): boolean {
  return !written.startsWith('$$') && !written.startsWith('$`') && (/^\$\s|\s\$$/.test(written) || /\d/.test(next))
}
