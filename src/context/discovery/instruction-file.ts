import type { Refused } from '../../files/disk.ts'
import type { TextFile } from '../../files/text-file.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { globs, patternsOf } from '../../text/globs.ts'
import type { RuleModes, Scoping } from '../profiles/profile.ts'
import { importsIn, MOST_IMPORTS } from './imports.ts'
import { pointersIn } from './pointers.ts'

/** An instruction file as read, with what its text says of itself. */
export interface InstructionFile extends TextFile {
  /** Its front matter, which says which paths it is for. */
  readonly matter: ReadonlyMap<string, unknown>
  /** `alwaysApply` of its front matter. */
  readonly always: boolean
  /** The `@path`s in its text, in order. */
  readonly imports: readonly string[]
  /** The files that it says to read, where it says little else. */
  readonly pointers: readonly string[]
}

/** The keys under which tools let a file say which paths it is for. */
const PATTERN_KEYS = ['paths', 'globs', 'applyTo', 'fileMatchPattern']

/** Reads what the text says. YAML is loaded only for a file that has front matter. */
export async function instructionFile(file: TextFile): Promise<InstructionFile> {
  const { matter, body } = splitFrontMatter(file.content)
  const imports = importsIn(file.content.slice(body))
  const read = matter === undefined ? NOTHING : await readMatter(matter)
  return {
    ...file,
    matter: read.values,
    always: read.always,
    imports: imports.slice(0, MOST_IMPORTS),
    pointers: pointersIn(file.content.slice(body)),
    warnings: [...file.warnings, ...read.warnings, ...importWarnings(imports.length)],
  }
}

const NOTHING: Awaited<ReturnType<typeof readMatter>> = { values: new Map(), always: false, warnings: [] }

async function readMatter(matter: string) {
  const { parseFrontMatter } = await import('../../text/metadata.ts')
  const { values, warnings } = parseFrontMatter(matter)
  const refused = PATTERN_KEYS.flatMap((key) => globs(patternsOf(values.get(key))).refused)
  const tooMuch = refused.length > 0 ? [`${refused.length} patterns ask for too much and match nothing.`] : []
  const always = values.get('alwaysApply')
  return { values, always: always === true || always === 'true', warnings: [...warnings, ...tooMuch] }
}

function importWarnings(imports: number): string[] {
  return imports > MOST_IMPORTS ? [`Of its ${imports} imports only the first ${MOST_IMPORTS} are read.`] : []
}

/** The patterns of a file where its tool looks for them; undefined when it is for all paths. */
export function patternsFor(file: InstructionFile, scoping: Scoping | undefined): readonly string[] | undefined {
  if (!scoping || isAlways(file, scoping)) return undefined
  const patterns = scoping.keys.flatMap((key) => patternsOf(file.matter.get(key)))
  return patterns.length > 0 ? patterns : undefined
}

/** Whether a file applies whatever its patterns say. */
export function isAlways(file: InstructionFile, { always, modes }: Scoping): boolean {
  return (always === true && file.always) || modes?.always.includes(modeOf(file, modes)) === true
}

/** Whether a file applies only on request. */
export function isOnRequest(file: InstructionFile, modes: Scoping['modes']): boolean {
  return modes?.never.includes(modeOf(file, modes)) === true
}

function modeOf({ matter }: InstructionFile, { key }: RuleModes): string {
  return String(matter.get(key) ?? '')
}

/** A file, or why it was not read. */
export type Reading = InstructionFile | Refused
