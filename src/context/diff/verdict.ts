/** Finds the rules (instruction files) of a project that a tool does not get, and how to fix this. */

import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { assemble } from '../../core/assemble.ts'
import { AGENT_NAMES, type AgentName, hookBytes } from '../../core/choices.ts'
import type { Run } from '../../core/flow.ts'
import type { LedgerRow } from '../../core/ledger.ts'
import { bytes4 } from '../../core/tokens.ts'
import { statOf } from '../../files/file-version.ts'
import { directoriesAbove } from '../../files/roots.ts'
import { byCodeUnit, isWithin, parentOf, relativeTo } from '../../text/paths.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import type { AgentVerdict } from '../answers.ts'
import { MAX_DIRECTORIES, touchBelow } from '../check/files.ts'
import { findHookScopes } from '../init/agent-hooks.ts'
import { homeOrDefault } from '../load/place.ts'
import { withoutComments } from '../passes/budget/pieces.ts'
import { type ProfilePlace, profileFor } from '../profiles/own-profile.ts'
import type { Profile } from '../profiles/profile.ts'
import type { ToolSetUp } from '../profiles/settings.ts'
import { settingsText } from '../profiles/settings-file.ts'
import { toolTitle } from '../profiles/signs.ts'
import { OWN_PROFILE, RULES_FOLDER } from '../profiles.ts'
import { type ReaderPosition, renderDelivery, ruleDigest, selectApplying, withoutToolNotes } from '../reach/applying.ts'
import { compareTexts, type ReaderText } from '../session.ts'
import { readMarked, ruleBody } from '../sync/mark.ts'
import { Instructions } from '../workspace/instructions.ts'

/** Maximum number of files that are matched with rules by path. */
const MAX_FILES = 4000

type RuleText = ReturnType<typeof ruleText>

/** Files that one tool loads when every file of the project has been touched. */
type ToolView = Awaited<ReturnType<typeof viewOf>> & { readonly setUp: ToolSetUp }

/** The verdict on each tool, in the order of `names`. `touched`: absolute paths that a session touches first, in their order. */
export async function agentVerdicts(
  names: readonly string[],
  { touched = [], ...place }: ProfilePlace & { readonly touched?: readonly string[] | undefined },
  run: Run,
): Promise<readonly AgentVerdict[]> {
  const ambit = instructionsFor({ profile: OWN_PROFILE, excludePaths: [] }, place, true)
  const { root, tree } = ambit
  await touchBelow(tree, { start: root, maxDirectories: MAX_DIRECTORIES, maxFiles: MAX_FILES }, run)
  const ambitView = await viewOf(OWN_PROFILE.name, ambit, run)
  const views: ToolView[] = []
  for (const name of names) {
    const setUp = await profileFor(name, place)
    const instructions = instructionsFor(setUp, place, false)
    for (const path of tree.touched) instructions.tree.touch(join(root, path))
    const view = await viewOf(name, instructions, run)
    views.push({ ...view, rules: [...view.rules, ...rulesAbove(view.profile, root)], setUp })
  }
  const isOutside = ({ path }: RuleText) => relativeTo(root, path) === undefined
  const rules: RuleText[] = []
  for (const rule of [...ambitView.rules, ...views.flatMap((view) => view.rules.filter(isOutside))])
    if (!rules.some((one) => holdsRule(one, rule))) rules.push(rule)
  const home = homeOrDefault(place.home)
  const hooks = findHookScopes({ root, home })
  const touchedPaths = [ambit.project, ...ambit.homes].flatMap(({ findings }) =>
    [...findings.values()].map(({ touchedPath }) => touchedPath),
  )
  const touchedFirst = touched.flatMap((path) => relativeTo(root, path) ?? [])
  const pathsToTouch = [...new Set([...touchedFirst, ...touchedPaths.sort(byCodeUnit)])].filter((path) => path !== '')
  const verdicts: AgentVerdict[] = []
  for (const view of views) {
    const agent = agentOf(view.name)
    const maxBytes = agent && hooks[agent].length > 0 ? (view.setUp.hookBytes ?? hookBytes(agent)) : undefined
    const loadedDigests = view.rules.map(({ digest }) => digest)
    const position = { root, cwd: place.cwd, home: place.home }
    const hook = maxBytes === undefined ? undefined : { tool: view.setUp, maxBytes, loaded: loadedDigests }
    const delivery = hook && (await findDeliveredRules(position, pathsToTouch, hook))
    const missing = rules.flatMap((rule) => {
      if (delivery?.delivered.has(rule.digest) || view.rules.some((one) => holdsRule(one, rule))) return []
      const cutAnswer = delivery?.cutAnswers.get(rule.digest)
      return [missingRule({ ...rule, view, place: { ...position, home }, cutAnswer })]
    })
    verdicts.push({ agent: view.name, hook: hook !== undefined, missing })
  }
  return verdicts
}

/** The agent whose hook `init` sets up for a tool: Copilot for Copilot CLI. */
function agentOf(profile: string): AgentName | undefined {
  return AGENT_NAMES.find((name) => name === (profile === 'copilot-cli' ? 'copilot' : profile))
}

function instructionsFor(setUp: ToolSetUp, { cwd, home }: ProfilePlace, gitignore: boolean): Instructions {
  const profile = withoutToolNotes(setUp.profile)
  return new Instructions({ cwd, ...setUp, profile, gitignore, ...(home !== undefined && { home }) })
}

async function viewOf(name: string, instructions: Instructions, run: Run) {
  const { selection, ledger } = await assemble(instructions.recipe(bytes4), {}, run)
  const wholeFragments = selection.kept.filter(({ cut }) => !cut)
  const rules = wholeFragments.map(({ origin, title, text }) => ruleText(fileURLToPath(origin.uri), title, text))
  return { name, profile: instructions.profile, rules, ledger }
}

/**
 * A rule file. `body`: its text without front matter and comments, so that one rule in the formats of two tools has equal
 * bodies. `isWritten`: whether `sync` wrote the file from other rules.
 */
function ruleText(path: string, title: string, text: string) {
  const body = ruleBody(text)
  const isWritten = readMarked(text) !== undefined
  return { path, title, body: withoutComments(body).trim() || body, digest: ruleDigest(text), isWritten }
}

/** Whether a file holds all lines of a rule: a copy, or a file generated from several rules that applies where the rule does. */
function holdsRule(file: RuleText, rule: RuleText): boolean {
  if (file.body === rule.body) return true
  const applies = file.isWritten || isWithin(dirname(file.path), dirname(rule.path))
  return applies && `\n${file.body}\n`.includes(`\n${rule.body}\n`)
}

/** The readable files above the project that a tool also loads. */
function rulesAbove({ above = false, names }: Profile, root: string): readonly RuleText[] {
  const directories = above ? directoriesAbove(parentOf(root)).filter((directory) => directory !== root) : []
  return directories.flatMap((directory) =>
    names.flat().flatMap((name): RuleText[] => {
      const path = join(directory, name)
      const text = statOf(path) && settingsText(directory, name)
      return text === undefined ? [] : [ruleText(path, relative(root, path), text)]
    }),
  )
}

interface CutAnswer {
  /** The touched path that caused the answer, from the root; `''` for the start of the session. */
  readonly touchedPath: string
  /** Bytes of the answer before the cut. */
  readonly bytes: number
  readonly maxBytes: number
}

/**
 * Simulates a session that touches one path after the other. `pathsToTouch`: relative to the root. `maxBytes`: maximum
 * bytes of one answer of the hook. `loaded`: digests of the texts that the tool loads itself.
 *
 * @returns `delivered`: digests of the rules that the hook delivers completely. `cutAnswers`: by the digest of a rule,
 * the answer in which the rule was cut.
 */
async function findDeliveredRules(
  position: Omit<ReaderPosition, 'touched'>,
  pathsToTouch: readonly string[],
  { tool, maxBytes, loaded: loadedDigests }: { tool: ToolSetUp; maxBytes: number; loaded: readonly string[] },
) {
  const held = new Map<string, ReaderText>(loadedDigests.map((digest) => [digest, { digest }]))
  const delivered = new Set<string>()
  const cutAnswers = new Map<string, CutAnswer>()
  for (const touchedPath of ['', ...pathsToTouch]) {
    const isCall = touchedPath !== ''
    const touched = isCall ? [join(position.root, touchedPath)] : []
    const applying = await selectApplying({ tool, pathContexts: async () => [] }, { ...position, touched }, isCall)
    const { added } = compareTexts(applying.items, { held })
    const { whole, owed, bytes } = await renderDelivery(
      { added, changed: [], gone: [] },
      { cap: maxBytes, format: 'xml' },
    )
    for (const { uri, digest } of added) {
      if (!owed.has(uri)) held.set(uri, { digest })
      if (whole.has(uri)) delivered.add(digest)
      else cutAnswers.set(digest, { touchedPath, bytes, maxBytes })
    }
  }
  return { delivered, cutAnswers }
}

/** A rule that a tool does not load. Paths are absolute. */
interface MissingRule extends Pick<RuleText, 'path' | 'title'> {
  readonly place: { readonly root: string; readonly cwd: string; readonly home: string | undefined }
  /** The answer of Ambit's hook that cut the rule; undefined for any other cause. */
  readonly cutAnswer: CutAnswer | undefined
  readonly view: ToolView
}

/** The decision of the tool about a file, and the path of the file that the tool reads instead. */
type ToolDecision = { readonly row: LedgerRow | undefined; readonly insteadPath: string | undefined }

function missingRule(rule: MissingRule) {
  const { path, title, view } = rule
  const uri = pathToFileURL(path).href
  const row = view.ledger.find((one) => one.uri === uri)
  const sibling = view.rules.find((one) => dirname(one.path) === dirname(path))?.path
  const insteadPath = row?.why === 'shadowed' ? (sibling ?? view.rules[0]?.path) : undefined
  return { title, uri, reason: reasonFor(rule, { row, insteadPath }), mend: fixFor(rule, { row, insteadPath }) }
}

function reasonFor({ path, place: { root, cwd }, cutAnswer, view }: MissingRule, { row, insteadPath }: ToolDecision) {
  const { name, profile } = view
  const title = toolTitle(name)
  if (cutAnswer) {
    const moment = cutAnswer.touchedPath === '' ? 'at the start' : `when it touches ${cutAnswer.touchedPath}`
    return `${title} accepts ${cutAnswer.maxBytes} bytes from a hook at once, but the hook's text has ${cutAnswer.bytes} ${moment}`
  }
  if (insteadPath !== undefined)
    return `${title} reads ${relativeTo(root, insteadPath) === undefined ? insteadPath : `./${relative(root, insteadPath)}`} instead`
  if (row && row.decision !== 'left')
    return `${title} cuts it: ${row.detail ?? `it is over the limit of ${profile.cap} bytes.`}`
  if (row?.detail) return `${title}: ${row.detail}`
  if (relativeTo(root, path) === undefined) return `${title} does not read this file outside of the project`
  const isNamed = [...profile.names.flat(), ...(profile.fallback ?? [])].some((one) => path.endsWith(`/${one}`))
  if (!isNamed) {
    const [folder] = /^\.[^/]+\/[^/]+(?=\/)/.exec(relative(root, path)) ?? []
    return `${title} does not read ${folder ?? `files called ${basename(path)}`}`
  }
  if (isWithin(dirname(path), cwd)) return `${title} looks only in its working directory`
  return `${title} loads nothing from below its working directory`
}

/** A command or edit after which the tool loads the file. */
function fixFor(missing: MissingRule, { row, insteadPath }: ToolDecision): string {
  const { path, place, cutAnswer, view } = missing
  const { profile } = view
  if (relativeTo(place.root, path) === undefined) return homeFix(path, place.home, profile)
  if (row?.why === 'untrusted') return `Start ${toolTitle(view.name)} in ${place.root}, or approve its imports.`
  if (row?.why === 'excluded') return 'In the settings of the agent, delete the pattern that excludes this file.'
  if (row?.why === 'failed' && row.decision !== 'left') return 'Write the word that begins with @ in backticks.'
  if (row?.why === 'over-limit' && profile.name === 'codex')
    return 'Set project_doc_max_bytes = 131072 in ~/.codex/config.toml.'
  if (insteadPath !== undefined && dirname(insteadPath) === dirname(path) && profile.imports)
    return `echo ${quoteShell(`@${basename(path)}`)} >> ${quoteShell(relative(place.root, insteadPath))}`
  const agent = agentOf(view.name)
  const isSource = basename(path) === 'AGENTS.md' || isWithin(join(place.root, RULES_FOLDER), path)
  const sync = `${isSource ? '' : 'ambit sync --import && '}ambit sync --agent ${profile.name}`
  const setUp = agent === undefined ? sync : `ambit init --agent ${agent} --write`
  return linkCommand(missing) ?? (cutAnswer ? 'Shorten the file, or move parts to folders where they apply.' : setUp)
}

/** A command that links a name that the tool reads to the file beside it; undefined if the tool does not read there. */
function linkCommand({ path, place: { root, cwd }, view: { profile } }: MissingRule): string | undefined {
  const directory = dirname(path)
  const name = linkName(profile.names.flat())
  const isReached =
    profile.reach === 'touched' || (isWithin(directory, cwd) && (profile.reach === 'ancestors' || directory === cwd))
  const isRule = directory.slice(root.length).includes('/.')
  if (name === undefined || !isReached || isRule || statOf(join(directory, name))) return undefined
  return `ln -s ${quoteShell(basename(path))} ${quoteShell(relative(root, join(directory, name)))}`
}

/** The name of a link: AGENTS.md if the tool reads this name, else the first name of the tool that is not in a folder. */
function linkName(names: readonly string[]): string | undefined {
  const namesBeside = names.filter((name) => !name.includes('/'))
  return namesBeside.find((name) => name === 'AGENTS.md') ?? namesBeside[0]
}

/** A command that adds a user's rule to the tool's file in the home directory: by a link, or at the end of the file. */
function homeFix(path: string, home: string | undefined, profile: Profile): string {
  const [homeFolder] = profile.home.filter(({ folder, names }) => !folder.startsWith('/') && names.length > 0)
  const name = linkName(homeFolder?.names.flat() ?? [])
  if (home === undefined || homeFolder === undefined || name === undefined)
    return 'Copy what matters into AGENTS.md of the project: the tool has no file of its own for all projects.'
  const target = join(home, homeFolder.folder, name)
  const shownTarget = `~/${relative(home, target)}`
  if (statOf(target)) return `cat ${quoteShell(path)} >> ${shownTarget}`
  return `mkdir -p ~/${relative(home, dirname(target))} && ln -s ${quoteShell(path)} ${shownTarget}`
}
