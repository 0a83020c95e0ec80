import { basename, dirname, join, resolve } from 'node:path'
import type { Why } from '../../core/flow.ts'
import { isWithin, pathDepth, relativeTo } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'
import { IMPORT_DEPTH, importWordsIn, looksLikeFile, MOST_IMPORTS } from './instruction-file.ts'
import type { FindingRequest, InstructionFinding, InstructionReader } from './reader.ts'
import type { DiscoveryTree } from './tree.ts'

/** Dependencies of following imports. */
export interface Following {
  readonly tree: DiscoveryTree
  readonly reader: InstructionReader
  readonly home: FindingRequest['home']
}

/** The end of the note on a file that another one says to read, and that no tool loads by itself. */
export const POINTED = ' says to read it.'

/**
 * The findings, each followed by its imports, recursively. A file is imported once, on the shortest way; a file that applies itself keeps its
 * position.
 */
export async function withImports(
  direct: readonly InstructionFinding[],
  following: Following,
): Promise<InstructionFinding[]> {
  const follower = new Follower(direct, following)
  let importers: readonly InstructionFinding[] = uniqueByIdentity(direct)
  for (let depth = 1; importers.length > 0; depth++) {
    const imported: InstructionFinding[] = []
    for (const importer of importers) imported.push(...(await follower.follow(importer, depth)))
    importers = imported
  }
  return direct.flatMap((finding) => follower.withFollowers(finding))
}

function uniqueByIdentity(findings: readonly InstructionFinding[]): InstructionFinding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.file.identity, finding])).values()].reverse()
}

class Follower {
  readonly #following: Following
  readonly #paths: Set<string>
  readonly #identities: Set<string>
  readonly #imported = new Map<InstructionFinding, readonly InstructionFinding[]>()
  readonly #lost = new Map<InstructionFinding, string>()

  constructor(direct: readonly InstructionFinding[], following: Following) {
    this.#following = following
    this.#paths = new Set(direct.map(({ path }) => path))
    this.#identities = new Set(direct.map(({ file }) => file.identity))
  }

  withFollowers(finding: InstructionFinding): InstructionFinding[] {
    const imported = this.#imported.get(finding) ?? []
    const lost = this.#lost.get(finding)
    return [lost === undefined ? finding : { ...finding, lost }, ...imported.flatMap((one) => this.withFollowers(one))]
  }

  async follow(importer: InstructionFinding, depth: number): Promise<readonly InstructionFinding[]> {
    const found: InstructionFinding[] = []
    const { imports, pointers } = this.#following.tree.options.profile
    const words = imports === 'words' ? importWordsIn(importer.file.content).slice(0, MOST_IMPORTS) : []
    for (const target of imports === 'words' ? words : importer.file.imports)
      found.push(...(await this.#import(importer, target, depth)))
    for (const word of words) if (await this.#isLost(importer, word)) this.#lost.set(importer, word)
    if (pointers) {
      for (const target of importer.file.pointers) found.push(...(await this.#point(importer, target, depth)))
    }
    this.#imported.set(importer, found)
    return found
  }

  async #isLost(importer: InstructionFinding, word: string): Promise<boolean> {
    const path = this.#resolve(importer, word)
    return this.#refusal(path, word, 1) !== undefined || !(await this.#following.tree.files.get(path)).ok
  }

  async #import(importer: InstructionFinding, target: string, depth: number): Promise<InstructionFinding[]> {
    const { tree, reader } = this.#following
    const path = this.#resolve(importer, target)
    if (this.#paths.has(path)) return []
    const by = `Imported by ${importer.relative}`
    const refusal = this.#refusal(path, target, depth)
    if (refusal) return this.#leave(path, refusal.why, `${by}, but ${refusal.because}`)
    const known = await tree.files.get(path)
    if (!known.ok && !looksLikeFile(target)) return []
    if (known.ok && this.#identities.has(known.identity)) {
      return this.#leave(path, 'duplicate', `${by}, and already read.`)
    }
    const file = await reader.read(path)
    if (!file) return []
    if (file.text.trim() === '') return this.#leave(path, 'empty', `${by}, but there is nothing in it.`)
    this.#paths.add(path)
    this.#identities.add(file.identity)
    return [this.#found(path, file, importer)]
  }

  /** Follows a pointer. A missing target is not a failed import, because the text may be prose. */
  async #point(importer: InstructionFinding, target: string, depth: number): Promise<InstructionFinding[]> {
    const path = this.#resolve(importer, target)
    if (this.#refusal(path, target, depth) || !(await this.#following.tree.files.get(path)).ok) return []
    const note = `${importer.relative}${POINTED}`
    return (await this.#import(importer, target, depth)).map((one) => ({ ...one, note }))
  }

  #found(path: string, file: InstructionFinding['file'], importer: InstructionFinding): InstructionFinding {
    const { tree, reader } = this.#following
    const nested = pathDepth(relativeTo(tree.options.root, path) ?? '') > 1
    const reason = `imported by ${importer.relative}`
    const { depth, by } = importer
    return { path, file, relative: reader.title(path), depth, by, nested, reason }
  }

  #leave(path: string, why: Why, detail: string): InstructionFinding[] {
    this.#following.reader.leave(path, why, detail)
    return []
  }

  #resolve({ path }: InstructionFinding, target: string): string {
    const { home } = this.#following
    if (target.startsWith('~/') && home !== undefined) return join(home, target.slice(2))
    return resolve(dirname(path), target)
  }

  #refusal(path: string, target: string, depth: number): { why: Why; because: string } | undefined {
    const { tree, home } = this.#following
    const { root, profile } = tree.options
    const most = profile.importDepth ?? IMPORT_DEPTH
    const name = relativeTo(root, path)
    if (name === undefined) return { why: 'denied', because: 'outside the root: never read.' }
    if (target.startsWith('~/') && home === undefined) return { why: 'denied', because: 'there is no home directory.' }
    if (profile.importsBelow && !isWithin(tree.options.cwd, path))
      return { why: 'untrusted', because: `outside ${basename(tree.options.cwd)}/: loaded only after you approve it.` }
    if (looksSecret(name)) return { why: 'denied', because: 'its name is that of a secret.' }
    return depth > most ? { why: 'over-limit', because: `deeper than ${most} imports.` } : undefined
  }
}
