import { join } from 'node:path'
import { ContextError } from '../core/errors.ts'
import { type FileVersion, type LocalRoot, openRoot } from '../files/disk.ts'
import { projectRootOf } from '../files/project-root.ts'
import { relativeTo } from '../text/paths.ts'
import { AGENTS, type AgentFile, type AgentName } from './init/agents.ts'
import { createFile, lookAt, replaceFile, type Target } from './init/files.ts'
import { type JsonEdit, newJson, withEdits } from './init/json-edit.ts'
import { CONTEXT_FILES, INSTRUCTION_FILE } from './init/skeletons.ts'
import { diskPlace } from './load/place.ts'
import { AMBIT } from './profiles.ts'
import { findContextDir } from './sources/context-dir-walk.ts'

/** What is to be set up. */
export interface InitRequest {
  /** A path in the project. Default: the current directory. */
  readonly place?: string | undefined
  /** Sets up this agent, besides the skeletons. */
  readonly agent?: AgentName | undefined
  /**
   * Without it nothing is written, and the answer says what would be. Default: true for skeletons alone, which change
   * nothing that is there; false with an agent, whose settings the user should see first.
   */
  readonly write?: boolean | undefined
}

/** What was done, or would be. */
export interface InitAnswer {
  /** Absolute path of the directory. */
  readonly place: string
  /** Absolute path of the project's root. */
  readonly root: string
  readonly files: readonly InitFile[]
}

/** A file that was looked at. */
export interface InitFile {
  /** Absolute. */
  readonly path: string
  /** The whole file as it is then; of one that `exists`, what Ambit would have put there. */
  readonly content: string
  /** `exists`: there was something, and it was left as it is. */
  readonly state: 'written' | 'would-write' | 'merged' | 'would-merge' | 'exists'
  readonly note?: string
}

/**
 * Writes skeletons of a context directory and of an instruction file; and, for an agent, what makes it load the context
 * when a session starts. What is there stays: a file is never overwritten, and JSON gets our entry beside the others.
 * Done twice, it changes nothing the second time.
 *
 * @throws ContextError `not-found`, `invalid-input` for a bad place or agent; `denied` for a place that may not be
 * written, and for a link where a directory should be; `conflict`; `unavailable` when the system fails.
 */
export async function init({ place = '.', agent, write = agent === undefined }: InitRequest): Promise<InitAnswer> {
  const { directory } = diskPlace(place)
  const root = openRoot(projectRootOf(directory))
  const wanted = [...(agent === undefined ? [] : filesOf(agent)), ...skeletonsFor(root, directory)]
  const plans = wanted.map((file) => planOf(root, file))
  if (agent !== undefined && write) plans.forEach(refuseStranger)
  return { place: directory, root: root.path, files: plans.map((plan) => (write ? carriedOut(plan) : told(plan))) }
}

/** Skeletons fill up the context directory that counts at the place; a new one is made in the root. */
function skeletonsFor(root: LocalRoot, directory: string): AgentFile[] {
  const found = findContextDir(directory, '.context')
  const folder = (found && 'dir' in found && relativeTo(root.path, found.dir.path)) || '.context'
  const files = CONTEXT_FILES.map(({ name, content }) => ({ name: `${folder}/${name}`, content }))
  return [...files, instructionFile(root)]
}

function instructionFile(root: LocalRoot): AgentFile {
  const { name, content } = INSTRUCTION_FILE
  const there = AMBIT.names.flat().find((one) => lookAt({ root, name: one }))
  if (there === undefined || there === name) return { name, content }
  return { name: there, content, note: `It is read in place of ${name}.` }
}

function filesOf(agent: string): readonly AgentFile[] {
  for (const [name, files] of Object.entries(AGENTS)) if (name === agent) return files
  const hint = `Known are ${Object.keys(AGENTS).join(', ')}.`
  throw new ContextError('invalid-input', `There is no agent "${agent}".`, { hint })
}

/** A file, and what is to become of it. */
interface Plan {
  readonly target: Target
  readonly content: string
  readonly does: 'write' | 'merge' | 'nothing'
  readonly note?: string | undefined
  /** Of the file that is merged into. */
  readonly version?: FileVersion
}

function planOf(root: LocalRoot, file: AgentFile): Plan {
  const { name, note } = file
  const target = { root, name }
  const stat = lookAt(target)
  const content = 'edits' in file ? newJson(file.edits) : file.content
  if (!stat) return { target, content, does: 'write', note }
  if (!('edits' in file)) return { target, content, does: 'nothing', note }
  return mergeOf(target, file.edits, { isFile: stat.isFile(), note })
}

/** A script that is there and not ours must not be started by a hook of ours. */
function refuseStranger({ target: { root, name }, content, does }: Plan): void {
  if (does !== 'nothing' || !/\.m?js$/.test(name)) return
  const read = root.read(name)
  if (read.ok && decoded(read.bytes) === content) return
  const hint = 'Look at what it does. Remove it to have it written anew.'
  throw new ContextError('conflict', `${name} is there already, and is not what Ambit would write.`, { hint })
}

function mergeOf(
  target: Target,
  edits: readonly JsonEdit[],
  about: { isFile: boolean; note: string | undefined },
): Plan {
  const content = newJson(edits)
  const leave = (why: string): Plan => ({ target, content, does: 'nothing', note: `${why} ${byHand(content)}` })
  if (!about.isFile) return leave('It is no regular file.')
  const read = target.root.read(target.name)
  if (!read.ok) return leave(read.detail)
  const text = decoded(read.bytes)
  if (text === undefined) return leave('It is not UTF-8.')
  const edited = withEdits(text, edits)
  if ('problem' in edited) return leave(edited.problem)
  if (edited.text === text)
    return { target, content, does: 'nothing', note: 'It is set up already: see that its hook runs nothing else.' }
  return { target, content: edited.text, does: 'merge', note: about.note, version: read.version }
}

function byHand(content: string): string {
  return `Add this by hand: ${JSON.stringify(JSON.parse(content))}`
}

/** Undefined for what is not UTF-8; a byte order mark stays. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function told(plan: Plan): InitFile {
  const states = { write: 'would-write', merge: 'would-merge', nothing: 'exists' } as const
  return fileOf(plan, states[plan.does])
}

function carriedOut(plan: Plan): InitFile {
  const { target, content, does, version } = plan
  if (does === 'write') return fileOf(plan, createFile(target, content) ? 'written' : 'exists')
  if (does === 'nothing' || !version) return fileOf(plan, 'exists')
  replaceFile(target, content, version)
  return fileOf(plan, 'merged')
}

function fileOf({ target: { root, name }, content, note }: Plan, state: InitFile['state']): InitFile {
  return { path: join(root.path, name), content, state, ...(note !== undefined && { note }) }
}
