/** Whether a claim denies what its source denies, and nothing else. */

import { termsIn } from '../routing/terms.ts'

const NEGATION =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|nowhere|\p{L}+n['’]t|nicht|kein\p{L}*|nie|niemals|ohne|weder|pas|jamais|sans|aucune?|ningun\p{L}*|nunca|sin|не|нет|ни|никогда|без)(?![\p{L}\p{N}])|[不没沒無无未非]|ไม่|ไม่มี/giu

/** Whether a text denies anything. */
export function hasNegation(text: string): boolean {
  return text.search(NEGATION) >= 0
}

/** Words behind a negation among which stands what it denies, and the characters that they stand in. */
const SCOPE = 5
const NEAR = 400

/** Says how, and not what: what is denied stands behind it. */
const ADVERBS =
  /(?<![\p{L}\p{N}])(?:yet|ever|longer|any more|always|currently|formally|officially|fully|really|actually|publicly|directly|necessarily|entirely|completely|finally|mehr|immer|vollständig)(?![\p{L}\p{N}])/giu

/** What a text denies: the telling words behind each negation; of one at the end those before it. */
function deniedIn(text: string): string[][] {
  return [...text.matchAll(NEGATION)].map(({ 0: word, index }) => {
    const end = index + word.length
    const clause = text.slice(end, end + NEAR).split(/(?<=[,;:.!?])\s/, 1)[0] ?? ''
    const behind = termsIn(clause.replace(ADVERBS, ' ')).filter((term) => term !== word)
    if (behind.length > 0) return behind.slice(0, SCOPE - 2)
    return termsIn(text.slice(Math.max(0, index - NEAR), index)).slice(-2)
  })
}

export function whyNegated(claim: string, source: string): string | undefined {
  const [own, theirs] = [deniedIn(claim), deniedIn(source)]
  const [said, ownTerms, theirTerms] = [new Set(termsIn(claim)), new Set(own.flat()), new Set(theirs.flat())]
  if (own.some((terms) => terms.length > 0 && !terms.some((term) => theirTerms.has(term)))) {
    return 'Its source does not deny it.'
  }
  const isDenied = theirs.some(
    (terms) =>
      terms.length > 0 &&
      terms.slice(0, 2).every((term) => said.has(term)) &&
      !terms.some((term) => ownTerms.has(term)),
  )
  return isDenied ? 'Its source denies it.' : undefined
}

/** The same two words stand side by side in the one, and with a `not` between them in the other. */
export function whyDeniedBetween(claim: string, sentence: string): string | undefined {
  const [own, theirs] = [wordPairsOf(claim), wordPairsOf(sentence)]
  const differ = (one: WordPairs, other: WordPairs) =>
    [...one.denied].some((pair) => other.plain.has(pair) && !one.plain.has(pair) && !other.denied.has(pair))
  if (differ(own, theirs)) return 'Its source does not deny it.'
  return differ(theirs, own) ? 'Its source denies it.' : undefined
}

/** Two words that follow each other, and two with a negation between them. */
interface WordPairs {
  readonly plain: ReadonlySet<string>
  readonly denied: ReadonlySet<string>
}

function wordPairsOf(text: string): WordPairs {
  const spelled = text.toLowerCase().replace(/(?<=\bcan)not\b|n['’]t\b/g, ' not')
  const words = spelled.match(/\p{L}+/gu) ?? []
  const [plain, denied] = [new Set<string>(), new Set<string>()]
  for (const [at, word] of words.entries()) {
    const isDenied = words[at + 1] === 'not' || words[at + 1] === 'never'
    const behind = words[at + (isDenied ? 2 : 1)] ?? ''
    ;(isDenied ? denied : plain).add(`${word} ${behind}`)
  }
  return { plain, denied }
}
