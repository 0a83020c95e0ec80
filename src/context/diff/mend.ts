import { basename, dirname, join, relative } from 'node:path'
import type { Why } from '../../core/flow.ts'
import { statOf } from '../../files/file-version.ts'
import { isWithin, relativeTo } from '../../text/paths.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import type { Profile } from '../profiles/profile.ts'

/** A file that a tool does not load, and what is known of it. Paths are absolute. */
export interface Mending {
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
export function mendFor(mending: Mending): string {
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
