/** Checks a model's report against its sources, by code and by a judge. Refused paragraphs are rewritten. */

import { bytes4 } from '../../core/tokens.ts'
import { withoutWebAddresses } from '../../text/markdown.ts'
import { findCalculations } from '../explore/tables.ts'
import type { Correction } from '../report/assemble.ts'
import { type CitationNumbers, numberCitations } from '../report/citations.ts'
import { type ClaimBasis, claimKey, type JudgedClaim, type PlacedClaim, statementsIn } from '../report/claims.ts'
import { excerptFor, nearestParagraphs } from '../routing/route.ts'
import type { ReportStages, ReportWork } from './allotment.ts'
import type { ClaimVerdict, JudgeTask, RepairTask } from './stages.ts'

/** Gaps between paragraphs and items of lists, where a report may be cut. */
const PARAGRAPH_GAP = /(\n[^\S\n]*\n\s*|\n(?=[^\S\n]*(?:[-*+]|\d{1,3}[.)])\s))/

/** Maximum rounds of rewriting. */
const MAX_REPAIRS = 2

/** Maximum statements of one request to the judge, and maximum characters of its passages. */
const MAX_JUDGED = 60
const MAX_PASSAGE_CHARACTERS = 40_000

/** The text of a source; if it has more than `room` characters, the paragraphs nearest to the statements. */
function passageOf({ sourceOf, room = 0 }: PassageBasis, ref: string, statements: readonly string[]): Passage[] {
  const source = sourceOf(ref)
  if (!source) return []
  const text = source.text.length <= room ? source.text : excerptFor(source.text, statements)
  return [{ id: ref, under: source.context.replace(/\n+/g, ' > '), text }]
}

type PassageBasis = Pick<ClaimBasis, 'sourceOf'> & { readonly room?: number }
type Passage = { readonly id: string } & Omit<RepairTask['paragraphs'][number]['evidence'][number], 'ref'>

/** `numbers` assigns numbers to sources that an edit cites for the first time. */
type ReportBasis = ClaimBasis & { readonly numbers: CitationNumbers }

/** Checks and corrects the text of a report. Its citations are numbers. */
export class ReportCheck {
  readonly judged = new Map<string, JudgedClaim>()
  /** The statements that the judge replaced, by the `claimKey` of the new statement. */
  readonly corrections = new Map<string, Correction>()
  /** The refused statements of paragraphs that were rewritten. */
  readonly rewritten: Correction[] = []
  readonly #parts: ReportWork
  readonly #reportStages: ReportStages
  readonly #basis: ReportBasis
  #requests = 0
  #isExhausted = false
  /** Results of calculations in the whole report: a paragraph may use results of another paragraph. */
  #calculations: readonly string[] = []

  constructor(parts: ReportWork, reportStages: ReportStages, basis: ReportBasis) {
    this.#parts = parts
    this.#reportStages = reportStages
    this.#basis = { ...basis, judged: this.judged }
  }

  /** Corrects a report. Keeps the version of each paragraph with the largest share of accepted statements. */
  async correct(body: string): Promise<string> {
    await this.#judge(body)
    let best: readonly string[] = this.#withEdits(body).split(PARAGRAPH_GAP)
    let newest = best
    for (let round = 1; round <= MAX_REPAIRS; round++) {
      this.#calculations = calculationsIn(best.join(''))
      const shares = best.map((block) => this.#acceptedShare(block))
      const asked = newest.map((block, at) => block || (best[at] ?? ''))
      const rewritten = await this.#rewritten(asked, round)
      if (rewritten === undefined) break
      await this.#judge(rewritten.join(''))
      newest = rewritten.map((block) => this.#withEdits(block))
      best = best.map((block, at) => {
        const edited = newest[at] ?? ''
        if (this.#acceptedShare(edited) <= (shares[at] ?? 0)) return block
        for (const { text, why } of this.#claimsOf(block)) if (why !== undefined) this.rewritten.push({ text, why })
        return edited
      })
    }
    return best.join('')
  }

  /** Judges the statements that were not judged before, within the limits. */
  async #judge(body: string): Promise<void> {
    const { judge } = this.#parts.stages
    this.#calculations = calculationsIn(body)
    if (!judge) return
    const open = openClaims(statementsIn(body, this.#basis)).filter((claim) => !this.judged.has(claimKey(claim)))
    for (const { task, claims } of judgeRequests(open, this.#basis)) {
      if (this.#isExhausted) return
      const done = await this.#reportStages.run(`judge-${++this.#requests}`, (limits) => judge(task, limits), [])
      for (const { claim, edit, ...judged } of verdictsIn(done.value, claims)) {
        const isUsable = edit !== undefined && (judged.verdict !== 'supported' || claim.lacksCalculation)
        this.judged.set(claimKey(claim), { ...judged, ...(isUsable && { edit }) })
      }
      this.#isExhausted = done.exhausted !== undefined
    }
  }

  /** Replaces statements by the judge's corrections. */
  #withEdits(body: string): string {
    const edited = statementsIn(body, this.#basis)
      .toReversed()
      .reduce((text, claim) => {
        const edit = this.judged.get(claimKey(claim))?.edit
        return edit === undefined ? text : replaceStatement(text, claim, this.#numbered(edit))
      }, body)
    // A statement that the judge wrote is not judged again, but code checks its numbers and quotations.
    for (const claim of this.#claimsOf(edited)) {
      const said = comparableText(claim.text)
      const replaced = [...this.judged].find(([, { edit }]) => edit && comparableText(edit) === said)
      if (!replaced) continue
      const [[text = ''], { why }] = [replaced[0].split('\0'), replaced[1]]
      if (comparableText(text) !== said) this.corrections.set(claimKey(claim), { text, why })
      if (claim.verdict === 'unchecked') this.judged.set(claimKey(claim), { verdict: 'supported', why: '' })
    }
    return edited
  }

  #numbered(text: string): string {
    return numberCitations(text, this.#parts.sources.resolveName, this.#basis.numbers).text
  }

  /** The blocks of a report after the model rewrote refused paragraphs. Undefined if it changed no block. */
  async #rewritten(blocks: readonly string[], round: number): Promise<readonly string[] | undefined> {
    const { repair } = this.#parts.stages
    const paragraphs = blocks.flatMap((text, at) => this.#refusedParagraph(text, at))
    if (!repair || paragraphs.length === 0 || this.#isExhausted) return undefined
    const task = { language: this.#parts.settings.language, paragraphs }
    const name = round === 1 ? 'repair' : `repair-${round}`
    const { value, exhausted } = await this.#reportStages.run(name, (limits) => repair(task, limits), [])
    this.#isExhausted = exhausted !== undefined
    const edited = blocks.map((text, at) => {
      const rewritten = value.find(({ id }) => id === String(at))?.text
      return rewritten === undefined || /^#/m.test(rewritten) ? text : this.#numbered(rewritten)
    })
    return edited.join('') === blocks.join('') ? undefined : edited
  }

  /** The statements of a part of the report, which may use the calculations of the whole report. */
  #claimsOf(text: string): readonly PlacedClaim[] {
    return statementsIn(text, { ...this.#basis, computed: [...this.#basis.computed, ...this.#calculations] })
  }

  #refusedParagraph(text: string, at: number): RepairTask['paragraphs'] {
    if (/^\s*#/.test(text)) return []
    const claims = this.#claimsOf(text)
    const problems = claims.flatMap(({ text: said, why }) => (why === undefined ? [] : [{ text: said, why }]))
    if (problems.length === 0) return []
    const refs = [...new Set(claims.flatMap(({ citations }) => citations))]
    const passages = refs.flatMap((ref) => passageOf(this.#basis, ref, [text]))
    const evidence = passages.map(({ id, ...rest }) => ({ ref: String(this.#basis.numbers.numberOf(id)), ...rest }))
    return [{ id: String(at), text, problems, evidence }]
  }

  /** Share of accepted statements; `EMPTY_SHARE` without statements. */
  #acceptedShare(text: string): number {
    const claims = this.#claimsOf(text)
    if (claims.length === 0) return EMPTY_SHARE
    return claims.filter(({ verdict }) => verdict === 'supported').length / claims.length
  }
}

/**
 * Accepted share of a paragraph without statements. An omitted paragraph is better than a refused one, and worse than one with an
 * accepted statement.
 */
const EMPTY_SHARE = 0.01

function calculationsIn(body: string): readonly string[] {
  return findCalculations(body).map(({ result }) => String(result))
}

function comparableText(text: string): string {
  const uncited = text.replace(/\[[^[\]\n]*\]/g, '')
  return uncited.replace(/[\s*_.|]+/g, ' ').trim()
}

/** Replaces a statement by an edit. A row of a table is replaced cell by cell, if the edit has as many cells. */
function replaceStatement(text: string, { start, end, columns }: PlacedClaim, edit: string): string {
  const cellsIn = (said: string) => (columns === undefined ? [said] : said.split('|'))
  const cells = cellsIn(text.slice(start, end))
  const edits = cellsIn(edit.replace(/^\s*\||\|\s*$/g, ''))
  if (cells.length !== edits.length) return text
  const replaced = cells.map((cell, at) => replaceText(cell, edits[at]?.trim() ?? '')).join(' | ')
  return `${text.slice(0, start)}${replaced}${text.slice(end)}`
}

/** An edit with the bold lead of the text that it replaces; and with the text's citations, if the edit has none. */
function replaceText(text: string, edit: string): string {
  const cited = /\[\d{1,5}\]/.test(edit) ? [] : (text.match(/\[\d{1,5}\]/g) ?? [])
  const [, said = '', stop = ''] = /^([\s\S]*?)([.!?。！？]?)$/.exec(edit) ?? []
  // Without a full stop, the edit would join the next statement.
  const [before = ''] = /[.!?。！？](?=[\s\d[\]]*$)/.exec(text) ?? []
  const [, lead = ''] = /^\s*\*\*([^*\n]+)\*\*/.exec(text) ?? []
  const marked = lead !== '' && said.startsWith(lead) ? `**${lead}**${said.slice(lead.length)}` : said
  const numbers = cited.length > 0 ? ` ${[...new Set(cited)].join('')}` : ''
  return `${marked}${numbers}${stop || before}`
}

/** Statements that need a judge: no passage has them word for word, and code did not refuse their words. Each once. */
export function openClaims(claims: readonly PlacedClaim[]): PlacedClaim[] {
  const open = claims.filter(({ verdict, nearbyCitations, lacksCalculation }) => {
    return verdict === 'unchecked' || lacksCalculation || (verdict === 'uncited' && nearbyCitations.length > 0)
  })
  return [...new Map(open.map((claim) => [claimKey(claim), claim])).values()]
}

interface JudgeRequest {
  readonly claims: PlacedClaim[]
  readonly passages: Passage[]
}

function refsOf({ citations, nearbyCitations }: Pick<PlacedClaim, 'citations' | 'nearbyCitations'>) {
  return citations.length > 0 ? citations : nearbyCitations
}

/** Requests to a judge: statements with the passages that they cite. All statements share one excerpt of each source. */
export function judgeRequests(claims: readonly PlacedClaim[], basis: ClaimBasis) {
  const cited = claims.flatMap((claim) => refsOf(claim).map((ref) => ({ ref, text: claim.text })))
  const citing = [...Map.groupBy(cited, ({ ref }) => ref)]
  // If there are few sources, they are sent whole: an excerpt may lack what a statement says in other words.
  const sources = { ...basis, room: MAX_PASSAGE_CHARACTERS / citing.length }
  const textsOf = (all: typeof cited) => all.map(({ text }) => text)
  const passages = citing.flatMap(([ref, all]) => passageOf(sources, ref, textsOf(all)))
  const byRef = new Map(passages.map((passage) => [passage.id, passage]))
  const requests: JudgeRequest[] = []
  for (const claim of claims) {
    const under = 'Calculated before in the same text'
    const calculated = claim.usedCalculations.map((text) => ({ id: text, under, text }))
    const passages = [...refsOf(claim).flatMap((ref) => byRef.get(ref) ?? []), ...calculated]
    const last = requests.at(-1)
    const request = last && hasRoom(last, passages) ? last : { claims: [], passages: [] }
    if (request !== last) requests.push(request)
    request.claims.push(claim)
    request.passages.push(...passages.filter(({ id }) => !request.passages.some((one) => one.id === id)))
  }
  const { question, today } = basis
  return requests.map((request) => ({ claims: request.claims, task: { question, today, ...toJudgeTask(request) } }))
}

/** Whether a request has room for one more statement. Its passages count only if they are new. */
function hasRoom({ claims, passages }: JudgeRequest, more: readonly Passage[]): boolean {
  const all = new Map([...passages, ...more].map(({ id, text }) => [id, text.length]))
  const length = [...all.values()].reduce((sum, one) => sum + one, 0)
  return claims.length < MAX_JUDGED && (all.size === passages.length || length <= MAX_PASSAGE_CHARACTERS)
}

function toJudgeTask({ claims, passages }: JudgeRequest): Pick<JudgeTask, 'passages' | 'claims'> {
  const namesAddress = claims.some(({ text }) => text.includes('://'))
  return {
    passages: passages.map(({ under, text }, at) => ({
      id: `P${at + 1}`,
      ...(under !== passages[at - 1]?.under && { under }),
      text: namesAddress ? text : withoutWebAddresses(text),
    })),
    claims: claims.map(({ text, section, columns, before, after, ...claim }, at) => ({
      id: String(at + 1),
      ...(section !== claims[at - 1]?.section && { section }),
      ...(columns !== undefined && columns !== claims[at - 1]?.columns && { columns }),
      // A neighbour that is beside it in the list is not sent twice.
      ...(before !== '' && before !== claims[at - 1]?.text && { before }),
      claim: text,
      ...(claim.lacksCalculation && { lacks: claim.why ?? '' }),
      ...(after !== '' && after !== claims[at + 1]?.text && { after }),
      passages: passages.flatMap(({ id }, place) =>
        [...refsOf(claim), ...claim.usedCalculations].includes(id) ? [`P${place + 1}`] : [],
      ),
    })),
  }
}

/** Characters of a passage that a judge gets in any case. */
const MIN_PASSAGE = 200

/** Shortens a task to about `maxTokens` tokens: keeps the paragraphs of its passages nearest to the statements. */
export function fitJudgeTask(task: JudgeTask, maxTokens: number): JudgeTask {
  const room = maxTokens - bytes4(JSON.stringify({ ...task, passages: [] }))
  const share = room / bytes4(JSON.stringify(task.passages))
  const passages = task.passages.map(({ id, under, text }) => {
    const claims = task.claims.flatMap((one) => (one.passages.includes(id) ? [one.claim] : []))
    const length = Math.max(MIN_PASSAGE, (text.length * share) / claims.length)
    return { id, under, text: nearestParagraphs(text, claims, length) }
  })
  return { ...task, passages }
}

/** The reason if a judge gives none. */
const DEFAULT_REASONS = {
  supported: '',
  partly: 'The passages do not say all of it.',
  unsupported: 'The passages do not say so.',
} as const

/** The verdicts of a judge's answer, each with its statement. */
export function verdictsIn(answer: readonly ClaimVerdict[], claims: readonly PlacedClaim[]) {
  return answer.flatMap(({ id, verdict, why, edit }) => {
    const claim = claims[Number(id) - 1]
    return claim ? [{ claim, verdict, why: why || DEFAULT_REASONS[verdict], edit }] : []
  })
}
