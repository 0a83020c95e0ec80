import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import type { AgentName } from '../core/choices.ts'
import { ContextError, invalidInput } from '../core/errors.ts'
import { type FileVersion, type LocalRoot, openRoot } from '../files/disk.ts'
import { projectRootOf } from '../files/roots.ts'
import { relativeTo } from '../text/paths.ts'
import type { InitAnswer, InitFile } from './answers.ts'
import { findOtherHooks, isHookFile } from './init/agent-hooks.ts'
import { AGENTS, type AgentFile, type AgentFiles, SETTING_SCOPES, type SettingScope } from './init/agents.ts'
import { createFile, removeEmptyParents, replaceFile, statTarget, type WriteTarget } from './init/files.ts'
import { newJson, withEdits, withoutEdits } from './init/json-edit.ts'
import { INSTRUCTION_FILE, readSkeletons } from './init/templates.ts'
import { diskPlace, homeDirectory, homeOrDefault } from './load/place.ts'
import { OWN_PROFILE } from './profiles.ts'
import { findContextDir } from './sources/context-dir-walk.ts'

export type { SyncAnswer } from './answers.ts'
export { findHookScopes } from './init/agent-hooks.ts'
export { type SyncRequest, syncPlace } from './sync/sync.ts'

/** A request to set up an agent, or skeletons. */
export interface InitRequest {
  /** A path in the project. Default: the current directory. */
  readonly place?: string | undefined
  /** Sets up this agent. */
  readonly agent?: AgentName | undefined
  /** Sets the agent up for everyone in the project. The default. */
  readonly project?: boolean | undefined
  /** Sets the agent up for the user, in all projects. */
  readonly user?: boolean | undefined
  /** Sets the agent up for the user, in this project. */
  readonly local?: boolean | undefined
  /** Whether the hook adds relevant code to the first prompt of a session. Default: false. */
  readonly task?: boolean | undefined
  /** Removes Ambit's entries from the agent's settings. Default: false. */
  readonly remove?: boolean | undefined
  /** Whether the skeletons are written. Default: true without an agent, false with an agent. */
  readonly skeletons?: boolean | undefined
  /**
   * Whether to write. If not, the answer shows what would be written. Default: true for skeletons alone, which change no existing file; false with an
   * agent, whose settings the user should see first.
   */
  readonly write?: boolean | undefined
  /** The user's home directory. Default: the system's. */
  readonly home?: string | undefined
}

/**
 * Writes skeletons of a context directory and of an instruction file; or sets up an agent to get its context. Existing content stays: files are not
 * overwritten, and JSON files get further entries. A second call changes nothing.
 *
 * @throws ContextError `not-found`, `invalid-input` for a bad place, agent or scope; `denied` for a place that may not be written, and for a link in
 * place of a directory; `conflict`; `unavailable` when the system fails.
 */
export async function initPlace(request: InitRequest): Promise<InitAnswer> {
  const { place, agent, remove = false, write = agent === undefined, skeletons = agent === undefined } = request
  if (remove && agent === undefined)
    throw invalidInput('There is no agent to remove Ambit from.', 'Name it: "ambit init --agent claude --remove".')
  const { directory } = diskPlace(place)
  const root = openRoot(projectRootOf(directory))
  const plans = agent === undefined ? [] : plansFor(agent, root, request)
  if (skeletons && !remove) plans.push(...skeletonsFor(root, directory).map((file) => planOf(root, file)))
  if (agent !== undefined && write && !remove) plans.forEach(refuseForeignHook)
  return { place: directory, root: root.path, files: plans.map((plan) => toInitFile(plan, write)) }
}

function plansFor(agent: AgentName, root: LocalRoot, request: InitRequest): FilePlan[] {
  const { task, remove, home } = request
  const scope = scopeOf(request)
  const targetRoot = scope === 'user' ? openRoot(homeDirectory(home)) : root
  const files = filesOf(agent, scope)
  if (!remove) return files.map((file) => planOf(targetRoot, task ? withTaskHook(file) : file))
  const others = findOtherHooks({ agent, scope }, { root: root.path, home: homeOrDefault(home) })
  const plans = files.map((file) => removalOf(targetRoot, file))
  if (others.length === 0) return plans
  const elsewhere = `The agent also has the hook elsewhere: repeat with --${others.join(', then with --')}.`
  return plans.map((plan, at) =>
    at > 0 ? plan : { ...plan, note: plan.note ? `${plan.note} ${elsewhere}` : elsewhere },
  )
}

/** Match the command lines of Ambit's hooks: `ownPattern` with the option `--task`, `outdatedPattern` without it. */
const TASK_PATTERNS = {
  ownPattern: /\bambit(?:\.cmd)?(?:\\?["'])?\s+hook\s+\w+\s+--task\b/,
  outdatedPattern: /\bambit(?:\.cmd)?(?:\\?["'])?\s+hook\s+\w+(?!\s+--task\b)\b/,
}

/** The file with hooks that also add relevant code to the first prompt of a session. */
function withTaskHook(file: AgentFile): AgentFile {
  if ('content' in file) return { ...file, content: addTaskFlag(file.content) }
  const edits = file.edits.map((edit) => {
    if (!('push' in edit)) return edit
    return { ...edit, push: JSON.parse(addTaskFlag(JSON.stringify(edit.push))), ...TASK_PATTERNS }
  })
  return { ...file, edits }
}

function addTaskFlag(text: string): string {
  return text.replace(/(\bambit hook [a-z]+)/g, '$1 --task').replace(/(\['hook', '[a-z]+')\]/, "$1, '--task']")
}

/** @throws ContextError `invalid-input` for two scopes. */
function scopeOf(request: InitRequest): SettingScope {
  const [first = 'project', second] = SETTING_SCOPES.filter((scope) => request[scope])
  if (second === undefined) return first
  throw invalidInput(`--${first} and --${second} do not go together.`, 'Give one of them, then repeat with the other.')
}

/** The skeletons of the context directory (the directory of the place, else a new one in the root) and of AGENTS.md. */
function skeletonsFor(root: LocalRoot, directory: string): AgentFile[] {
  const contextDir = findContextDir(directory, '.context')
  const folder = (contextDir && 'dir' in contextDir && relativeTo(root.path, contextDir.dir.path)) || '.context'
  const existingName = OWN_PROFILE.names.flat().find((one) => statTarget({ root, name: one })) ?? INSTRUCTION_FILE
  return [...readSkeletons()].map(([name, content]) => {
    if (name !== INSTRUCTION_FILE) return { name: `${folder}/${name}`, content }
    return { name: existingName, content, ...(existingName !== name && { note: `It is read in place of ${name}.` }) }
  })
}

function filesOf(agent: string, scope: SettingScope): readonly AgentFile[] {
  const agents: Readonly<Partial<Record<string, AgentFiles>>> = AGENTS
  const scopes = Object.hasOwn(AGENTS, agent) ? agents[agent] : undefined
  if (!scopes) throw invalidInput(`There is no agent "${agent}".`, `The agents are ${Object.keys(AGENTS).join(', ')}.`)
  const files = scopes[scope]
  if (files) return files
  const flags = SETTING_SCOPES.filter((one) => scopes[one]).map((one) => `--${one}`)
  throw invalidInput(`Ambit cannot write ${scope} settings of ${agent}.`, `Use ${flags.join(' or ')}.`)
}

/** A file, and the change to make. */
interface FilePlan extends Pick<InitFile, 'content' | 'note' | 'before' | 'needsEdit'> {
  readonly target: WriteTarget
  readonly action: 'write' | 'merge' | 'remove' | 'exists' | 'absent'
  readonly isProgram?: boolean
  /** Whether the whole file is a hook of Ambit. */
  readonly isHook?: boolean
  /** Version of the file to change or remove. */
  readonly version?: FileVersion
}

function planOf(root: LocalRoot, file: AgentFile): FilePlan {
  const { name, note } = file
  const target = { root, name }
  const stat = statTarget(target)
  const content = 'edits' in file ? newJson(file.edits) : file.content
  const isHook = 'content' in file && isHookFile(file)
  const plan = { target, content, isProgram: 'isProgram' in file, isHook, ...(note !== undefined && { note }) }
  if (!stat) return { ...plan, action: 'write' }
  if (!('edits' in file)) return { ...plan, action: 'exists' }
  const leaveUnchanged = (why: string): FilePlan => {
    const note = `${why} Add this by hand: ${JSON.stringify(JSON.parse(content))}`
    return { ...plan, action: 'exists', note, needsEdit: true }
  }
  const read = stat.isFile() ? readUtf8(target) : { problem: 'It is not a regular file.' }
  if ('problem' in read) return leaveUnchanged(read.problem)
  const edited = withEdits(read.before, file.edits)
  if ('problem' in edited) return leaveUnchanged(edited.problem)
  if (edited.text === read.before)
    return { ...plan, action: 'exists', note: 'Ambit is set up here already: check that its entries run nothing else.' }
  return { ...plan, ...read, content: edited.text, action: 'merge' }
}

/** Refuses to set up a hook whose file exists with another text than Ambit writes. */
function refuseForeignHook({ target, content, action, isHook }: FilePlan): void {
  if (action !== 'exists' || !isHook) return
  const read = readUtf8(target)
  if ('before' in read && read.before === content) return
  const hint = 'Check what the file does. To let Ambit write its own, delete the file and repeat the command.'
  throw new ContextError('conflict', `${target.name} exists, and differs from what Ambit would write.`, { hint })
}

/** The plan to remove an unchanged file of Ambit, or the entries of Ambit in a shared JSON file. */
function removalOf(root: LocalRoot, file: AgentFile): FilePlan {
  const target = { root, name: file.name }
  const absent: FilePlan = { target, content: '', action: 'absent' }
  const leaveUnchanged = (note: string): FilePlan => ({ ...absent, action: 'exists', note, needsEdit: true })
  if (!statTarget(target)) return absent
  const read = readUtf8(target)
  if ('problem' in read) return leaveUnchanged(read.problem)
  const { before } = read
  const isOurs = 'content' in file && before === file.content
  const changed = isOurs ? undefined : { problem: 'It was changed after Ambit wrote it.' }
  const edited = 'edits' in file ? withoutEdits(before, file.edits) : changed
  if (edited && 'problem' in edited) {
    if (!/\bambit\b/.test(before)) return absent
    return leaveUnchanged(`${edited.problem} Remove the entries of ambit by hand.`)
  }
  return edited?.text === before ? absent : { target, action: 'remove', ...read, content: edited?.text ?? '' }
}

/** The text of a file in UTF-8, including any byte order mark, and its version; or why it cannot be read. */
function readUtf8({ root, name }: WriteTarget) {
  const read = root.read(name)
  if (!read.ok) return { problem: read.detail }
  if (!isUtf8(read.bytes)) return { problem: 'It is not UTF-8.' }
  return { before: new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes), version: read.version }
}

const STATE_AFTER = { write: 'written', merge: 'merged', remove: 'removed' } as const

function toInitFile(plan: FilePlan, mayWrite: boolean): InitFile {
  const { target, content, note, before, action, needsEdit } = plan
  const isUnchanged = action === 'exists' || action === 'absent'
  const state = isUnchanged ? action : mayWrite ? runPlan(plan, action) : (`would-${action}` as const)
  const optional = { ...(before !== undefined && { before }), ...(note !== undefined && { note }) }
  return { path: join(target.root.path, target.name), content, state, ...optional, ...(needsEdit && { needsEdit }) }
}

function runPlan({ target, content, version, isProgram }: FilePlan, action: keyof typeof STATE_AFTER) {
  if (version) replaceFile(target, content === '' ? undefined : content, version)
  else if (!createFile(target, content, isProgram ? 0o755 : undefined)) return 'exists'
  // An empty directory of an agent would count as a use of the agent.
  if (content === '') removeEmptyParents(target)
  return STATE_AFTER[action]
}
