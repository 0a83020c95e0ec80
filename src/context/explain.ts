import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Run, Why } from '../core/flow.ts'
import type { LedgerRow } from '../core/ledger.ts'
import { statOf } from '../files/file-version.ts'
import { relativeTo } from '../text/paths.ts'
import type { ExplainAnswer, LoadAnswer, WhyNot } from './answers.ts'
import { type LoadRequest, load } from './load.ts'
import { profileFor } from './profiles/own-profile.ts'
import type { Profile } from './profiles/profile.ts'
import { OWN_PROFILE } from './profiles.ts'

export interface ExplainRequest extends LoadRequest {
  /** A file: the answer explains why it is loaded or not. Relative to the current directory. */
  readonly whyNot?: string | undefined
}

/** Loads a place, and returns the decision about each file, without the texts. */
export async function explainPlace({ whyNot, ...request }: ExplainRequest, run: Run, choice?: string) {
  const answer = withoutTexts(await load({ ...request, full: false }, run, { choice }))
  if (whyNot === undefined) return answer
  const { profile, home } = request
  const tool = profile === undefined ? OWN_PROFILE : (await profileFor(profile, { cwd: answer.place, home })).profile
  return { ...answer, whyNot: whyNotOf(resolveNamedFile(whyNot, answer), answer, tool) }
}

export function withoutTexts(loaded: LoadAnswer): ExplainAnswer {
  const { text: _text, summary: _summary, files: _files, contexts: _contexts, sent: _sent, ...answer } = loaded
  return answer
}

type LedgerAnswer = Pick<LoadAnswer, 'ledger' | 'root' | 'contextDir' | 'place'>

/** The absolute path of a file: from the current directory; from the place if the file exists only in the place. */
function resolveNamedFile(file: string, { place, ledger }: LedgerAnswer): string {
  const fromHere = resolve(file)
  const fromPlace = resolve(place, file)
  const isKnown = (path: string) => statOf(path) || ledger.some(({ uri }) => uri === pathToFileURL(path).href)
  return !isKnown(fromHere) && isKnown(fromPlace) ? fromPlace : fromHere
}

function whyNotOf(path: string, answer: LedgerAnswer, toolProfile: Profile): WhyNot {
  const { href } = pathToFileURL(path)
  const rows = answer.ledger.filter(({ uri }) => uri === href)
  const sentences = rows.length > 0 ? rows.flatMap(withAdvice) : [explainUnconsidered(path, answer, toolProfile)]
  return { path, answer: sentences.join(' '), isThere: statOf(path) !== undefined, rows }
}

/** Advice about a file that is not loaded completely, by the reason. */
const ADVICE_BY_REASON: Readonly<Partial<Record<Why, string>>> = {
  missing: 'Write the file.',
  empty: 'Write something into it.',
  binary: 'Save it as text in UTF-8.',
  unreadable: 'Make it a file that you may read.',
  denied: 'Copy what matters into a file of the project that is read.',
  untrusted: 'Copy it into a directory of your own, or approve the import in the agent.',
  excluded: 'In .gitignore or the settings of the agent, delete the pattern that excludes the file.',
  shadowed: 'Import it with @PATH in the file that is read instead, or delete that file.',
  irrelevant: 'Name a file that it is for with --touched.',
  'over-limit': 'Shorten it, or split it.',
  'over-budget': 'Raise --budget, or name what matters with --task.',
}

/** Sentences about a file: the decision, then advice. */
export function withAdvice(row: LedgerRow): string[] {
  const advice = !row.why || row.pass === 'unsent' || row.pass === 'limit' ? undefined : ADVICE_BY_REASON[row.why]
  return [describeDecision(row), ...(advice === undefined ? [] : [advice])]
}

function describeDecision({ decision, why, detail, pass, tokensBefore, tokensAfter }: LedgerRow): string {
  const by = pass ? ` by the pass "${pass}"` : ''
  const detailSentence = detail ? ` ${detail}` : ''
  if (decision === 'kept') return `It is loaded completely: ${tokensAfter} tokens.${detailSentence}`
  if (decision === 'left') return `It was left out${by}: ${why}.${detailSentence}`
  return `It was cut${by} to ${tokensAfter} of ${tokensBefore} tokens: ${why}.${detailSentence}`
}

/** Why a file was not considered. */
function explainUnconsidered(path: string, { root, contextDir, place }: LedgerAnswer, toolProfile: Profile): string {
  if (!statOf(path)) return 'There is no such file. Write it.'
  if (relativeTo(root, path) === undefined)
    return `It is outside the project root ${root}. Only the user's own folders are read outside it. Copy it into the project.`
  if (contextDir && relativeTo(contextDir.path, path))
    return `Only Markdown files right in the context directory are read. Move it to ${contextDir.path}, with a name that ends in .md.`
  return explainUnreached(path, place, toolProfile)
}

/** Why a file in the project was not considered: the tool ignores its directory or its name. */
function explainUnreached(path: string, place: string, { names, fallback = [], rules = [], home, reach }: Profile) {
  const files = [...names.flat(), ...fallback]
  const isRule = rules.some(
    ({ folder, suffix }) => path.endsWith(`/${folder}`) || (path.includes(`/${folder}/`) && path.endsWith(suffix)),
  )
  if (isRule || files.some((name) => path.endsWith(`/${name}`))) return REACH_REASONS[reach](place)
  const folders = home.map(({ folder }) => `~/${folder}`)
  const ruleFiles = rules.map(({ folder, suffix }) => (suffix === '' ? folder : `${folder}/*${suffix}`))
  const outsideHome = folders.length > 0 ? `, and it is not in ${folders.join(', ')}` : ''
  return `It is not one of ${[...files, ...ruleFiles].join(', ')}, no file imports it${outsideHome}. Import it with @PATH in a file that is read, or rename it.`
}

const REACH_REASONS: Readonly<Record<Profile['reach'], (place: string) => string>> = {
  touched: (place) =>
    `Its directory is neither at nor above ${place}, and not above a touched file. Name a file beside or below it with --touched to bring it in.`,
  ancestors: (place) =>
    `Its directory is not at or above ${place}, and files that are touched do not count for this tool. Start the tool in its directory.`,
  'working-directory': (place) =>
    `It is not in ${place}, the only directory of the project that counts for this tool. Start the tool in its directory.`,
}
