import { resolve } from 'node:path'
import { assemble } from '../core/assemble.ts'
import { invalidInput } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import type { LedgerRow } from '../core/ledger.ts'
import { bytes4 } from '../core/tokens.ts'
import { projectRootOf } from '../files/roots.ts'
import { byCodeUnit } from '../text/paths.ts'
import type { DiffAnswer, DiffFile } from './answers.ts'
import { agentVerdicts } from './diff/verdict.ts'
import { type DiskPlace, diskPlace, findMissingTouched, homeOrDefault } from './load/place.ts'
import type { LoadRequest } from './load/recipe.ts'
import { type ProfilePlace, profileFor } from './profiles/own-profile.ts'
import { findToolsInUse, TOOLS_WITH_SIGNS } from './profiles/signs.ts'
import { OWN_PROFILE } from './profiles.ts'
import { Instructions } from './workspace/instructions.ts'

/** The place, and the tools whose instruction files are compared. */
export interface DiffRequest extends Pick<ProfilePlace, 'system'>, Pick<LoadRequest, 'place' | 'touched' | 'home'> {
  /** Names of profiles, or files that hold a profile. Default: the tools in use here, or claude and codex if there are none; and Ambit. */
  readonly profiles?: readonly string[] | undefined
  /** Whether to leave out files that `.gitignore` excludes, as Ambit does when it loads for a tool. Default: false, because the tool reads them. */
  readonly strict?: boolean | undefined
}

/** Compares the instruction files that several tools load, without a budget. */
export async function diffProfiles(request: DiffRequest, run: Run): Promise<DiffAnswer> {
  const place = diskPlace(request.place)
  const inUse = request.profiles ? undefined : toolsHere(place.directory, request.home)
  const names = [...new Set(request.profiles ?? [OWN_PROFILE.name, ...(inUse?.compared ?? [])])]
  if (names.length === 0) throw invalidInput('There is no profile to compare.', 'For example: claude,codex.')
  const views = await Promise.all(names.map((name) => viewOf(name, place, { request, run })))
  const titles = new Map(views.flatMap(({ ledger }) => ledger.map(({ uri, title }) => [uri, title] as const)))
  const files = [...titles].map(([uri, title]) => toDiffFile({ uri, title }, views))
  const { home, system } = request
  const touched = request.touched?.map((path) => resolve(path))
  const agents = names.filter((name) => name !== OWN_PROFILE.name)
  return {
    place: place.directory,
    agents: await agentVerdicts(agents, { cwd: place.directory, home, system, touched }, run),
    profiles: views.map(({ name, ledger, tokens }) => ({ name, files: ledger.filter(isShownRow).length, tokens })),
    files: files.sort((a, b) => byCodeUnit(a.title, b.title)),
    ...(inUse && { unusedTools: inUse.unused }),
    ...findMissingTouched(request.touched),
  }
}

/** `compared`: the tools in use in a directory; if none is, the two most common tools. `unused`: all other tools. */
function toolsHere(directory: string, home: string | false | undefined) {
  const found = findToolsInUse({ root: projectRootOf(directory), home: homeOrDefault(home) })
  const compared = found.length > 0 ? found : ['claude', 'codex']
  return { compared, unused: TOOLS_WITH_SIGNS.filter((name) => !compared.includes(name)) }
}

type ProfileView = Awaited<ReturnType<typeof viewOf>>

async function viewOf(name: string, place: DiskPlace, { request, run }: { request: DiffRequest; run: Run }) {
  const { home, system, touched = [], strict = false } = request
  const toolSetUp = await profileFor(name, { cwd: place.directory, home, system })
  const gitignore = strict || toolSetUp.profile === OWN_PROFILE
  const instructions = new Instructions({ cwd: place.directory, ...toolSetUp, gitignore, home })
  for (const path of touched) instructions.tree.touch(resolve(path))
  if (place.file !== undefined) instructions.tree.touch(place.file)
  const { ledger, tokens } = await assemble({ ...instructions.recipe(bytes4), render: instructions.render }, {}, run)
  return { name, ledger, tokens }
}

function isShownRow({ decision }: Pick<LedgerRow, 'decision'>): boolean {
  return decision !== 'left'
}

function toDiffFile({ uri, title }: Pick<DiffFile, 'uri' | 'title'>, views: readonly ProfileView[]): DiffFile {
  const rows = views.map(({ name, ledger }) => ({ name, row: ledger.find((one) => one.uri === uri) }))
  const seen = rows.flatMap(({ name, row }) => {
    if (!row) return []
    const { decision, why, detail, tokensAfter } = row
    return [[name, { decision, ...(why && { why }), ...(detail && { detail }), tokensAfter }] as const]
  })
  const shownSizes = new Set(rows.map(({ row }) => (row && isShownRow(row) ? row.tokensAfter : -1)))
  return { title, uri, seen: Object.fromEntries(seen), same: shownSizes.size === 1 }
}
