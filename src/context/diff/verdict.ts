/** Whether each tool gets every rule of a project, and what to do where it does not. */

import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { assemble } from '../../core/assemble.ts'
import { AGENT_NAMES } from '../../core/choices.ts'
import { ContextError } from '../../core/errors.ts'
import type { Fragment, Run, Why } from '../../core/flow.ts'
import type { LedgerRow } from '../../core/ledger.ts'
import { bytes4 } from '../../core/tokens.ts'
import { identityOf, openRoot } from '../../files/disk.ts'
import { statOf } from '../../files/file-version.ts'
import { systemHome } from '../../files/home.ts'
import { directoriesAbove } from '../../files/roots.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { isWithin, parentOf, relativeTo } from '../../text/paths.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import type { AgentVerdict, MissingRule } from '../answers.ts'
import { MOST_DIRECTORIES, touchBelow } from '../check/files.ts'
import { wiredAgents } from '../init/agent-hooks.ts'
import { profileFor } from '../profiles/own-profile.ts'
import type { Profile } from '../profiles/profile.ts'
import type { ToolSetUp } from '../profiles/settings.ts'
import { toolTitle } from '../profiles/signs.ts'
import { AMBIT } from '../profiles.ts'
import { readMarked } from '../sync/mark.ts'
import { Instructions } from '../workspace/instructions.ts'

/** Place where tools are compared. Absolute. */
interface VerdictPlace {
  readonly cwd: string
  readonly home: string | false | undefined
  readonly system: string | undefined
}

/** Files whose paths decide which rules by path are looked at. */
const MOST_FILES = 4000

/** A file of rules. */
interface RuleText {
  readonly path: string
  readonly title: string
  readonly id: string
  /** Without front matter: the same rule in the form of another tool is the same rule. */
  readonly body: string
  /** Whether `sync` wrote it, from other rules. */
  readonly isWritten: boolean
}

/** Files that one tool loads when every file of the project has been touched. */
interface ToolView {
  readonly name: string
  readonly profile: Profile
  readonly rules: readonly RuleText[]
  readonly ledger: readonly LedgerRow[]
}

/** The verdict on each tool, in the order of their names. */
export async function agentVerdicts(
  names: readonly string[],
  place: VerdictPlace,
  run: Run,
): Promise<readonly AgentVerdict[]> {
  const own = instructionsFor({ profile: AMBIT, excludePaths: [] }, place, true)
  await touchBelow(own.tree, { start: own.root, most: MOST_DIRECTORIES, files: MOST_FILES }, run)
  const touched = own.tree.touched.map((path) => join(own.root, path))
  const ambit = await viewOf({ name: 'ambit', profile: AMBIT, instructions: own }, run)
  const views: ToolView[] = []
  for (const name of names) {
    const setUp = await profileFor(name, place)
    const instructions = instructionsFor(setUp, place, false)
    for (const path of touched) instructions.tree.touch(path)
    const view = await viewOf({ name, profile: setUp.profile, instructions }, run)
    views.push({ ...view, rules: [...view.rules, ...rulesAbove(setUp.profile, own.root)] })
  }
  const isOutside = ({ path }: RuleText) => relativeTo(own.root, path) === undefined
  const rules = uniqueRules([
    ...ambit.rules.filter(({ isWritten }) => !isWritten),
    ...views.flatMap((view) => view.rules.filter(isOutside)),
  ])
  const home = place.home === false ? undefined : (place.home ?? systemHome())
  const hooks = wiredAgents({ root: own.root, home })
  return views.map((view) => {
    const wired = Object.entries(hooks).some(([agent, scopes]) => agent === hookName(view.name) && scopes.length > 0)
    const brought = wired ? [...view.rules, ...ambit.rules] : view.rules
    const lacking = rules.filter((rule) => !brought.some((one) => isSameRule(one, rule)))
    return {
      agent: view.name,
      hook: wired,
      missing: lacking.map((rule) => missingRule(rule, view, { ...place, home, root: own.root })),
    }
  })
}

/** The hook of Copilot in a terminal is set up under the name of its agent. */
function hookName(profile: string): string {
  return profile === 'copilot-cli' ? 'copilot' : profile
}

function instructionsFor(setUp: ToolSetUp, { cwd, home }: VerdictPlace, gitignore: boolean): Instructions {
  const noNotes = setUp.profile.home.filter(({ isOfTool = false }) => !isOfTool)
  return new Instructions({
    cwd,
    ...setUp,
    profile: { ...setUp.profile, home: noNotes },
    gitignore,
    ...(home !== undefined && { home }),
  })
}

async function viewOf(
  { name, profile, instructions }: Pick<ToolView, 'name' | 'profile'> & { readonly instructions: Instructions },
  run: Run,
): Promise<ToolView> {
  const { selection, ledger } = await assemble(instructions.recipe(bytes4), {}, run)
  return { name, profile, rules: selection.kept.filter(({ cut }) => !cut).map(ruleOf), ledger }
}

function ruleOf({ origin, title, text }: Fragment): RuleText {
  return { path: fileURLToPath(origin.uri), title, id: origin.id ?? origin.uri, ...bodyOf(text) }
}

function bodyOf(text: string): Pick<RuleText, 'body' | 'isWritten'> {
  const marked = readMarked(text)
  const body = marked?.body ?? text.slice(splitFrontMatter(text).body)
  return { body: body.trim(), isWritten: marked !== undefined }
}

function isSameRule(a: RuleText, b: RuleText): boolean {
  return a.id === b.id || a.body === b.body || (a.isWritten && a.body.includes(b.body))
}

function uniqueRules(rules: readonly RuleText[]): readonly RuleText[] {
  const found: RuleText[] = []
  for (const rule of rules) if (!found.some((one) => isSameRule(one, rule))) found.push(rule)
  return found
}

/** The files above the project that a tool loads too, as far as they may be read. */
function rulesAbove({ above = false, names }: Profile, root: string): readonly RuleText[] {
  if (!above) return []
  return directoriesAbove(parentOf(root)).flatMap((directory) =>
    names.flat().flatMap((name) => {
      if (directory === root || !statOf(join(directory, name))) return []
      return readRule(directory, name, root)
    }),
  )
}

function readRule(directory: string, name: string, root: string): readonly RuleText[] {
  try {
    const read = openRoot(directory).read(name)
    if (!read.ok) return []
    const text = new TextDecoder().decode(read.bytes)
    return [{ path: read.path, title: relative(root, read.path), id: identityOf(read.version), ...bodyOf(text) }]
  } catch (error) {
    if (error instanceof ContextError) return []
    throw error
  }
}

function missingRule(rule: RuleText, view: ToolView, place: Mending['place']): MissingRule {
  const { path, title } = rule
  const uri = pathToFileURL(path).href
  const row = view.ledger.find((one) => one.uri === uri)
  const beside = view.rules.find((one) => dirname(one.path) === dirname(path))?.path
  const instead = row?.why === 'shadowed' ? (beside ?? view.rules[0]?.path) : undefined
  const isAgent = AGENT_NAMES.some((name) => name === hookName(view.name))
  const mending: Mending = {
    path,
    place,
    profile: view.profile,
    instead,
    why: row?.why,
    agent: isAgent ? hookName(view.name) : undefined,
  }
  return { title, uri, reason: reasonFor(mending, view, row), mend: mendFor(mending) }
}

function reasonFor({ path, place, profile, instead }: Mending, { name }: ToolView, row: LedgerRow | undefined): string {
  const title = toolTitle(name)
  const { root, cwd } = place
  if (instead !== undefined)
    return `${title} reads ${relativeTo(root, instead) === undefined ? instead : `./${relative(root, instead)}`} instead`
  if (row && row.decision !== 'left')
    return `${title} cuts it: ${row.detail ?? `it is over the limit of ${profile.cap} bytes.`}`
  if (row?.detail) return `${title}: ${row.detail}`
  if (relativeTo(root, path) === undefined) return `${title} does not look there`
  const names = [...profile.names.flat(), ...(profile.fallback ?? [])]
  const isNamed = names.some((one) => path.endsWith(`/${one}`))
  if (!isNamed) return `${title} does not read files called ${basename(path)}`
  const isAbove = isWithin(dirname(path), cwd)
  return isAbove
    ? `${title} looks in its working directory alone`
    : `${title} loads nothing from below its working directory`
}

/** A file that a tool does not load, and what is known of it. Paths are absolute. */
interface Mending {
  readonly path: string
  readonly place: { readonly root: string; readonly cwd: string; readonly home: string | undefined }
  readonly profile: Profile
  /** The file that the tool reads in its place. */
  readonly instead: string | undefined
  readonly why: Why | undefined
  /** The name under which `init` sets up the tool's hook. */
  readonly agent: string | undefined
}

/** One command, or one edit, after which the tool loads the file. */
function mendFor(mending: Mending): string {
  const { path, place, profile, instead, why, agent } = mending
  if (relativeTo(place.root, path) === undefined) return homeMend(mending)
  if (why === 'untrusted') return `Start it in ${place.root}, or approve its imports when it asks.`
  if (why === 'excluded') return 'Delete the pattern that excludes the file from the settings of the tool.'
  if (why === 'over-limit' && profile.name === 'codex')
    return 'Set project_doc_max_bytes = 131072 in ~/.codex/config.toml.'
  if (instead !== undefined && dirname(instead) === dirname(path) && profile.imports)
    return `echo ${quoteShell(`@${basename(path)}`)} >> ${shownPath(instead, place)}`
  return (
    linkMend(mending) ??
    (agent === undefined ? `ambit sync --agent ${profile.name}` : `ambit init --agent ${agent} --write`)
  )
}

/** A link beside the file, by the name that the tool looks for, where it looks there. */
function linkMend({ path, place, profile }: Mending): string | undefined {
  const directory = dirname(path)
  const name = linkName(profile.names.flat())
  const isReached =
    profile.reach === 'touched' ||
    (isWithin(directory, place.cwd) && (profile.reach === 'ancestors' || directory === place.cwd))
  const isRule = directory.slice(place.root.length).includes('/.')
  if (name === undefined || !isReached || isRule || statOf(join(directory, name))) return undefined
  return `ln -s ${quoteShell(basename(path))} ${shownPath(join(directory, name), place)}`
}

/** The common name where the tool takes it. */
function linkName(names: readonly string[]): string | undefined {
  const plain = names.filter((name) => !name.includes('/'))
  return plain.find((name) => name === 'AGENTS.md') ?? plain[0]
}

/** The user's own rules: a link from the place where the tool has its own. */
function homeMend({ path, place: { home }, profile }: Mending): string {
  const [own] = profile.home.filter(({ folder, names }) => !folder.startsWith('/') && names.length > 0)
  const name = linkName(own?.names.flat() ?? [])
  if (home === undefined || own === undefined || name === undefined)
    return 'Copy what matters into AGENTS.md of the project: the tool has no file of its own for all projects.'
  const target = join(home, own.folder, name)
  const there = `~/${relative(home, target)}`
  if (statOf(target)) return `cat ${quoteShell(path)} >> ${there}`
  return `mkdir -p ~/${relative(home, dirname(target))} && ln -s ${quoteShell(path)} ${there}`
}

function shownPath(path: string, { root }: Mending['place']): string {
  return quoteShell(relative(root, path))
}
