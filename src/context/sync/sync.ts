import { isUtf8 } from 'node:buffer'
import { basename, dirname, join } from 'node:path'
import { invalidInput } from '../../core/errors.ts'
import { type Run, SILENT } from '../../core/flow.ts'
import { type FileVersion, type LocalRoot, openRoot } from '../../files/disk.ts'
import { realOf } from '../../files/file-version.ts'
import { projectRootOf } from '../../files/roots.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import type { SyncAnswer, SyncedFile } from '../answers.ts'
import { importsIn } from '../discovery/instruction-file.ts'
import { createFile, removeEmptyParents, replaceFile, statTarget } from '../init/files.ts'
import { diskPlace, homeOrDefault } from '../load/place.ts'
import { findToolsInUse } from '../profiles/signs.ts'
import { importedFiles, pathsBelow } from './import.ts'
import { haveSameLines, readMarked } from './mark.ts'
import { type SyncSources, sourceTextAt, syncSources } from './sources.ts'
import { SYNC_TARGETS, type SyncTarget, type WrittenFile, writtenFiles } from './written.ts'

/** A request to write the rule files of tools. */
export interface SyncRequest {
  /** A path in the project. Default: the current directory. */
  readonly place?: string | undefined
  /** Names of tools. Default: the tools in use here; all tools with `remove`. */
  readonly agents?: readonly string[] | undefined
  /** Whether to write nothing, and return what would be written. Default: false. */
  readonly dryRun?: boolean | undefined
  /** Whether to write the tools' rules and other content into `.agents/rules`, and a missing AGENTS.md. Default: false. */
  readonly import?: boolean | undefined
  /** Whether to remove written files. Default: false. */
  readonly remove?: boolean | undefined
  /** Whether to list written files in `.gitignore`. Default: only if a list exists. */
  readonly gitignore?: boolean | undefined
  readonly home?: string | false | undefined
}

/** A change of a file. `before`, `after`: its texts; `''` for no file. `version`: the version to replace or remove. */
interface SyncStep extends SyncedFile {
  readonly version?: FileVersion
}

/**
 * Writes the files that the tools read, from the AGENTS.md files and the rules of a project. Replaces and removes only its own unchanged files. A second
 * call changes nothing.
 *
 * @throws ContextError `not-found`, `invalid-input` for a bad place or tool; `denied`; `conflict`; `unavailable`.
 */
export async function syncPlace(request: SyncRequest, run: Run = SILENT): Promise<SyncAnswer> {
  const { dryRun = false, remove = false, home } = request
  const { directory } = diskPlace(request.place)
  const root = openRoot(projectRootOf(directory))
  const tools = toolsFor(request, { root: root.path, home: homeOrDefault(home) })
  const targets = tools.flatMap((tool) => SYNC_TARGETS[tool] ?? [])
  const bridgedTargets = request.import ? Object.values(SYNC_TARGETS) : targets
  const bridges = [...new Set(bridgedTargets.flatMap(({ bridge }) => bridge ?? []))]
  const sources = await syncSources(root, bridges, run)
  const targetFiles = targets.flatMap((target) => (remove ? [] : writtenFiles(target, sources)))
  const imported = request.import ? await importedFiles(root, sources) : undefined
  const files = imported ? imported.files : targetFiles
  const filesToWrite = [...new Map(files.map((file) => [file.name, file])).values()]
  const steps = filesToWrite.map((file) => stepFor(root, file))
  const orphans = request.import ? [] : orphansOf(root, { targets, bridges, sources, filesToWrite })
  const ignored = request.import ? [] : ignoreStep(root, request, [...steps, ...orphans])
  const allSteps = [...steps, ...orphans, ...ignored]
  const hasSources = request.import || sources.files.length + sources.rules.length > 0
  const isEmpty = tools.length > 0 && (remove ? allSteps.length === 0 : !hasSources)
  const emptyNote = isEmpty ? [remove ? NOTHING_WRITTEN_NOTE : NO_SOURCES_NOTE] : []
  const notes = [...sources.notes, ...(imported?.notes ?? []), ...tools.flatMap((one) => noteOn(one, sources))]
  if (!dryRun) for (const step of allSteps) carryOutStep(root, step)
  return {
    place: directory,
    root: root.path,
    agents: tools,
    files: allSteps.map(({ version: _, ...file }) => file),
    notes: [...new Set([...notes, ...emptyNote])],
    isOutdated: allSteps.some(({ state }) => state !== 'current' && state !== 'kept'),
  }
}

function toolsFor({ agents, remove }: SyncRequest, at: Parameters<typeof findToolsInUse>[0]): readonly string[] {
  const names = agents ?? (remove ? Object.keys(SYNC_TARGETS) : findToolsInUse(at))
  const isKnown = (name: string) => Object.hasOwn(SYNC_TARGETS, name)
  const unknown = agents?.find((name) => !isKnown(name))
  if (unknown === undefined) return [...new Set(names.filter(isKnown))]
  throw invalidInput(`There is no agent "${unknown}".`, `The agents are ${Object.keys(SYNC_TARGETS).join(', ')}.`)
}

/** A note about a tool that reads AGENTS.md files but has no place for rules. */
function noteOn(tool: string, { rules }: SyncSources): readonly string[] {
  const { bridge, combined, list, rules: folder } = SYNC_TARGETS[tool] ?? {}
  if (rules.length === 0 || (bridge ?? combined ?? list ?? folder) !== undefined) return []
  return [`${tool} reads only AGENTS.md files, and not the rules in .agents/rules.`]
}

const NOTHING_WRITTEN_NOTE = 'There is no file that sync wrote.'

const NO_SOURCES_NOTE =
  'There is no AGENTS.md to write from, and no rule in .agents/rules. "ambit sync --import" makes them from what the agents have here.'

const NOT_UTF8_NOTE = 'It is not UTF-8, and stays as it is: list the files in it yourself.'

const KEPT_NOTE = 'It is not written by sync, and stays as it is.'

const CHANGED_NOTE = 'It was changed after sync wrote it:'
const KEEP_ADVICE = 'or delete its line "Generated by …" to keep it.'

function stepFor(root: LocalRoot, { name, content, importLine }: WrittenFile): SyncStep {
  const stat = statTarget({ root, name })
  const write = { name, before: '', after: content }
  if (!stat) return { ...write, state: 'write' }
  const keepFile = (note: string): SyncStep => ({ name, state: 'kept', before: '', after: '', note })
  const leaveToPerson = (note: string): SyncStep => ({ ...keepFile(note), needsEdit: true })
  if (stat.isSymbolicLink() && importLine !== undefined && linksToAgents(root, name, importLine))
    return { ...write, state: 'current' }
  // A person made the link or directory, because sync writes only files.
  if (!stat.isFile()) return keepFile('It is not a regular file, and stays as it is.')
  const read = root.read(name)
  if (!read.ok) return leaveToPerson('It cannot be read.')
  const before = new TextDecoder().decode(read.bytes)
  if (haveSameLines(before, content)) return { name, before, after: before, state: 'current' }
  const marked = readMarked(before)
  if (marked?.isUntouched) return { name, before, after: content, state: 'update', version: read.version }
  if (marked)
    return leaveToPerson(`${CHANGED_NOTE} move the change into its source and delete the file, ${KEEP_ADVICE}`)
  if (importLine !== undefined && importsIn(before).some((path) => /^(\.\/)?AGENTS\.md$/.test(path)))
    return { name, before, after: before, state: 'current' }
  const syncedBody = readMarked(content)?.body.trim()
  if (syncedBody !== undefined && before.slice(splitFrontMatter(before).body).trim() === syncedBody)
    return { name, before, after: before, state: 'current' }
  return keepFile(importLine === undefined ? KEPT_NOTE : `${KEPT_NOTE} Add the line ${importLine} to it.`)
}

/** Whether a link leads to the AGENTS.md beside it. */
function linksToAgents(root: LocalRoot, name: string, line: string): boolean {
  return realOf(join(root.path, name)) === realOf(join(root.path, dirname(name), line.slice(1)))
}

interface SyncScope {
  readonly targets: readonly SyncTarget[]
  readonly bridges: readonly string[]
  readonly sources: SyncSources
  readonly filesToWrite: readonly WrittenFile[]
}

/** Steps for files that an earlier sync wrote, and that have no source any more. */
function orphansOf(root: LocalRoot, { targets, bridges, sources, filesToWrite }: SyncScope): readonly SyncStep[] {
  const names = targets.flatMap(({ rules, combined, list }) => {
    return [combined?.name ?? [], list ?? [], rules ? pathsBelow(root, rules.folder) : []].flat()
  })
  const namesToWrite = new Set(filesToWrite.map(({ name }) => name))
  const isOfTools = (name: string) => names.includes(name) || bridges.includes(basename(name))
  const ignored = namesInBlock(sourceTextAt(root, '.gitignore') ?? '').filter(isOfTools)
  return [...new Set([...sources.otherPaths, ...ignored, ...names])].flatMap((name): SyncStep[] => {
    if (namesToWrite.has(name) || !statTarget({ root, name })?.isFile()) return []
    const read = root.read(name)
    const before = read.ok ? new TextDecoder().decode(read.bytes) : ''
    const marked = readMarked(before)
    if (!read.ok || !marked) return []
    if (marked.isUntouched) return [{ name, state: 'remove', before, after: '', version: read.version }]
    const note = `${CHANGED_NOTE} delete it, ${KEEP_ADVICE}`
    return [{ name, state: 'kept', before: '', after: '', note, needsEdit: true }]
  })
}

/** The change of the block of `sync` in `.gitignore`, if the block is requested or exists. */
function ignoreStep(root: LocalRoot, { gitignore, remove }: SyncRequest, steps: readonly SyncStep[]): SyncStep[] {
  const name = '.gitignore'
  const read = root.read(name)
  if (!read.ok && (read.why !== 'missing' || !gitignore)) return []
  // The text keeps its byte order mark.
  const before = read.ok ? Buffer.from(read.bytes).toString() : ''
  const written = steps.filter(({ state, after }) => /^(write|update|current)$/.test(state) && readMarked(after))
  const names = remove ? [] : written.map((step) => step.name)
  const after = withIgnoreBlock(before, names, gitignore === true)
  if (after === before) return []
  if (!read.ok) return [{ name, state: 'write', before, after }]
  if (!isUtf8(read.bytes)) return [{ name, state: 'kept', before: '', after: '', note: NOT_UTF8_NOTE }]
  return [{ name, state: after === '' ? 'remove' : 'update', before, after, version: read.version }]
}

function carryOutStep(root: LocalRoot, { name, state, after, version }: SyncStep): void {
  const target = { root, name }
  if (state === 'write') createFile(target, after)
  if (version) replaceFile(target, state === 'remove' ? undefined : after, version)
  if (state === 'remove') removeEmptyParents(target)
}

const BEGIN = '# Written by "ambit sync":'
const END = '# End of "ambit sync"'

/** Matches the block in a `.gitignore`, and its lines. A block without its end line belongs to the person. */
const BLOCK = new RegExp(`(?<=^\\uFEFF?)${BEGIN}\\r?\\n((?:(?!${BEGIN})[^\\n]*\\n)*?)${END}(?:\\r?\\n|$)`, 'm')

/** A `.gitignore` with a block that lists the files; no block for no files. `isNew`: whether to add a missing block. */
export function withIgnoreBlock(text: string, names: readonly string[], isNew: boolean): string {
  const found = BLOCK.exec(text)
  if (!found && (!isNew || names.length === 0)) return text
  const [block = '', lines = ''] = found ?? []
  const start = found?.index ?? text.length
  const paths = names.map((name) => `/${name.replace(/[\\*?[\] ]/g, String.raw`\$&`)}`)
  const newLines = names.length === 0 ? [] : [BEGIN, ...paths, END]
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = found || text === '' || text.endsWith('\n') ? '' : lineEnd
  // Other lines in the block belong to the person.
  const otherLines = lines.replace(/^\/[^\n]*\n/gm, '')
  const newBlock = newLines.map((line) => line + lineEnd).join('')
  return text.slice(0, start) + gap + newBlock + otherLines + text.slice(start + block.length)
}

/** The files that the block of a `.gitignore` lists: a search that honours `.gitignore` does not find them. */
export function namesInBlock(text: string): readonly string[] {
  const paths = (BLOCK.exec(text)?.[1] ?? '').match(/^\/.*/gm) ?? []
  return paths.map((path) => path.slice(1).replace(/\\(.)/g, '$1'))
}
