/**
 * Splits a command line into options and other words, as `parseArgs` of `node:util` does. `parseArgs` is not used, because it
 * takes more than a millisecond to load at each start, and its compiled code is not cached.
 */

/** The kind of an option: a flag without a value, or an option with a text as its value. */
interface OptionKind {
  readonly type: 'boolean' | 'string'
  /** The letter of the short form. */
  readonly short?: string
  /** The value if the option is followed by another option, or by the end. Default: an error. */
  readonly bare?: string | undefined
  /** Whether the value is a number, which may be below 0. */
  readonly isNumber?: boolean
}

/** Kinds of options, by long name. */
export type OptionKinds = Readonly<Record<string, OptionKind>>

/** An option as it was typed. */
export interface OptionToken {
  /** The long name, even if the short form was typed. */
  readonly name: string
  /** The option as it was typed, with its dashes: `--no-home`, `-n`. */
  readonly rawName: string
  readonly value?: string
  /** Whether the value is in the same word: `--budget=5`. */
  readonly isInline?: true
}

/** The options and the other words of a command line. */
export interface SplitWords {
  readonly options: readonly OptionToken[]
  readonly positionals: readonly string[]
}

/** Splits a command line into options and other words. The result includes invalid options; `findFault` finds them. */
export function splitOptions(args: readonly string[], kinds: OptionKinds): SplitWords {
  const [options, positionals]: [OptionToken[], string[]] = [[], []]
  const words = [...args].reverse()
  for (let word = words.pop(); word !== undefined; word = words.pop()) {
    if (word === '--') return { options, positionals: [...positionals, ...words.reverse()] }
    if (/^-./s.test(word)) options.push(readOption(word, kinds, words))
    else positionals.push(word)
  }
  return { options, positionals }
}

/**
 * Reads the option of one word. If the value of the option is the next word, removes it from `remainingWords`. These words are in
 * reverse order.
 */
function readOption(word: string, kinds: OptionKinds, remainingWords: string[]): OptionToken {
  const option = splitOptionWord(word, kinds)
  const kind = kindOf(option.name, kinds)
  if ('value' in option || kind?.type !== 'string') return option
  if (kind.bare !== undefined && /^(-|$)/.test(remainingWords.at(-1) ?? ''))
    return { ...option, value: kind.bare, isInline: true }
  const value = remainingWords.pop()
  return value === undefined ? option : { ...option, value }
}

function splitOptionWord(word: string, kinds: OptionKinds): OptionToken {
  if (!word.startsWith('--')) {
    const letter = word.charAt(1)
    const name = Object.keys(kinds).find((each) => kinds[each]?.short === letter) ?? letter
    const [rawName, value] = [word.slice(0, 2), word.slice(2)]
    return value === '' ? { name, rawName } : { name, rawName, value, isInline: true }
  }
  // As Node does: `--=x` is an option named `=x`; `--==` is an option with an empty name and a value.
  if (!word.includes('=', 3)) return { name: word.slice(2), rawName: word }
  const end = word.indexOf('=')
  return { name: word.slice(2, end), rawName: word.slice(0, end), value: word.slice(end + 1), isInline: true }
}

function kindOf(name: string, kinds: OptionKinds): OptionKind | undefined {
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

/**
 * The first fault in the options: an unknown option, a missing value, or a value of a flag. `unknown`: the unknown option, as it
 * was typed.
 */
export function findFault(options: readonly OptionToken[], kinds: OptionKinds) {
  return options.map((option) => faultOf(option, kinds)).find((fault) => fault !== undefined)
}

function faultOf({ name: typedName, rawName, value, isInline }: OptionToken, kinds: OptionKinds) {
  const nameWithoutNo = kindOf(typedName, kinds) ? typedName : typedName.replace(/^no-/, '')
  const kind = kindOf(nameWithoutNo, kinds)
  if (!kind || (nameWithoutNo !== typedName && kind.type !== 'boolean'))
    return { message: `Unknown option '${rawName}'.`, unknown: rawName }
  if (kind.type === 'boolean') return value === undefined ? undefined : { message: `${rawName} takes no value.` }
  if (value === undefined) return { message: `${rawName} needs a value.` }
  // If the value looks like an option, most likely the value was forgotten.
  const isLikelyOption = !isInline && /^-./s.test(value) && !(kind.isNumber && /^-[\d.]+$/.test(value))
  const joined = `${rawName}${rawName.startsWith('--') ? '=' : ''}${value}`
  return isLikelyOption ? { message: `${rawName} needs a value. If it is "${value}", write ${joined}.` } : undefined
}
