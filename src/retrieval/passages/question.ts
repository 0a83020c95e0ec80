/** What a question asks for: its telling words, and the kind of answer. */

import { composeText, isStopWord, mainTerms, scanTerms } from '../terms.ts'

/** The kind of answer that a question asks for. */
export type QuestionKind = 'number' | 'time' | 'person' | 'rule' | 'reason' | 'manner' | 'definition' | 'other'

export interface Question {
  readonly kind: QuestionKind
  /** Each telling word once, by its term, with the word as it was typed. */
  readonly words: readonly { readonly term: string; readonly word: string }[]
}

/** Words that ask, and tell nothing of what is asked. Other common words: `isStopWord`. */
const ASKING = new Set(
  mainTerms(
    `what which who whom whose when where why how many much long often does do did done is are was were will would can could
    should may might have has had be been know known say said tell told describe explain list give show find mean means
    happen happens get gets please
    was wer wen wem wessen welche welcher welches welchen welchem wann wo wohin woher wie viel viele vielen warum wieso weshalb
    der die das den dem des ein eine einer eines einem einen ist sind war waren wird wurde wurden hat haben hatte hatten kann
    können von für mit auf bei nach im am zum zur
    qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo por para con del las los una fue fueron está están
    que quel quelle quels quelles quand combien où comment pourquoi est sont était étaient dans les des une sur avec
    что кто кого кому чем какой какая какое какие каких какого какую когда где куда сколько почему зачем как был была было были
    для это чего чему`,
  ),
)

const KINDS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'number',
    /\b(?:how (?:many|much|long|far|often|old|high|deep|large|big|fast|frequently|wide|tall|heavy)|(?:what|which) (?:number|percentage|share|price|cost|size|port|amount|limit|rate|version|maximum|minimum)|(?:what|which) is the (?:(?:default|maximum|minimum|average|total|recommended) )+(?:number|size|length|count|port|timeout|limit|amount|price|rate|interval))\b/i,
  ],
  ['time', /\b(?:when|(?:what|which) (?:year|date|day|month|time|century))\b/i],
  ['person', /\b(?:who|whom|whose)\b/i],
  ['reason', /\b(?:why|(?:what|which) (?:reason|cause)s?|how come)\b/i],
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

/** Patterns that hold in a text which answers the kind of question. */
const CUES: Readonly<Partial<Record<QuestionKind, RegExp>>> = {
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand|million|billion|once|twice|half|dozen|no limit|unlimited)\b/i,
  time: /\b(?:1\d|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|noon|midnight|century|before|after|until|once|whenever|every)\b/i,
  person: /(?<=[\p{Ll},;:] )\p{Lu}\p{Ll}+/u,
  rule: /\b(?:must|shall|should|never|always|only|required?|need(?:s|ed)?|not allowed|forbidden|cannot|do not|don't|avoid|may)\b/i,
  reason:
    /\b(?:because|since|so that|in order to|due to|therefore|as a result|caused? by|reason|to (?:avoid|prevent|allow|make|ensure))\b/i,
  manner: /`|\b(?:use|using|run|set|call|add|by|with|via|create|pass|configure|enable|specify|to)\b/i,
  definition:
    /\b(?:is|are|was|were) (?:an?|the|used|any|one)\b|\b(?:means|stands for|refers to|is called|defines?|describes?)\b/i,
}

/** Reads a question. What holds words that ask and common words alone is told by all of its words. */
export function readQuestion(text: string): Question {
  const all = new Map<string, string>()
  const whole = composeText(text)
  scanTerms(whole, {
    main: (term, start, end) => {
      if (!all.has(term)) all.set(term, whole.slice(start, end))
    },
    extra: () => {},
  })
  const words = [...all].map(([term, word]) => ({ term, word }))
  const telling = words.filter(({ term }) => !isStopWord(term) && !ASKING.has(term))
  return { kind: kindOfQuestion(text), words: telling.length > 0 ? telling : words }
}

/** UTF-16 units of a text in which the kind is looked for: a pasted page asks nothing. */
const MOST_ASKED = 1000

function kindOfQuestion(text: string): QuestionKind {
  const asked = text.slice(-MOST_ASKED)
  return KINDS.find(([, pattern]) => pattern.test(asked))?.[0] ?? 'other'
}

/** Whether a text holds what answers of a kind hold; false for a kind without a sign of its own. */
export function hasCue(text: string, kind: QuestionKind): boolean {
  return CUES[kind]?.test(text) ?? false
}
