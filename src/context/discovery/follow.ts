import { basename, dirname, join, resolve } from 'node:path'
import type { Why } from '../../core/flow.ts'
import { isWithin, pathDepth, relativeTo } from '../../text/paths.ts'
import { looksSecret } from '../../text/secrets.ts'
import { IMPORT_DEPTH, importWordsIn, looksLikeFile, MAX_IMPORTS } from './instruction-file.ts'
import type { FindingRequest, InstructionFinding, InstructionReader } from './reader.ts'
import type { DiscoveryTree } from './tree.ts'

/** The tree, the reader and the home directory with which imports are followed. */
interface ImportScope extends Pick<FindingRequest, 'home'> {
  readonly tree: DiscoveryTree
  readonly reader: InstructionReader
}

/** A reference to a file. `target`: as written. `path`: absolute. `depth`: number of imports that lead to the file. */
interface ImportReference {
  readonly importer: InstructionFinding
  readonly target: string
  readonly path: string
  readonly depth: number
}

/**
 * The findings, each followed by its imports, recursively. A file is imported once, by the shortest chain of imports; a file that applies without an
 * import keeps its position.
 */
export async function withImports(directFindings: readonly InstructionFinding[], { tree, reader, home }: ImportScope) {
  const { imports, pointers } = tree.options.profile
  const paths = new Set(directFindings.map(({ path }) => path))
  const identities = new Set(directFindings.map(({ file }) => file.identity))
  const importsOf = new Map<InstructionFinding, readonly InstructionFinding[]>()
  const droppedWords = new Map<InstructionFinding, string>()
  const importFile = async (reference: ImportReference): Promise<InstructionFinding | undefined> => {
    const { importer, target, path } = reference
    if (paths.has(path)) return undefined
    const by = `Imported by ${importer.relativePath}`
    const refusal = refusalOf(reference, tree, home)
    if (refusal) return reader.leave(path, refusal.why, `${by}, but ${refusal.because}`)
    const cached = await tree.files.get(path)
    if (!cached.ok && !looksLikeFile(target)) return undefined
    if (cached.ok && identities.has(cached.identity)) return reader.leave(path, 'duplicate', `${by}, and already read.`)
    const file = await reader.read(path)
    if (!file) return undefined
    if (file.text.trim() === '') return reader.leave(path, 'empty', `${by}, but there is nothing in it.`)
    paths.add(path)
    identities.add(file.identity)
    const isNested = pathDepth(relativeTo(tree.options.root, path) ?? '') > 1
    const reason = `imported by ${importer.relativePath}`
    const { depth, touchedPath } = importer
    return { path, file, relativePath: reader.title(path), depth, touchedPath, isNested, reason }
  }
  const isReadable = async (reference: ImportReference) =>
    refusalOf(reference, tree, home) === undefined && (await tree.files.get(reference.path)).ok
  const follow = async (importer: InstructionFinding, depth: number): Promise<readonly InstructionFinding[]> => {
    const referenceTo = (target: string) => {
      const inHome = target.startsWith('~/') && home !== undefined ? join(home, target.slice(2)) : undefined
      return { importer, target, path: inHome ?? resolve(dirname(importer.path), target), depth }
    }
    const words = imports === 'words' ? importWordsIn(importer.file.content).slice(0, MAX_IMPORTS) : undefined
    const attempts: (InstructionFinding | undefined)[] = []
    for (const target of words ?? importer.file.imports) attempts.push(await importFile(referenceTo(target)))
    for (const word of words ?? [])
      if (!(await isReadable({ ...referenceTo(word), depth: 1 }))) droppedWords.set(importer, word)
    // A missing target of a pointer is not a failed import, because the text may be prose.
    for (const pointer of pointers ? importer.file.pointers.map(referenceTo) : []) {
      const pointed = (await isReadable(pointer)) ? await importFile(pointer) : undefined
      attempts.push(pointed && { ...pointed, note: `${importer.relativePath} says to read it.`, isReferenced: true })
    }
    const imported = attempts.filter((attempt) => attempt !== undefined)
    importsOf.set(importer, imported)
    return imported
  }
  const withImported = (finding: InstructionFinding): InstructionFinding[] => {
    const word = droppedWords.get(finding)
    const ownFinding = word === undefined ? finding : { ...finding, droppedImport: word }
    return [ownFinding, ...(importsOf.get(finding) ?? []).flatMap(withImported)]
  }
  // A file with several names is followed once, under its first name.
  const byIdentity = new Map(directFindings.toReversed().map((finding) => [finding.file.identity, finding]))
  let importers: readonly InstructionFinding[] = [...byIdentity.values()].reverse()
  for (let depth = 1; importers.length > 0; depth++) {
    const nextImporters: InstructionFinding[] = []
    for (const importer of importers) nextImporters.push(...(await follow(importer, depth)))
    importers = nextImporters
  }
  return directFindings.flatMap(withImported)
}

/** Why an import is not followed; undefined if it is followed. */
function refusalOf(
  { path, target, depth }: ImportReference,
  { options: { root, cwd, profile } }: DiscoveryTree,
  home: ImportScope['home'],
): { why: Why; because: string } | undefined {
  const maxDepth = profile.importDepth ?? IMPORT_DEPTH
  const name = relativeTo(root, path)
  if (name === undefined) return { why: 'denied', because: 'outside the root: never read.' }
  if (target.startsWith('~/') && home === undefined) return { why: 'denied', because: 'there is no home directory.' }
  if (profile.importsBelow && !isWithin(cwd, path))
    return { why: 'untrusted', because: `outside ${basename(cwd)}/: loaded only after you approve it.` }
  if (looksSecret(name)) return { why: 'denied', because: 'its name is that of a secret.' }
  return depth > maxDepth ? { why: 'over-limit', because: `deeper than ${maxDepth} imports.` } : undefined
}
