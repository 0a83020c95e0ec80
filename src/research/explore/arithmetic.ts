/** Arithmetic as a model writes it: numbers, `+ - * / ^ ( )` and `%`, and nothing else. */

import { ContextError } from '../../core/errors.ts'

/** Signs of an expression at most. */
const LONGEST = 500

const TOKEN = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([-+*/^()%]))/y

/** What an expression comes to. @throws ContextError `invalid-input` for what is no arithmetic. */
export function calculate(expression: string): number {
  const plain = expression
    .replace(/[×·]/g, '*')
    .replace(/[÷:]/g, '/')
    .replace(/[−–]/g, '-')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/[€$£¥]/g, '')
    .trim()
  const value = new Reader(tokensOf(plain)).whole()
  if (!Number.isFinite(value)) throw invalidInput('The expression has no finite value.')
  return Number(value.toPrecision(12))
}

function tokensOf(text: string): string[] {
  if (text.length > LONGEST) throw invalidInput(`The expression is longer than ${LONGEST} characters.`)
  const found: string[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) found.push(match[1] ?? match[2] ?? '')
  if (found.join('') === text.replace(/\s+/g, '')) return found
  throw invalidInput(`${JSON.stringify(text)} is not arithmetic.`)
}

function invalidInput(message: string): ContextError {
  return new ContextError('invalid-input', message, { hint: 'Write numbers and + - * / ( ) only: (180 + 2 * 95) / 3.' })
}

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  whole(): number {
    const value = this.#sum()
    if (this.#at < this.#tokens.length) throw invalidInput(`${this.#tokens[this.#at]} stands in the wrong place.`)
    return value
  }

  #sum(): number {
    let value = this.#product()
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const other = this.#product()
      value = sign === '+' ? value + other : value - other
    }
    return value
  }

  #product(): number {
    let value = this.#power()
    for (let sign = this.#take('*', '/'); sign; sign = this.#take('*', '/')) {
      const other = this.#power()
      value = sign === '*' ? value * other : value / other
    }
    return value
  }

  #power(): number {
    const value = this.#signed()
    return this.#take('^') ? value ** this.#power() : value
  }

  #signed(): number {
    if (this.#take('-')) return -this.#signed()
    let value: number
    if (this.#take('(')) {
      value = this.#sum()
      if (!this.#take(')')) throw invalidInput('A bracket is not closed.')
    } else {
      const token = this.#tokens[this.#at++] ?? ''
      if (!/^[\d.]/.test(token)) throw invalidInput('A number is missing.')
      value = Number(token)
    }
    return this.#take('%') ? value / 100 : value
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at]
    if (token === undefined || !wanted.includes(token)) return undefined
    this.#at++
    return token
  }
}
