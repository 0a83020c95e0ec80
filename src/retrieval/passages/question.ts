/** What a question asks for: its telling words, and the kind of answer. */

import { lineAt } from '../../text/lines.ts'
import { composeText, isCharacterPair, isStopWord, mainTerms, scanTerms } from '../terms.ts'

/** The kind of answer that a question asks for. */
export type QuestionKind = 'number' | 'time' | 'person' | 'rule' | 'reason' | 'manner' | 'definition' | 'other'

/** A word of a question; of a script without spaces two of its characters. */
export interface QuestionWord {
  readonly term: string
  /** As it was typed. */
  readonly word: string
  /** Whether they are characters of two words: that they stand beside each other says little. Default: no. */
  readonly isAcross?: boolean
}

/** English, whose endings the stemmer knows; another language; Chinese and Japanese; Thai and others without spaces. */
export type QuestionLanguage = 'english' | 'other' | 'ideographic' | 'southEastAsian'

export interface Question {
  readonly kind: QuestionKind
  readonly language: QuestionLanguage
  /** Each telling word once, by its term. */
  readonly words: readonly QuestionWord[]
}

/** Words that ask, and tell nothing of what is asked. Other common words: `isStopWord`. */
const ASKING = new Set(
  mainTerms(
    `what which who whom whose when where why how many much long often does do did done is are was were will would can could
    should may might have has had be been know known say said tell told describe explain list give show find mean means
    happen happens get gets please
    was wer wen wem wessen welche welcher welches welchen welchem wann wo wohin woher wie viel viele vielen warum wieso weshalb
    der die das den dem des ein eine einer eines einem einen ist sind war waren wird wurde wurden hat haben hatte hatten kann
    können gibt es von für mit auf bei nach im am zum zur
    qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo por para con del las los una fue fueron está están
    que quel quelle quels quelles quand combien où comment pourquoi est sont était étaient dans les des une sur avec
    что кто кого кому чем какой какая какое какие каких какого какую когда где куда сколько почему зачем как был была было были
    для это чего чему`,
  ),
)

/** The commonest words of languages other than English, which tell nothing either; in English some of them do. */
const COMMON = new Set(
  mainTerms(
    `der die das den dem des ein eine einer eines einem einen und oder als an auf aus bei bis durch für gegen in im ins ist mit
    nach nicht noch nur ob sich sie er es so über um unter vom von vor wenn zu zum zur man auch dass daß sein seine seiner ihr
    ihre dieser diese dieses diesem diesen kein keine
    el la los las un una unos unas y o u de del al a en con por para sin sobre entre hasta desde se su sus lo le les que si no
    es son ser está están fue ha han hay este esta estos estas ese esa como más cada donde cuando cual quien
    le la les un une des du de d l et ou à au aux en dans par pour sur avec sans sous entre se sa son ses leur leurs ce cet
    cette ces que qui quoi dont où ne pas est sont être a ont il elle ils elles on y plus si
    o a os as um uma uns umas e ou do da dos das no na nos nas em ao à pelo pela com por para sem se seu sua que não é são ser
    foi mais como
    il lo la i gli le un uno una e o di a da in con su per tra fra del della dei delle al alla nel nella si che non è sono
    de het een en of van in op te met voor door aan bij uit is zijn wordt niet dat die dit deze
    и в во на с со к у о об от до из за по под при для без не ни что это как а но или ли же бы он она они его её их был была
    было были является`,
  ),
)

/** Phrases that ask, and particles, of scripts without spaces: they are parts of no word. */
const ASKING_PHRASE =
  /什么时候|什麼時候|什么|什麼|多少|哪一?[个個些位种種里裡儿年项項]|哪|谁|誰|何时|何時|何处|何地|何人|为什么|為什麼|为何|怎么样?|怎麼|怎样|如何|是否|几(?=[个位次年天种条])|[的了吗嗎呢着著]|なぜ|どこ|いつ|どの|どれ|どう|だれ|なに|いくつ|อะไร|ใคร|เมื่อใด|เมื่อไ[หร]ร่?|ที่ไหน|ที่ใด|กี่|เท่า(?:ไ[หร]ร่?|ใด)|อย่างไร|ทำไม|เพราะเหตุใด|แบบไหน|ไหน/g

const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const SOUTH_EAST_ASIAN = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Words that hardly any question in English is without. */
const ENGLISH =
  /\b(?:the|is|are|was|were|what|how|which|who|whom|whose|when|where|why|does|do|did|of|to|can|may|must|has|have)\b/gi

/** The same of other languages: `was` asks in German, and a title in English may stand in any of them. */
const NOT_ENGLISH =
  /(?<!\p{L})(?:der|die|das|den|dem|des|ein|eine[mnrs]?|ist|sind|war|waren|wird|wurden?|hat|hatten?|kann|und|von|für|nicht|im|zum|zur|mit|auf|wer|wie|wo|wann|warum|welche[mnrs]?|el|los|las|una?|son|fue|qué|cómo|cuándo|cuánt[oa]s?|dónde|quién|cuál|les|est|sont|quels?|quelles?|comment|quand|combien|où|pourquoi)(?!\p{L})/giu

const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'number',
    /\bwie (?:viele?n?|lange|hoch|oft|weit|groß|alt|tief|schwer)\b|\bcuánt[oa]s?\b|\bcombien\b|(?<!\p{L})(?:сколько|как (?:долго|часто|далеко|высоко))(?!\p{L})|多少|几(?=[个位次年天种条])|多(?:长|大|高|远|久|宽|深)|いくつ|何(?:人|個|年間|回)|กี่|เท่า(?:ใด|ไ[หร]ร่?)/iu,
  ],
  [
    'time',
    /\bwann\b|\bin welchem (?:jahr|monat|jahrhundert)\b|\b(?:cuándo|quand)\b|(?<!\p{L})(?:когда|в каком (?:году|веке|месяце))(?!\p{L})|什么时候|什麼時候|何时|何時|哪一?年|いつ|เมื่อใด|เมื่อไ[หร]ร่?|ปี(?:ใด|ไหน)/iu,
  ],
  [
    'number',
    /\b(?:how (?:many|much|long|far|often|old|high|deep|large|big|fast|frequently|wide|tall|heavy)|(?:what|which) (?:number|percentage|share|price|cost|size|port|amount|limit|rate|version|maximum|minimum)|(?:what|which) is the (?:(?:default|maximum|minimum|average|total|recommended) )+(?:number|size|length|count|port|timeout|limit|amount|price|rate|interval))\b/i,
  ],
  ['time', /\b(?:when|(?:what|which) (?:year|date|day|month|time|century))\b/i],
  ['person', /\b(?:who|whom|whose)\b/i],
  [
    'reason',
    /\b(?:why|(?:what|which) (?:reason|cause)s?|how come)\b|(?<!\p{L})(?:warum|wieso|weshalb|wozu|(?:por|para) qué|pourquoi|почему|зачем)(?!\p{L})|为什么|為什麼|为何|なぜ|ทำไม|เพราะเหตุใด/iu,
  ],
  [
    'rule',
    /\b(?:must|shall|should|allowed|permitted|forbidden|may i|can i|is it (?:ok|okay|safe)|do i have to|have to|need to)\b/i,
  ],
  ['manner', /\bhow (?:do|does|did|to|can|could|would|is|are|was|were)\b/i],
  [
    'definition',
    /\b(?:what (?:is|are|was|were) (?:an? |the )?[\p{L}\p{N}_.+#-]+(?: [\p{L}\p{N}_.+#-]+)?\s*\?*$|what does .* mean|definition of)/iu,
  ],
]

/** Numbers, as words have them in languages whose questions are known by their kind. */
const NUMERAL =
  /(?<!\p{L})(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|millionen|(?:дв[аеу]|оди?н|тр[иё]|четыре|пять|шесть|семь|восемь|девять|десять|сто|тысяч|миллион|нескольк)\p{L}*|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|cent|mille)(?!\p{L})|[一二三四五六七八九十百千万亿两半]|หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ|ร้อย|พัน|หมื่น|แสน|ล้าน|ครึ่ง/iu

/** Patterns that hold in a text which answers the kind of question. */
const CUES: Readonly<Partial<Record<QuestionKind, RegExp>>> = {
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand|million|billion|once|twice|half|dozen|no limit|unlimited)\b/i,
  time: /(?<!\d)(?:1\d|20)\d\d(?!\d)|\b\d{1,2}[:.]\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|noon|midnight|century|before|after|until|once|whenever|every)\b/i,
  person: /(?<=[\p{Ll},;:] )\p{Lu}\p{Ll}+/u,
  rule: /\b(?:must|shall|should|never|always|only|required?|need(?:s|ed)?|not allowed|forbidden|cannot|do not|don't|avoid|may)\b/i,
  reason:
    /\b(?:because|since|so that|in order to|due to|therefore|as a result|caused? by|reason|to (?:avoid|prevent|allow|make|ensure))\b|(?<!\p{L})(?:weil|denn|damit|deshalb|daher|aufgrund|wegen|um|porque|ya que|puesto que|a fin de|para que|con el fin de|debido|parce que|car|afin|puisque|потому|поскольку|чтобы|из-за)(?!\p{L})|因为|因為|由于|由於|所以|为了|ため|から|เพราะ|เนื่องจาก|เพื่อ/iu,
  manner: /`|\b(?:use|using|run|set|call|add|by|with|via|create|pass|configure|enable|specify|to)\b/i,
  definition:
    /\b(?:is|are|was|were) (?:an?|the|used|any|one)\b|\b(?:means|stands for|refers to|is called|defines?|describes?)\b/i,
}

/** Reads a question. What holds words that ask and common words alone is told by all of its words. */
export function readQuestion(text: string): Question {
  const whole = composeText(text)
  const bare = whole.replace(ASKING_PHRASE, (phrase) => ' '.repeat(phrase.length))
  const language = languageOf(text)
  const isTelling = ({ term }: QuestionWord) =>
    !isStopWord(term) && !ASKING.has(term) && !(language === 'other' && COMMON.has(term))
  const words = listQuestionWords(bare).filter(isTelling)
  return {
    kind: kindOfQuestion(text),
    language,
    words: words.length > 0 ? words : listQuestionWords(whole),
  }
}

/** Each word once, as it first stands there. */
function listQuestionWords(text: string): QuestionWord[] {
  const found = new Map<string, QuestionWord>()
  const borders = wordBordersIn(text)
  const add = (term: string, start: number, end: number) => {
    const isAcross = isCharacterPair(term) && isOfTwoWords(borders, start, end)
    const known = found.get(term)
    if (!known || (known.isAcross && !isAcross)) {
      found.set(term, { term, word: text.slice(start, end), ...(isAcross && { isAcross }) })
    }
  }
  scanTerms(text, { main: add, extra: () => {} })
  return [...found.values()]
}

/** Where words begin and end in a text that has scripts without spaces, as a dictionary tells them apart. */
function wordBordersIn(text: string): readonly number[] {
  const isSouthEastAsian = SOUTH_EAST_ASIAN.test(text)
  if (!isSouthEastAsian && !IDEOGRAPHIC.test(text)) return []
  const segmenter = new Intl.Segmenter(isSouthEastAsian ? 'th' : 'zh', { granularity: 'word' })
  return [...Array.from(segmenter.segment(text), ({ index }) => index), text.length]
}

/** Whether a word ends within a piece that is not a row of single characters: such a row is a name that no dictionary has. */
function isOfTwoWords(borders: readonly number[], start: number, end: number): boolean {
  const at = lineAt(borders, start) + 1
  const border = borders[at]
  if (border === undefined || border >= end) return false
  return border - (borders[at - 1] ?? 0) > 1 || (borders[at + 1] ?? border) - border > 1
}

function languageOf(text: string): QuestionLanguage {
  if (SOUTH_EAST_ASIAN.test(text)) return 'southEastAsian'
  if (IDEOGRAPHIC.test(text)) return 'ideographic'
  const [english, others] = [ENGLISH, NOT_ENGLISH].map((words) => text.match(words)?.length ?? 0) as [number, number]
  return english > others ? 'english' : 'other'
}

/** UTF-16 units of a text in which the kind is looked for: a pasted page asks nothing. */
const MOST_ASKED = 1000

function kindOfQuestion(text: string): QuestionKind {
  const asked = text.slice(-MOST_ASKED)
  return KINDS.find(([, pattern]) => pattern.test(asked))?.[0] ?? 'other'
}

/** Whether a text holds what answers of a kind hold; false for a kind without a sign of its own. */
export function hasCue(text: string, kind: QuestionKind): boolean {
  if (kind === 'number' && NUMERAL.test(text)) return true
  return CUES[kind]?.test(text) ?? false
}
