import { join } from 'node:path'
import { countNoun } from '../../text/counts.ts'
import { ancestors, byCodeUnit, isWithin, pathDepth, relativeTo } from '../../text/paths.ts'
import type { Profile, RuleFolder, Scoping } from '../profiles/profile.ts'
import { readMarked } from '../sync/mark.ts'
import { withImports } from './follow.ts'
import { type InstructionFile, isAlways, isOnRequest, patternsFor, ruleMatcher } from './instruction-file.ts'
import { type FindingRequest, type InstructionFinding, InstructionReader } from './reader.ts'
import type { DiscoveryTree } from './tree.ts'

/** Finds the files that apply, the most specific first, and left-out files. Reads only new and changed files. */
export async function findingsOf(tree: DiscoveryTree, request: FindingRequest) {
  const reader = new InstructionReader(tree, request)
  const finder = new InstructionFinder(tree, request, reader)
  for (const directory of specificFirst(tree)) await finder.findIn(directory)
  for (const path of tree.touchedOutside)
    reader.leave(path, 'denied', 'Touched, but outside the project root: never read.')
  const { imports } = tree.options.profile
  const found = imports ? await withImports(finder.findings, { tree, reader, home: request.home }) : finder.findings
  const warnings = found.flatMap(({ path, file }) => file.warnings.map((message) => ({ path, message })))
  const left = reader.leftExcept(new Set(found.map(({ path }) => path)))
  const unreadRules = tree.gitignore.listUnread().map(({ path, rules }) => {
    return { path, message: `${reader.title(path)} is too complex: ${countNoun(rules, 'rule')} not read.` }
  })
  return { found, left, warnings: [...warnings, ...reader.warnings, ...unreadRules] }
}

/** Directories, the deepest first; ties by path. */
function specificFirst(tree: DiscoveryTree): string[] {
  const { root } = tree.options
  const depths = [...tree.directories.keys()].map((path) => ({ path, depth: pathDepth(relativeTo(root, path) ?? '') }))
  return depths.sort((a, b) => b.depth - a.depth || byCodeUnit(`${a.path}/`, `${b.path}/`)).map(({ path }) => path)
}

interface FileLocation {
  readonly directory: string
  readonly scoping: Scoping | undefined
  readonly unscoped?: RuleFolder['unscoped']
  readonly note?: string | undefined
}

/** Finds existing files by their names, without imports. */
class InstructionFinder {
  readonly findings: InstructionFinding[] = []
  readonly #tree: DiscoveryTree
  readonly #profile: Profile
  readonly #request: FindingRequest
  readonly #reader: InstructionReader
  readonly #matches: ReturnType<typeof ruleMatcher>
  /** Paths of taken files. A path can be found from two directories: `.x/NAME.md` from the root and from `.x`. */
  readonly #taken = new Set<string>()

  constructor(tree: DiscoveryTree, request: FindingRequest, reader: InstructionReader) {
    this.#tree = tree
    this.#profile = tree.options.profile
    this.#request = request
    this.#reader = reader
    this.#matches = ruleMatcher(request.touched)
  }

  async findIn(directory: string): Promise<void> {
    const { names, rules = [] } = this.#profile
    let earlierFile: string | undefined
    let earlierRule: string | undefined
    if (this.#tree.namesIn(directory).length > 0) {
      for (const group of names) earlierFile = (await this.#takeFirst(directory, group)) ?? earlierFile
      await this.#takeFallbacks(directory)
    }
    for (const folder of rules) {
      if (!this.#hasPlaceIn(directory, folder)) continue
      const earlier = folder.alone === 'among-rules' ? earlierRule : earlierFile
      earlierRule = (await this.#takeRules(directory, folder, earlier)) ?? earlierRule
      earlierFile = earlierRule ?? earlierFile
    }
  }

  #hasPlaceIn(directory: string, { at }: RuleFolder): boolean {
    const { root, cwd } = this.#tree.options
    return at === 'every-directory' || directory === (at === 'root' ? root : cwd)
  }

  async #takeFallbacks(directory: string): Promise<void> {
    const { fallback = [] } = this.#profile
    const presentNames = this.#tree.namesIn(directory).filter((name) => fallback.includes(name))
    const insteadPath = presentNames.length > 0 ? this.#insteadOfFallback(directory) : undefined
    for (const name of presentNames) {
      const path = join(directory, name)
      if (insteadPath) this.#reader.leave(path, 'shadowed', `${this.#reader.title(insteadPath)} is read instead.`)
      else await this.#take(path, { directory, scoping: this.#profile.scoping })
    }
  }

  /** The file of `names` that disables the fallback names: in this directory, or at or above the working directory. */
  #insteadOfFallback(directory: string): string | undefined {
    const { root, cwd } = this.#tree.options
    const names = this.#profile.names.flat()
    for (const at of [...ancestors(cwd, root), directory]) {
      const name = this.#tree.namesIn(at).find((present) => names.includes(present))
      if (name !== undefined) return join(at, name)
    }
    return undefined
  }

  /** The names of a group that count in a directory. With `oneName`, at and above the working directory, only the first existing name counts. */
  #namesFor(directory: string, group: readonly string[]): readonly string[] {
    const { root, cwd } = this.#tree.options
    if (!this.#profile.oneName || !isWithin(directory, cwd)) return group
    const above = ancestors(cwd, root)
    return group.filter((name) => above.some((at) => this.#tree.namesIn(at).includes(name))).slice(0, 1)
  }

  /** Takes the first readable file of a group, and returns its name. Files of later names are shadowed. */
  async #takeFirst(directory: string, group: readonly string[]): Promise<string | undefined> {
    const presentNames = this.#namesFor(directory, group).filter((name) => this.#tree.namesIn(directory).includes(name))
    let takenName: string | undefined
    for (const name of presentNames) {
      const path = join(directory, name)
      if (takenName) this.#reader.leave(path, 'shadowed', `${takenName} in the same directory is read first.`)
      else {
        const earlierNames = group.slice(0, group.indexOf(name))
        const note = earlierNames.length > 0 ? `There is no ${earlierNames.join(', no ')} beside it.` : undefined
        if (await this.#take(path, { directory, scoping: this.#profile.scoping, note })) takenName = name
      }
    }
    return takenName
  }

  /** Takes the rules of a folder. Returns the title of the first rule for all paths. `earlier`: a file taken before. */
  async #takeRules(directory: string, folder: RuleFolder, earlier: string | undefined): Promise<string | undefined> {
    const note = earlier === undefined && folder.alone ? 'No other instruction file is beside it.' : undefined
    const location = { directory, scoping: folder, unscoped: folder.unscoped, note }
    let first: string | undefined
    for (const path of this.#tree.rulesIn(directory, folder)) {
      const isShadowed = folder.alone && earlier !== undefined && (await this.#isForAll(path, folder))
      if (isShadowed) this.#reader.leave(path, 'shadowed', `${earlier} is read instead.`)
      else if (await this.#take(path, location))
        first ??= (await this.#isForAll(path, folder)) ? this.#reader.title(path) : undefined
    }
    return first
  }

  /** Whether a rule applies to all paths. */
  async #isForAll(path: string, folder: RuleFolder): Promise<boolean> {
    const file = await this.#tree.files.get(path)
    if (!file.ok || file.text.trim() === '' || patternsFor(file, folder) !== undefined) return false
    return !isOnRequest(file, folder.modes) && (folder.unscoped === 'always' || isAlways(file, folder))
  }

  /** Takes a file. Returns whether the file could be read: then it shadows later names, even if it does not apply. */
  async #take(path: string, location: FileLocation): Promise<boolean> {
    if (this.#taken.has(path)) return true
    const file = await this.#reader.read(path)
    if (!file) return false
    this.#taken.add(path)
    const trigger = this.#reasonFor(file, location)
    if (file.text.trim() === '') this.#reader.leave(path, 'empty', 'There is nothing in it.')
    else if (this.#profile.leavesWritten && readMarked(file.content))
      this.#reader.leave(path, 'duplicate', 'Ambit wrote it from files that are read themselves.')
    else if (trigger === undefined) {
      const patterns = patternsFor(file, location.scoping)?.join(', ')
      const detail = patterns && `It is for ${patterns}: no such file was touched.`
      this.#reader.leave(path, 'irrelevant', detail ?? 'It names no path that it applies to.')
    } else {
      const note = location.note !== undefined && { note: location.note }
      const depth = pathDepth(relativeTo(this.#tree.options.root, location.directory) ?? '')
      const relativePath = this.#reader.title(path)
      this.findings.push({ path, file, ...trigger, relativePath, depth, isNested: depth > 0, ...note })
    }
    return true
  }

  /** Why a file applies; undefined if it applies only on request, or to paths that were not touched. */
  #reasonFor(file: InstructionFile, { directory, scoping, unscoped }: FileLocation) {
    const touchedPath = this.#tree.directories.get(directory) ?? ''
    const reason = touchedPath ? `touched ${touchedPath}` : (this.#request.reason ?? 'the working directory')
    const reasonAndPath = { touchedPath, reason }
    if (scoping && isAlways(file, scoping)) return reasonAndPath
    if (isOnRequest(file, scoping?.modes)) return undefined
    const patterns = patternsFor(file, scoping)
    if (!patterns || !scoping) return unscoped === 'never' ? undefined : reasonAndPath
    const base = this.#request.ruleBase ?? relativeTo(this.#tree.options.root, directory) ?? ''
    const match = this.#matches({ patterns, base, bare: scoping.bare })
    if (match === undefined) return undefined
    return { touchedPath: match, reason: `touched ${match}, which matches ${patterns.join(', ')}` }
  }
}
