/** Parses citations in brackets, before the parser looks for links and bare addresses: `[1]`, `[plan.md::S3]`, `[https://…]`. */

/** Prefix of the URL fragment of a citation. */
export const CITATION_PREFIX = '#cites-'

export interface CitationSyntax {
  /** Pattern of a citation, without its brackets. */
  readonly pattern: RegExp
  /** The number of a citation; undefined leaves the text as it is. */
  numberOf(cited: string): number | undefined
}

/** The part of the parser's interface that is used here. */
export interface Effects {
  enter(type: string): unknown
  exit(type: string): unknown
  consume(code: Code): void
}
export type Code = number | null
export type State = (code: Code) => State | undefined
export interface CompileContext {
  sliceSerialize(token: unknown): string
  enter(node: object, token: unknown): void
  exit(token: unknown): void
}
export interface Parser {
  data(): { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] }
}

/** Maximum characters of a citation. */
const MAX_CHARACTERS = 2_400

const [OPEN, CLOSE, OPEN_PARENTHESIS] = [91, 93, 40]

/** Adds citations to the syntax of a parser. Escaped text, code and link texts have no citations. */
export function remarkCitations(this: Parser, { pattern, numberOf }: CitationSyntax): void {
  const data = this.data()
  const numberIn = (cited: string) => (pattern.test(cited) ? numberOf(cited) : undefined)
  const tokenize = (effects: Effects, ok: State, nok: State) => tokenizeCitation({ effects, ok, nok }, numberIn)
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { text: { [OPEN]: { tokenize } } }]
  const enter = {
    citation(this: CompileContext, token: unknown) {
      const number = numberIn(this.sliceSerialize(token).slice(1, -1))
      this.enter(
        { type: 'link', url: `${CITATION_PREFIX}${number}`, children: [{ type: 'text', value: String(number) }] },
        token,
      )
      this.exit(token)
    },
  }
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), { enter }]
}

interface Transitions {
  readonly effects: Effects
  readonly ok: State
  readonly nok: State
}

function tokenizeCitation({ effects, ok, nok }: Transitions, numberIn: (cited: string) => number | undefined): State {
  let cited = ''
  const inside = (code: Code): State | undefined => {
    if (code === CLOSE) {
      effects.consume(code)
      effects.exit('citation')
      return end
    }
    if (code === null || code < 0 || code === OPEN || cited.length > MAX_CHARACTERS) return nok(code)
    cited += String.fromCharCode(code)
    effects.consume(code)
    return inside
  }
  const end = (code: Code) => (code === OPEN_PARENTHESIS || numberIn(cited) === undefined ? nok(code) : ok(code))
  return (code) => {
    effects.enter('citation')
    effects.consume(code)
    return inside
  }
}
