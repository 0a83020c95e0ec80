/** Builds recipes (sources, passes, a renderer). One table says which kinds of places and options need which passes. */

import { UsageError } from '../../core/errors.ts'
import type { Fragment, Pass, Recipe, Renderer, Selection } from '../../core/flow.ts'
import type { BlockOrder } from '../passes/budget/block-order.ts'
import { budget } from '../passes/budget/budget.ts'
import { limit, unique } from '../passes/limits.ts'
import type { Order } from '../profiles/profile.ts'
import { arranged, markdown, xml } from '../renderers/renderers.ts'

/**
 * `bytes4`: a token for every four bytes, the default. `o200k`: exact for OpenAI's models of 2024 and later, except that words of more than
 * `MAX_RUN_LENGTH` characters may count a little more.
 */
export type CounterName = 'bytes4' | 'o200k'

/** A request for the context of a place. */
export interface LoadRequest {
  /** A path on disk, or the URI of a place in a collection or package. Default: the current directory. */
  readonly place?: string | undefined
  /** Maximum number of tokens of `text`: a whole number ≥ 1. Default: 8000 on disk, unlimited elsewhere. */
  readonly budget?: number | undefined
  /** The format of `text`. Default: `markdown` on disk, `xml` elsewhere. */
  readonly format?: 'markdown' | 'xml' | undefined
  /** Paths that were read or written, relative to the current directory. */
  readonly touched?: readonly string[] | undefined
  /** The reader's task: related text comes first if not everything fits. */
  readonly task?: string | undefined
  /** Whether code that is relevant to the task is added, within the same budget. Needs a task. Default: false. */
  readonly code?: boolean | undefined
  /** With `code`: whether to add signatures of further definitions, with their lines. Default: false. */
  readonly signatures?: boolean | undefined
  /** With `code`: whether to ask the language model once for identifiers. Default: as configured. */
  readonly rewrite?: boolean | undefined
  /** The agent whose rules decide which instruction files are loaded. Default: `ambit`. */
  readonly profile?: string | undefined
  readonly order?: Order | undefined
  readonly tokens?: CounterName | undefined
  /** The user's home directory; `false` leaves it out. Default: the system's. */
  readonly home?: string | false | undefined
  /** Whether instruction files are loaded, which many agents read by themselves. Default: true. */
  readonly instructions?: boolean | undefined
  /** Whether the context directory at the root of a collection or package is loaded. Default: false. On disk it is always loaded. */
  readonly withContextDir?: boolean | undefined
  /** Whether to report paths and commands that the loaded texts mention and that do not exist. Default: true. */
  readonly drift?: boolean | undefined
  /** The digests that earlier answers returned in `sent`. Texts with these digests are not sent again. */
  readonly known?: readonly string[] | undefined
  /** Whether the answer has the content and the structure of the files. Default: true. */
  readonly full?: boolean | undefined
}

/** The kinds of places whose context `load` loads. */
export type PlaceKind = 'disk' | 'collection' | 'package'

/** Kinds of recipes: for a whole place, or for one part of the context of a place on disk. */
type RecipeKind = PlaceKind | 'context-dir' | 'instructions' | 'prompt' | 'delivery' | 'task'

type LoadOption = Exclude<keyof LoadRequest, 'place'>

/** Parts of a recipe that depend on the kind of place. The most important source comes first. */
export interface RecipeParts extends Pick<Recipe, 'sources' | 'render' | 'count'> {
  /** The pass that cuts the files so that all together keep the size limit of the agent; absent without a limit. */
  readonly cap?: Pass | undefined
  /** Whether a fragment counts towards `MAX_FILES`. Default: no fragment counts. */
  isCounted?(fragment: Fragment): boolean
  /** The pass that leaves out texts that the reader has. */
  readonly unsent?: Pass
  /** Makes the pass that cuts to a number of tokens. Default: `fitTexts`, for texts. */
  fitTo?(tokens: number): Pass
}

/** A pass, or another feature of `load`, with the kinds of recipes that have it. */
interface RecipePart {
  readonly kinds: readonly RecipeKind[]
  /** The options of `load` that the part honours. */
  readonly options?: readonly LoadOption[]
  /** Makes the pass; undefined if the recipe does not need it. Absent for a part that only honours options. */
  pass?(parts: RecipeParts, tokens: number | undefined): Pass | undefined
}

/** Maximum files of a collection or package, not counting files at the root. */
export const MAX_FILES = 10

const PLACES: readonly PlaceKind[] = ['disk', 'collection', 'package']

/** The parts, in the order in which passes are applied. An option that no part honours is refused at every place. */
const PARTS: readonly RecipePart[] = [
  { kinds: ['disk'], options: ['instructions', 'touched', 'profile'] },
  { kinds: ['disk'], options: ['code', 'signatures', 'rewrite'] },
  // Accepted at every place: to turn off what a place lacks does no harm.
  { kinds: PLACES, options: ['withContextDir', 'home', 'drift', 'full', 'format', 'order'] },
  { kinds: ['disk', 'context-dir', 'instructions'], pass: () => unique() },
  { kinds: ['disk', 'instructions'], pass: ({ cap }) => cap },
  { kinds: ['collection', 'package'], pass: ({ isCounted }) => limit(MAX_FILES, (one) => !isCounted?.(one)) },
  { kinds: PLACES, pass: () => pinnedFirst },
  { kinds: PLACES, options: ['known'], pass: ({ unsent }) => unsent },
  {
    kinds: [...PLACES, 'context-dir', 'prompt', 'delivery', 'task'],
    options: ['budget', 'tokens', 'task'],
    pass: ({ fitTo = fitTexts }, tokens) => (tokens === undefined ? undefined : fitTo(tokens)),
  },
]

/** Builds a recipe. `tokens`: the budget; undefined for a recipe without a budget. */
export function recipeFor(kind: RecipeKind, tokens: number | undefined, parts: RecipeParts): Recipe {
  const { sources, render, count } = parts
  const passes = PARTS.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ pass }) => pass?.(parts, tokens) ?? [])
  return { name: kind, sources, passes, render, ...(count && { count }) }
}

const DEFAULTS: Readonly<Partial<Record<LoadOption, unknown>>> = { instructions: true, code: false, signatures: false }

const KIND_NAMES: Readonly<Record<PlaceKind, { readonly name: string; readonly example: string }>> = {
  disk: { name: 'places on disk', example: 'a directory or file on disk' },
  collection: { name: 'collections', example: 'a place in a collection' },
  package: { name: 'packages', example: 'a package' },
}

/** @throws UsageError for an option that this kind of place does not honour. The error names the kinds of places that honour it. */
export function assertOptionsFit(kind: PlaceKind, request: LoadRequest): void {
  for (const [name, value] of Object.entries(request)) {
    const capableKinds = kindsFor(name)
    if (name === 'place' || capableKinds.includes(kind) || !differsFromDefault(name, value)) continue
    const kinds = capableKinds.map((one) => KIND_NAMES[one].name).join(' and ') || 'no place'
    const hint = ['Leave it out', ...capableKinds.map((one) => `give ${KIND_NAMES[one].example}`)].join(', or ')
    throw new UsageError(`${name} is only for ${kinds}.`, `${hint}.`)
  }
}

/** The kinds of places that honour an option. */
export function kindsFor(option: string): readonly PlaceKind[] {
  const capableKinds = PARTS.flatMap(({ kinds, options = [] }) => (options.some((one) => one === option) ? kinds : []))
  return PLACES.filter((kind) => capableKinds.includes(kind))
}

function differsFromDefault(name: string, value: unknown): boolean {
  return value !== undefined && value !== Reflect.get(DEFAULTS, name) && !(Array.isArray(value) && value.length === 0)
}

const fitTexts = (tokens: number): Pass => budget(tokens, { blockOrder })

/** Files whose blocks have their own order of importance. */
const BLOCK_ORDERS: Readonly<Record<string, BlockOrder>> = {
  'TASKS.md': 'open-first',
  'DECISIONS.md': 'recent-first',
  'LEARNINGS.md': 'recent-first',
}

/** The order of importance of the blocks of a context file, if not all blocks can be shown. */
export function blockOrder({ origin }: Fragment): BlockOrder {
  return BLOCK_ORDERS[origin.labels?.source?.split('/').at(-1) ?? ''] ?? 'written'
}

/** Renders a context directory as Markdown. */
export const contextMarkdown = markdown({ heading: 'Project Context' })

/** For each kind of fragment, the attributes of its element, in order. */
const OBJECT_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  'context-file': ['path', 'truncated', 'scope', 'bucket', 'package-name'],
  'path-context': ['path'],
  context: ['filename'],
}

/** Renders the context of a place in a bucket or package. `positionOf`: index of a file in the files of its scope. */
export function objectRenderer(
  { format = 'xml', order = 'specific-first' }: Pick<LoadRequest, 'format' | 'order'>,
  positionOf: (fragment: Fragment) => number,
): Renderer {
  const scopeRank = ({ origin }: Fragment) => Number(origin.labels?.scope === 'bucket')
  const arrange = (kept: readonly Fragment[]) => {
    const ofKind = (kind: string) => kept.filter((fragment) => fragment.kind === kind)
    // Files of the package before files of its bucket, both from the place to the root.
    const files = ofKind('context-file').sort((a, b) => scopeRank(a) - scopeRank(b) || positionOf(a) - positionOf(b))
    if (order !== 'specific-first') files.reverse()
    const facts = kept.filter(({ kind }) => !Object.hasOwn(OBJECT_ATTRIBUTES, kind))
    // Path contexts from general to specific.
    return [...facts, ...ofKind('path-context').reverse(), ...files, ...ofKind('context')]
  }
  return arranged(arrange, format === 'xml' ? xml({ attributes: OBJECT_ATTRIBUTES }) : markdown({ heading: 'Context' }))
}

/** Moves pinned fragments to the front. */
function pinnedFirst(selection: Selection): Selection {
  const pinned = selection.kept.filter((fragment) => fragment.pinned)
  if (pinned.length === 0) return selection
  return { ...selection, kept: [...pinned, ...selection.kept.filter((fragment) => !fragment.pinned)] }
}
