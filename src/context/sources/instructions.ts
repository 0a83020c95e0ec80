import { pathToFileURL } from 'node:url'
import type { Fragment, Source } from '../../core/flow.ts'
import { neutralise } from '../../text/invisible.ts'
import { findingsOf } from '../discovery/findings.ts'
import type { FindingRequest, InstructionFinding } from '../discovery/reader.ts'
import type { DiscoveryTree } from '../discovery/tree.ts'

/** Scope of an instruction file. */
export type InstructionScope = 'project' | 'nested' | 'home'

/** An instruction file that applies. */
export interface InstructionContext {
  /** Absolute path. */
  readonly path: string
  /** The whole file. */
  readonly content: string
  readonly lastModified: Date
  /** `project`: at the project's root. `nested`: below the root. `home`: the user's own file. */
  readonly scope: InstructionScope
  /** Why the file applies: the working directory, a touched path, or the file that imports it. */
  readonly reason: string
}

type RecordedFinding = InstructionFinding & { readonly context: InstructionContext }

export interface InstructionSource extends Source {
  /** The files of the last selection, by uri, each with its record for callers. */
  readonly findings: ReadonlyMap<string, RecordedFinding>
}

export interface InstructionsRequest extends FindingRequest {
  /** `home` for a home directory. Absent: the scope is `project` or `nested`. */
  readonly scope?: 'home'
  /** The form of the label `filename`. */
  readonly filenames: 'absolute' | 'relative'
}

/** A source of instruction files of a project or a home directory. Touched paths of a focus stay touched in `tree`. */
export function instructions(tree: DiscoveryTree, request: InstructionsRequest): InstructionSource {
  const findings = new Map<string, RecordedFinding>()
  return {
    name: request.scope ?? 'instructions',
    kind: 'context',
    scope: request.scope ?? 'project',
    findings,
    async gather({ touched = [] }) {
      if (request.scope !== 'home') for (const path of touched) tree.touch(path)
      const { found, left, warnings } = await findingsOf(tree, request)
      findings.clear()
      const kept = found.map((finding) => {
        const fragment = fragmentOf(finding, request)
        findings.set(fragment.origin.uri, { ...finding, context: contextOf(finding, request.scope) })
        return fragment
      })
      return { kept, left, warnings }
    },
  }
}

function contextOf(finding: InstructionFinding, scope: 'home' | undefined): InstructionContext {
  const { path, file, reason } = finding
  const lastModified = new Date(Number(file.version.mtimeNs / 1_000_000n))
  return { path, content: file.content, lastModified, scope: scopeOf(finding, scope), reason }
}

function scopeOf({ isNested }: InstructionFinding, scope: 'home' | undefined): InstructionScope {
  return scope ?? (isNested ? 'nested' : 'project')
}

function fragmentOf(finding: InstructionFinding, { filenames, scope }: InstructionsRequest): Fragment {
  const { path, relativePath, file, note, droppedImport } = finding
  const filename = filenames === 'absolute' ? path : relativePath
  const shown = neutralise(relativePath).text
  const labels = { filename: neutralise(filename).text, source: shown }
  return {
    origin: { uri: pathToFileURL(path).href, id: file.identity, labels },
    kind: 'context',
    title: shown,
    text: file.text,
    syntax: 'markdown',
    scope: scopeOf(finding, scope),
    ...(note !== undefined && { note }),
    ...(droppedImport !== undefined && {
      cut: { to: 'part', why: 'failed' },
      note: `It reads @${neutralise(droppedImport).text} as an import, finds no such file, and drops it.`,
    }),
  }
}
