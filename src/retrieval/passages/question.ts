/** Parses a question into its informative words. */

import { lineAt } from '../../text/lines.ts'
import { composeText, isCharacterPair, isStopWord, mainTerms, scanTerms } from '../terms.ts'

/** A word of a question; in a script without spaces, a pair of characters. */
export interface QuestionWord {
  readonly term: string
  /** The typed text. */
  readonly word: string
  /** Whether the two characters are from two words, so that the pair says little. Default: false. */
  readonly isAcrossWords?: boolean
}

/** `ideographic`: Chinese and Japanese. `southEastAsian`: Thai, Lao, Khmer, Myanmar. The stemmer knows only English. */
export type QuestionLanguage = 'english' | 'other' | 'ideographic' | 'southEastAsian'

export interface Question {
  readonly language: QuestionLanguage
  /** The distinct informative words, by their terms. */
  readonly words: readonly QuestionWord[]
}

/** English words that ask, and do not name the subject. `isStopWord` knows other common words. */
const QUESTION_WORDS = new Set(
  mainTerms(
    `what which who whom whose when where why how many much long often does do did done is are was were will would
    can could should may might have has had be been know known say said tell told describe explain list give
    show find mean means happen happens get gets please`,
  ),
)

/** Question words and the most common words of other languages. Some of them are informative words in English. */
const FOREIGN_QUESTION_WORDS = new Set(
  mainTerms(
    `was wer wen wem wessen welche welcher welches welchen welchem wann wo wohin woher wie viel viele vielen warum
    wieso weshalb der die das den dem des ein eine einer eines einem einen ist sind war waren wird wurde wurden
    hat haben hatte hatten kann können gibt es von für mit auf bei nach im am zum zur qué quién quiénes cuál
    cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo por para con del las los una fue fueron está están
    que quel quelle quels quelles quand combien où comment pourquoi est sont était étaient dans les une sur avec
    что кто кого кому чем какой какая какое какие каких какого какую когда где куда сколько почему зачем как был
    была было были для это чего чему und oder als an aus bis durch gegen in ins nicht noch nur ob sich sie er so
    über um unter vom vor wenn zu man auch dass daß sein seine seiner ihr ihre dieser diese dieses diesem diesen
    kein keine el la un unos unas y o u de al a en sin sobre entre hasta desde se su sus lo le si no son ser ha
    han hay este esta estos estas ese esa como más cada donde cuando cual quien du d l et ou à au aux par pour
    sans sous sa ses leur leurs ce cet cette ces qui quoi dont ne pas être ont il elle ils elles on plus os as
    uma uns umas e do da dos na nos nas em ao pelo pela com sem seu sua não é são foi mais i gli uno di per tra
    fra della dei delle alla nel nella che non è sono het een of van op te met voor door aan bij uit is zijn
    wordt niet dat dit deze и в во на с со к у о об от до из за по под при без не ни а но или ли же бы он она
    они его её их является`,
  ),
)

/** Matches question phrases and particles of scripts without spaces, which are not parts of words. */
const QUESTION_PHRASES =
  /什么时候|什麼時候|什么|什麼|多少|哪一?[个個些位种種里裡儿年项項]|哪|谁|誰|何时|何時|何处|何地|何人|为什么|為什麼|为何|怎么样?|怎麼|怎样|如何|是否|几(?=[个位次年天种条])|[的了吗嗎呢着著]|なぜ|どこ|いつ|どの|どれ|どう|だれ|なに|いくつ|อะไร|ใคร|เมื่อใด|เมื่อไ[หร]ร่?|ที่ไหน|ที่ใด|กี่|เท่า(?:ไ[หร]ร่?|ใด)|อย่างไร|ทำไม|เพราะเหตุใด|แบบไหน|ไหน/g

const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const SOUTH_EAST_ASIAN = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Reads a question. If no word is informative, `words` has all words. */
export function readQuestion(text: string): Question {
  const composed = composeText(text)
  const withoutPhrases = composed.replace(QUESTION_PHRASES, (phrase) => ' '.repeat(phrase.length))
  const language = languageOf(text)
  const isInformative = ({ term }: QuestionWord) =>
    !isStopWord(term) && !QUESTION_WORDS.has(term) && !(language === 'other' && FOREIGN_QUESTION_WORDS.has(term))
  const words = listQuestionWords(withoutPhrases).filter(isInformative)
  return { language, words: words.length > 0 ? words : listQuestionWords(composed) }
}

/**
 * Each word once, with its first typed form. A pair of characters within one word replaces an equal pair across two.
 */
function listQuestionWords(text: string): QuestionWord[] {
  const wordByTerm = new Map<string, QuestionWord>()
  const borders = wordBordersIn(text)
  const add = (term: string, start: number, end: number) => {
    const isAcrossWords = isCharacterPair(term) && spansTwoWords(borders, start, end)
    const known = wordByTerm.get(term)
    if (!known || (known.isAcrossWords && !isAcrossWords)) {
      wordByTerm.set(term, { term, word: text.slice(start, end), ...(isAcrossWords && { isAcrossWords }) })
    }
  }
  scanTerms(text, { main: add })
  return [...wordByTerm.values()]
}

/** Offsets of the word borders in a text of a script without spaces, by a dictionary; none for other texts. */
function wordBordersIn(text: string): readonly number[] {
  const isSouthEastAsian = SOUTH_EAST_ASIAN.test(text)
  if (!isSouthEastAsian && !IDEOGRAPHIC.test(text)) return []
  const segmenter = new Intl.Segmenter(isSouthEastAsian ? 'th' : 'zh', { granularity: 'word' })
  return [...Array.from(segmenter.segment(text), ({ index }) => index), text.length]
}

/**
 * Whether a pair of characters spans two words. False if both words have one character, because they are often a name
 * that the dictionary lacks.
 */
function spansTwoWords(borders: readonly number[], start: number, end: number): boolean {
  const at = lineAt(borders, start) + 1
  const border = borders[at]
  if (border === undefined || border >= end) return false
  return border - (borders[at - 1] ?? 0) > 1 || (borders[at + 1] ?? border) - border > 1
}

function languageOf(text: string): QuestionLanguage {
  if (SOUTH_EAST_ASIAN.test(text)) return 'southEastAsian'
  if (IDEOGRAPHIC.test(text)) return 'ideographic'
  const terms = mainTerms(text)
  const foreignCount = terms.filter((term) => FOREIGN_QUESTION_WORDS.has(term)).length
  return terms.filter(isStopWord).length > foreignCount ? 'english' : 'other'
}
