import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProfile } from '../../src/context/profiles.ts'
import { Workspace, type WorkspaceOptions } from '../../src/context/workspace/workspace.ts'
import { type Shape, type Tree, tree } from './tree.ts'

/** A project in a temporary directory, with a home directory and a place outside beside it. */
export interface Project extends Tree {
  /** The project's root. */
  readonly root: string
  readonly home: string
  /** The absolute path of something in the project, as keys of a shape name it. */
  file(name: string): string
  /** A path as the tables print it: from the root; `~/` for the home directory. */
  name(path: string): string
}

/**
 * Plants a project. Keys are seen from its root, which has a `.git` unless they say otherwise; `~/` is the home
 * directory, `/` the directory that holds the system's own, `../` what is beside the root.
 */
export function project(shape: Shape): Project {
  const marked = Object.keys(shape).some((key) => key.split('/').includes('.git') || key === '.git')
  const planted = tree({ 'w/': '', 'home/': '', 'system/': '', ...(marked ? {} : { 'w/.git/': '' }), ...inside(shape) })
  const [root, home] = [planted.at('w'), planted.at('home')]
  return {
    ...planted,
    root,
    home,
    file: (name) => planted.at(placed(name)),
    plant: (more) => planted.plant(inside(more)),
    name: (path) => (path.startsWith(`${home}/`) ? `~/${relative(home, path)}` : relative(root, path) || '.'),
  }
}

function inside(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).map(([key, what]) => [placed(key), what]))
}

function placed(key: string): string {
  if (key.startsWith('/')) return `system${key}`
  return key.startsWith('~/') ? `home/${key.slice(2)}` : `w/${key}`
}

/** How a project is looked at. Paths as in shapes. */
export interface Look {
  readonly cwd?: string
  readonly touched?: readonly string[]
  /** Name of a profile. */
  readonly profile?: string
  readonly options?: WorkspaceOptions
}

/** Opens the workspace of a project, with its home directory. */
export async function open(planted: Project, { cwd = '', touched = [], profile, options }: Look = {}) {
  const named = profile === undefined ? undefined : findProfile(profile)
  if (profile !== undefined && !named) throw new Error(`There is no profile ${profile}.`)
  const workspace = await Workspace.open({
    cwd: planted.file(cwd),
    home: planted.home,
    ...(named && { profile: named }),
    ...options,
  })
  for (const path of touched) await workspace.touch(path)
  return workspace
}

/** What a workspace sees, a line each: `path scope: reason` for what applies, `path: why` for what is left. */
export async function seen(planted: Project, workspace: Workspace) {
  const contexts = await workspace.relevantContexts()
  const ledger = await workspace.ledger()
  const uris = ledger.map(({ uri }) => uri)
  if (new Set(uris).size < uris.length) throw new Error(`A file is twice in the ledger: ${uris.join(' ')}`)
  return {
    contexts: contexts.map(({ path, scope, reason }) => `${planted.name(path)} ${scope}: ${reason}`),
    left: ledger
      .filter(({ decision }) => decision === 'left')
      .map(({ uri, why }) => `${planted.name(fileURLToPath(uri))}: ${why}`),
  }
}

/** Plants, opens, looks and takes away again. */
export async function look(shape: Shape, looking: Look = {}) {
  using planted = project(shape)
  return await seen(planted, await open(planted, looking))
}

/** The paths that apply, in order, without their reasons. */
export async function paths(shape: Shape, looking: Look = {}): Promise<string[]> {
  const { contexts } = await look(shape, looking)
  return contexts.map((line) => line.replace(/ (project|nested|home): .*$/s, ''))
}
