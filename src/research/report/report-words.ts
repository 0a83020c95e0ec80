/** What a report says of itself, in the languages whose questions retrieval knows. */

/** `full`: every question of the tree has its answer. */
export type Grade = 'full' | 'partial' | 'none'

/** Headings and sentences. `{}`: what is put in. */
export interface ReportWords {
  readonly answer: string
  readonly gaps: string
  readonly questions: string
  readonly sources: string
  readonly method: string
  /** Begins a sentence that ends in the question. */
  readonly notFound: string
  readonly lacks: string
  /** A gap: of what nothing was found for, and of what was answered in part at most. */
  readonly unanswered: string
  readonly perhaps: string
  readonly nearest: string
  readonly more: string
  readonly grades: Readonly<Record<Grade, string>>
  readonly unproven: string
  readonly unknown: string
  readonly unsupported: string
}

const ENGLISH: ReportWords = {
  answer: 'Answer',
  gaps: 'Gaps',
  questions: 'Questions',
  sources: 'Sources',
  method: 'How it was made',
  notFound: 'Not found: {}',
  lacks: 'Nothing that was read holds {}.',
  unanswered: 'Nothing was found that answers: {}',
  perhaps: 'What was found may not be the whole answer to: {}',
  nearest: 'What comes nearest:',
  more: '{} more findings are in the run.',
  grades: {
    full: 'Every question has an answer in the evidence.',
    partial: 'Some questions have no answer, or not a whole one; see Gaps.',
    none: 'Nothing was found.',
  },
  unproven: '{} quotations could not be verified, and are marked.',
  unknown: '{} citations led to no source that was read, and are marked.',
  unsupported: 'Statements not supported by the cited source, each marked: {}.',
}

const WORDS = {
  en: ENGLISH,
  de: {
    gaps: 'Lücken',
    questions: 'Fragen',
    sources: 'Quellen',
    method: 'Wie der Bericht entstand',
    notFound: 'Nicht gefunden: {}',
    lacks: 'Nichts, was gelesen wurde, enthält {}.',
    unanswered: 'Es wurde nichts gefunden, was beantwortet: {}',
    perhaps: 'Das Gefundene ist vielleicht nicht die ganze Antwort auf: {}',
    nearest: 'Am nächsten kommt:',
    more: 'Weitere Funde im Lauf: {}.',
    grades: {
      full: 'Jede Frage hat eine Antwort in den Belegen.',
      partial: 'Einige Fragen haben keine oder keine ganze Antwort; siehe Lücken.',
      none: 'Es wurde nichts gefunden.',
    },
    unproven: 'Zitate, die sich nicht bestätigen ließen und gekennzeichnet sind: {}.',
    unknown: 'Belege, die zu keiner gelesenen Quelle führen und gekennzeichnet sind: {}.',
    unsupported: 'Aussagen, die ihre Quelle nicht stützt und die gekennzeichnet sind: {}.',
  },
  es: {
    gaps: 'Lagunas',
    questions: 'Preguntas',
    sources: 'Fuentes',
    method: 'Cómo se hizo',
    notFound: 'No encontrado: {}',
    lacks: 'Nada de lo leído contiene {}.',
    unanswered: 'No se encontró nada que responda a: {}',
    perhaps: 'Lo encontrado quizá no responda del todo a: {}',
    nearest: 'Lo más próximo:',
    more: 'Otros hallazgos en la ejecución: {}.',
    grades: {
      full: 'Cada pregunta tiene respuesta en las pruebas.',
      partial: 'Algunas preguntas no tienen respuesta, o no completa; véase Lagunas.',
      none: 'No se encontró nada.',
    },
    unproven: 'Citas que no se pudieron comprobar, marcadas: {}.',
    unknown: 'Referencias que no llevan a ninguna fuente leída, marcadas: {}.',
    unsupported: 'Afirmaciones que su fuente no respalda, marcadas: {}.',
  },
  fr: {
    gaps: 'Lacunes',
    questions: 'Questions',
    sources: 'Sources',
    method: 'Comment ce rapport a été fait',
    notFound: 'Introuvable : {}',
    lacks: 'Rien de ce qui a été lu ne contient {}.',
    unanswered: 'Rien n’a été trouvé qui réponde à : {}',
    perhaps: 'Ce qui a été trouvé ne répond peut-être pas entièrement à : {}',
    nearest: 'Ce qui s’en approche le plus :',
    more: 'Autres résultats dans l’exécution : {}.',
    grades: {
      full: 'Chaque question a une réponse dans les sources.',
      partial: 'Certaines questions n’ont pas de réponse, ou pas entière ; voir Lacunes.',
      none: 'Rien n’a été trouvé.',
    },
    unproven: 'Citations qui n’ont pas pu être vérifiées, marquées : {}.',
    unknown: 'Références qui ne mènent à aucune source lue, marquées : {}.',
    unsupported: 'Affirmations que leur source ne soutient pas, marquées : {}.',
  },
  ru: {
    gaps: 'Пробелы',
    questions: 'Вопросы',
    sources: 'Источники',
    method: 'Как составлен отчёт',
    notFound: 'Не найдено: {}',
    lacks: 'В прочитанном нет {}.',
    unanswered: 'Ничего не найдено на вопрос: {}',
    perhaps: 'Найденное, возможно, не полностью отвечает на вопрос: {}',
    nearest: 'Ближе всего:',
    more: 'Других находок: {}.',
    grades: {
      full: 'На каждый вопрос в источниках есть ответ.',
      partial: 'На некоторые вопросы нет ответа или он неполный; см. Пробелы.',
      none: 'Ничего не найдено.',
    },
    unproven: 'Цитат, которые не удалось проверить (отмечены): {}.',
    unknown: 'Ссылок, которые не ведут ни к одному прочитанному источнику (отмечены): {}.',
    unsupported: 'Утверждений, которые источник не подтверждает (отмечены): {}.',
  },
  zh: {
    gaps: '缺口',
    questions: '问题',
    sources: '来源',
    method: '报告的生成方式',
    notFound: '未找到：{}',
    lacks: '读过的内容中没有 {}。',
    unanswered: '没有找到这个问题的答案：{}',
    perhaps: '找到的内容可能不是完整的答案：{}',
    nearest: '最接近的内容：',
    more: '其他发现：{}。',
    grades: {
      full: '每个问题在证据中都有答案。',
      partial: '有些问题没有答案，或答案不完整；见“缺口”。',
      none: '没有找到任何内容。',
    },
    unproven: '无法核实并已标记的引文：{}。',
    unknown: '没有指向任何已读来源并已标记的引用：{}。',
    unsupported: '来源不支持并已标记的陈述：{}。',
  },
  ja: {
    gaps: '不足している点',
    questions: '質問',
    sources: '出典',
    method: 'この報告の作成方法',
    notFound: '見つかりません：{}',
    lacks: '読んだ資料にない語：{}。',
    unanswered: '答えが見つからなかった質問：{}',
    perhaps: '見つかった内容では答えが不完全かもしれない質問：{}',
    nearest: '最も近い内容：',
    more: 'そのほかの結果：{}。',
    grades: {
      full: 'すべての質問に、資料の中の答えがあります。',
      partial: '答えがない、または不完全な質問があります。「不足している点」を参照。',
      none: '何も見つかりませんでした。',
    },
    unproven: '確認できず、印を付けた引用：{}。',
    unknown: '読んだ資料に対応せず、印を付けた引用元：{}。',
    unsupported: '出典が裏付けず、印を付けた記述：{}。',
  },
  th: {
    gaps: 'สิ่งที่ยังขาด',
    questions: 'คำถาม',
    sources: 'แหล่งที่มา',
    method: 'วิธีจัดทำรายงาน',
    notFound: 'ไม่พบ: {}',
    lacks: 'สิ่งที่อ่านไม่มี {}',
    unanswered: 'ไม่พบคำตอบของคำถาม: {}',
    perhaps: 'สิ่งที่พบอาจตอบคำถามนี้ไม่ครบ: {}',
    nearest: 'ข้อความที่ใกล้เคียงที่สุด:',
    more: 'ผลอื่นในการค้นคว้า: {}',
    grades: {
      full: 'ทุกคำถามมีคำตอบในหลักฐาน',
      partial: 'บางคำถามไม่มีคำตอบ หรือคำตอบไม่ครบ ดูสิ่งที่ยังขาด',
      none: 'ไม่พบข้อมูล',
    },
    unproven: 'ข้อความอ้างที่ตรวจสอบไม่ได้และทำเครื่องหมายไว้: {}',
    unknown: 'การอ้างอิงที่ไม่ตรงกับแหล่งที่อ่านและทำเครื่องหมายไว้: {}',
    unsupported: 'ข้อความที่แหล่งที่มาไม่สนับสนุนและทำเครื่องหมายไว้: {}',
  },
} as const satisfies Record<string, Omit<ReportWords, 'answer'>>

export type ReportLanguage = keyof typeof WORDS

/** Names of the languages, beside their codes. */
const NAMES: Readonly<Record<ReportLanguage, RegExp>> = {
  en: /^(?:en|english)\b/i,
  de: /^(?:de|german|deutsch)\b/i,
  es: /^(?:es|spanish|español|castellano)\b/i,
  fr: /^(?:fr|french|français)/i,
  ru: /^(?:ru|russian|русский)/i,
  zh: /^(?:zh|chinese|中文|汉语|漢語)/i,
  ja: /^(?:ja|japanese|日本語)/i,
  th: /^(?:th|thai|ไทย|ภาษาไทย)/i,
}

/** Letters that one of the languages alone is written in; Ukrainian and Belarusian have letters that Russian has not. */
const SCRIPTS: readonly (readonly [ReportLanguage, RegExp])[] = [
  ['th', /\p{Script=Thai}/u],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /^(?=[\s\S]*\p{Script=Cyrillic})(?![\s\S]*[іїєґў])/iu],
]

/** Words that a question in one of the languages hardly is without. */
const COMMON: readonly (readonly [ReportLanguage, RegExp])[] = [
  ['en', /^(?:the|is|are|was|were|what|how|which|who|when|where|why|does|did|of|to|can|must|has|have|and|in|for)$/],
  [
    'de',
    /^(?:der|die|das|den|dem|ein|eine|ist|sind|war|wird|was|wie|wer|wann|wo|warum|welche[rsnm]?|viele?|und|von|mit|für|kostet|muss|darf|nicht|im|bei)$/,
  ],
  [
    'es',
    /^(?:el|los|las|una?|es|son|qué|cómo|cuándo|cuánt[oa]s?|dónde|quién|cuál|por|para|con|del|y|está|tiene|debe)$/,
  ],
  [
    'fr',
    /^(?:le|les|des|une?|est|sont|que|quel|quelles?|quels|comment|quand|combien|où|qui|pourquoi|pour|avec|du|et|dans|doit)$/,
  ],
]

/** What a report on a question says of itself. `chosen`: the language that was asked for, as its name or code; it goes first. */
export function reportWords(question: string, chosen?: string): ReportWords {
  const words = WORDS[reportLanguage(question, chosen)]
  return 'answer' in words ? words : withFixedWords(words)
}

/** As `reportWords`. */
export function reportLanguage(question: string, chosen?: string): ReportLanguage {
  if (chosen === undefined) return questionLanguage(question)
  return (Object.keys(NAMES) as ReportLanguage[]).find((one) => NAMES[one].test(chosen)) ?? 'en'
}

/** Programs find the answer, its absence and the grade by words that no language changes; those of the reader follow. */
function withFixedWords(words: Omit<ReportWords, 'answer'>): ReportWords {
  const { full, partial, none } = ENGLISH.grades
  const { grades } = words
  return {
    ...words,
    answer: ENGLISH.answer,
    notFound: `Not found. ${words.notFound}`,
    grades: { full: `${full} ${grades.full}`, partial: `${partial} ${grades.partial}`, none: `${none} ${grades.none}` },
  }
}

function questionLanguage(question: string): ReportLanguage {
  const script = SCRIPTS.find(([, pattern]) => pattern.test(question))
  if (script) return script[0]
  const [best] = commonWords(question)
  return best === undefined || best.count === 0 ? 'en' : best.name
}

/** How many common words of each language a question has; the language with most of them first. */
function commonWords(question: string) {
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = COMMON.map(([name, common]) => ({ name, count: words.filter((word) => common.test(word)).length }))
  return counts.toSorted((a, b) => b.count - a.count)
}

/**
 * The language that pages are looked for in, as ISO 639-1: the one that was asked for, else that of the question. Undefined where
 * it is not plain: a search in a wrong language finds less than one in any.
 */
export function searchLanguage(question: string, chosen?: string): string | undefined {
  if (chosen !== undefined) {
    const code = /^([a-z]{2})(?:-[a-z]+)?$/i.exec(chosen)?.[1]
    return code?.toLowerCase() ?? (Object.keys(NAMES) as ReportLanguage[]).find((one) => NAMES[one].test(chosen))
  }
  const script = SCRIPTS.find(([, pattern]) => pattern.test(question))
  if (script) return script[0]
  const [best, next] = commonWords(question)
  return best && best.count >= 2 && best.count > (next?.count ?? 0) ? best.name : undefined
}

/** A sentence with what is put in. */
export function fillWords(sentence: string, value: string | number): string {
  return sentence.replace('{}', () => String(value))
}

/** What a paragraph begins with that says that there is nothing to say, in each of the languages. */
export const SAID_OF_NOTHING = new RegExp(
  `^(?:Not found\\.|Nothing (?:was found|that was read)\\b|\\d+ more findings are in the run|${Object.values(WORDS)
    .flatMap(({ notFound, lacks, more, grades }) => [notFound, lacks, more, grades.none])
    .map((one) => one.replace(/\{\}[\s\S]*$/, '').trim())
    .filter((one) => one !== '')
    .map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')})`,
)
