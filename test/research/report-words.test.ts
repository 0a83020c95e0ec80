import { describe, expect, it } from 'vitest'
import { CitationNumbers, numberCitations } from '../../src/research/report/citations.ts'
import type { ClaimSource } from '../../src/research/report/claim-check.ts'
import { checkClaims } from '../../src/research/report/claims.ts'
import { reportLanguage, reportWords, saysNothing, searchLanguage } from '../../src/research/report/report-words.ts'
import { memoryEngine, modelRun, runOf } from './model-run.ts'

const engine = memoryEngine()

/** Of each language: title and text of a file, a question that it answers, one that it does not, and what a report says then. */
const LANGUAGES = Object.entries({
  German:
    'Fähre ¶ Die Fähre befördert 120 Fahrgäste. | Wie viele Fahrgäste befördert die Fähre? | Wer versichert den Leuchtturmwärter? | Not found. Nicht gefunden:',
  Spanish:
    'Barco ¶ El transbordador lleva 120 pasajeros. | ¿Cuántos pasajeros lleva el transbordador? | ¿Quién asegura el faro? | Not found. No encontrado:',
  French:
    'Bac ¶ Le bac transporte 120 passagers. | Combien de passagers transporte le bac ? | Qui assure le phare ? | Not found. Introuvable :',
  Russian:
    'Паром ¶ Паром перевозит 120 пассажиров. | Сколько пассажиров перевозит паром? | Кто страхует маяк? | Not found. Не найдено:',
  Chinese: '渡轮 ¶ 渡轮可载客120人。灯塔很高。 | 渡轮可载客多少人？ | 谁为守塔人投保？ | Not found. 未找到：',
  Japanese:
    'フェリー ¶ フェリーは乗客を120人運ぶ。灯台は高い。 | フェリーは乗客を何人運ぶ？ | だれが鯨の保険を払いますか？ | Not found. 見つかりません：',
  Thai: 'เรือข้ามฟาก ¶ เรือข้ามฟากบรรทุกผู้โดยสารได้ 120 คน | เรือข้ามฟากบรรทุกผู้โดยสารได้กี่คน | แมวดำ | Not found. ไม่พบ:',
  'Dutch, of which no words are known':
    'Veer ¶ Het veer vervoert 120 passagiers. | Hoeveel passagiers vervoert het veer? | Vuurtoren verzekering? | Not found:',
}).map(([name, words]) => {
  const [said = '', asked = '', other = '', notFound = ''] = words.split(' | ')
  const [title, text] = said.split(' ¶ ')
  return { name, text: `# ${title}\n\n${text}\n`, asked, other, notFound }
})

describe('a report', () => {
  it.each(LANGUAGES)(
    'has all that it says of itself in the language of the question: $name',
    async ({ text, asked, other }) => {
      const question = `${asked}\n${other}`
      const { markdown, shown } = await runOf(engine, { question }, { 'a.md': text })
      const words = reportWords(question)
      const headings = [...markdown.matchAll(/^## (?!\d)(.+)$/gm)].map(([, heading]) => heading)
      expect(headings[0]).toBe('Answer')
      expect(headings).toContain(words.sources)
      expect(headings).toContain(words.questions)
      expect(headings.at(-1)).toBe(words.method)
      expect(markdown).toContain(`*${words.grades[shown.report?.grade ?? 'none']}*`)
      expect(markdown).toContain('120')
      expect(shown.report?.claims.every(({ verdict }) => verdict === 'supported')).toBe(true)
      expect(markdown).toContain(`a.md, ${words.line.replace('{}', '3')}, ${words.under.split('{}')[0]}`)
      const line = markdown.split('\n').find((one) => one.startsWith('- 1 '))
      expect(line).toMatch(new RegExp(`(?:${Object.values(words.statuses).join('|')}); `))
      expect(line).toContain(words.evidence.replace('{}', words.kinds.context))
      expect(markdown).toMatch(new RegExp(`${words.files}\n\n- a\\.md: .*\\d`))
    },
  )

  it('tells in German a report of which nothing is English but what programs look for', async () => {
    const { markdown } = await runOf(
      engine,
      { question: 'Wie viele Fahrgäste befördert die Fähre? Wer steuert sie?' },
      { 'a.md': LANGUAGES[0]?.text ?? '', 'b.pdf': 'kein PDF' },
    )
    expect(markdown).toContain('- [1] a.md, Zeile 3, unter „Fähre“')
    expect(markdown).toMatch(
      /- 1\.1 Wie viele Fahrgäste befördert die Fähre\? \((?:teilweise )?beantwortet; Belege: Dateien\)/,
    )
    expect(markdown).toMatch(/Dateien:\n\n- a\.md: Aussagen: \d; Abschnitte: 1\n- b\.pdf: nicht gelesen: /)
  })

  it.each(LANGUAGES)('says in it that nothing was found: $name', async ({ text, other, notFound }) => {
    const { markdown, shown } = await runOf(engine, { question: other }, { 'a.md': text })
    expect(markdown).toContain(`## Answer\n\n${notFound}`)
    expect(markdown).toContain(`*${reportWords(other).grades.none}*`)
    // The title is the question.
    expect(markdown).not.toContain(`## ${reportWords(other).questions}`)
    expect(shown.report?.grade).toBe('none')
  })

  it('goes by the language that was asked for before that of the question', async () => {
    const { markdown } = await runOf(engine, { question: 'What of it?', language: 'Deutsch' }, { 'a.md': 'It is so.' })
    expect(markdown).toContain('## Quellen')
    const plain = await runOf(engine, { question: 'Was ist es?', language: 'Klingon' }, { 'a.md': 'Es ist so.' })
    expect(plain.markdown).toContain('## Sources')
  })

  it('of a model has them, too', async () => {
    const said = '## Answer\n\n“Die Fähre befördert 120 Fahrgäste.” [a.md::S1]'
    await using run = await modelRun({ report: () => said })
    const { markdown } = await run.run(
      { question: 'Wie viele Fahrgäste befördert die Fähre?' },
      { 'a.md': LANGUAGES[0]?.text ?? '' },
    )
    expect(markdown).toContain('## Answer\n\n“Die Fähre')
    expect(markdown).toContain('## Quellen')
  })
})

it('has words that programs look for, the same in each language', () => {
  for (const { other, notFound } of LANGUAGES) {
    const { grades } = reportWords(other)
    expect(notFound).toMatch(/^Not found/)
    expect(grades.full).toMatch(/^Every question has an answer/)
    expect(grades.partial).toMatch(/^Some questions have no answer/)
    expect(grades.none).toMatch(/^Nothing was found/)
  }
})

function claimsIn(said: string, cited?: ClaimSource) {
  const numbers = new CitationNumbers()
  const { text } = numberCitations(said, (name) => (name === 'a.md::S1' ? name : undefined), numbers)
  return checkClaims(text, { numbers, sourceOf: () => cited, question: '', computed: [] }).claims
}

describe('what says that there is nothing to say', () => {
  it.each(LANGUAGES)('asserts nothing: $name', ({ other }) => {
    const { notFound, lacks } = reportWords(other)
    const body = [notFound, lacks].map((one) => one.replace('{}', '4')).join('\n\n')
    expect(claimsIn(body)).toEqual([])
  })

  it('is no way to assert something', () => {
    for (const said of ['Nichts ist teurer als das.', 'Nothing costs more.', '回答是五。', 'Найдено: пять.']) {
      expect(saysNothing(said)).toBe(false)
      expect(claimsIn(said).map(({ verdict }) => verdict)).toEqual(['uncited'])
    }
  })
})

describe('statements in scripts without spaces', () => {
  const source = { text: '渡轮可载客120人。灯塔建于1902年，高30米。', context: '' }
  const thai = { text: 'เรือข้ามฟากบรรทุกผู้โดยสารได้ 120 คน ประภาคารสร้างเมื่อปี 1902', context: '' }
  it.each([
    ['渡轮可载客120人。[a.md::S1]灯塔建于1902年，高30米。[a.md::S1]', source, ['supported', 'supported']],
    ['渡轮可载客150人。[a.md::S1]灯塔建于1902年。[a.md::S1]', source, ['unsupported', 'unchecked']],
    ['渡轮可载客120人。灯塔建于1902年。[a.md::S1]', source, ['uncited', 'unchecked']],
    ['渡轮不可载客120人。[a.md::S1]', source, ['unchecked']],
    ['“渡轮可载客120人。”[a.md::S1]', source, ['supported']],
    ['เรือข้ามฟากบรรทุกผู้โดยสารได้ 120 คน [a.md::S1]', thai, ['unchecked']],
    ['เรือข้ามฟากบรรทุกผู้โดยสารได้ 500 คน [a.md::S1]', thai, ['unsupported']],
    ['ประภาคารไม่ได้สร้างเมื่อปี 1902 [a.md::S1]', thai, ['unchecked']],
  ])('are each held against what they cite: %s', (said, cited, verdicts) => {
    expect(claimsIn(said, cited).map(({ verdict }) => verdict)).toEqual(verdicts)
  })
})

it.each<[string, string | undefined, string | undefined]>([
  ['What does the ferry cost, and when does it leave?', undefined, 'en'],
  ['Was kostet die Fähre und wann fährt sie?', undefined, 'de'],
  ['渡轮票多少钱？', undefined, 'zh'],
  ['Fähre Preis 2026', undefined, undefined],
  ['Quanto costa il biglietto?', undefined, undefined],
  ['What does the ferry cost?', 'German', 'de'],
  ['What does the ferry cost?', 'pt-BR', 'pt'],
  ['What does the ferry cost?', 'Klingon', undefined],
])('of %s pages are looked for in %s: %s', (question, chosen, code) => {
  expect(searchLanguage(question, chosen)).toBe(code)
})

it('a report has the language of a single word that is known, else English', () => {
  expect(['Welche Fähre?', 'Fähre?'].map((question) => reportLanguage(question))).toEqual(['de', 'en'])
})
