import { resolve } from 'node:path'
import { invalidInput } from '../../core/errors.ts'
import type { Count, Fragment, Pass, Recipe, Renderer } from '../../core/flow.ts'
import { projectRootOf } from '../../files/roots.ts'
import { globs } from '../../text/globs.ts'
import { relativeTo } from '../../text/paths.ts'
import { DiscoveryTree, homeTrees } from '../discovery/tree.ts'
import { requireDirectory } from '../load/place.ts'
import { recipeFor } from '../load/recipe.ts'
import { cap } from '../passes/limits.ts'
import type { Order, Profile } from '../profiles/profile.ts'
import { findProfile, OWN_PROFILE } from '../profiles.ts'
import { arranged, xml } from '../renderers/renderers.ts'
import { type InstructionContext, type InstructionSource, instructions } from '../sources/instructions.ts'

/** Options: which instruction files to load, and how to print them. */
export interface InstructionOptions {
  /** The working directory. Default: the working directory of the process. */
  readonly cwd?: string
  /** The project's root; nothing outside it is read. Default: the nearest directory at or above `cwd` with a `.git`. */
  readonly root?: string
  /** The user's home directory, with folders such as `.ambit`; `false` for none. Default: the system's. */
  readonly home?: string | false | undefined
  /** File names. The first existing name in a directory counts. Default: the profile's names and rules. */
  readonly patterns?: readonly string[]
  /** Patterns of files, relative to the root, that are not loaded. Default: none. */
  readonly exclude?: readonly string[]
  /** Patterns of absolute paths of files that are not loaded. Default: none. */
  readonly excludePaths?: readonly string[] | undefined
  /** The order of files in the text. Default: the order of the profile, which is `specific-first` for `ambit`. */
  readonly order?: Order | undefined
  /** The tool whose view of the tree is loaded: a profile, or its name in `PROFILES`. Default: `ambit`. */
  readonly profile?: Profile | string | undefined
  /** Whether `.gitignore` excludes files. Default: true. */
  readonly gitignore?: boolean
  /** The form of `filename` in the text. Default: `absolute`. */
  readonly filenames?: 'absolute' | 'relative'
}

/** The sources, the recipe and the renderer of the instruction files of a place. All commands use this class. */
export class Instructions {
  readonly root: string
  readonly cwd: string
  readonly tree: DiscoveryTree
  readonly profile: Profile
  readonly order: Order
  readonly project: InstructionSource
  readonly homes: readonly InstructionSource[]
  readonly #homeTrees: readonly DiscoveryTree[]

  constructor(options: InstructionOptions = {}) {
    this.cwd = requireDirectory(resolve(options.cwd ?? '.'))
    this.root = requireDirectory(resolve(options.root ?? projectRootOf(this.cwd)))
    if (relativeTo(this.root, this.cwd) === undefined) {
      const hint = 'Give a root at or above the working directory.'
      throw invalidInput(`The working directory ${this.cwd} is not below the root ${this.root}.`, hint)
    }
    const { profile: tool = OWN_PROFILE, excludePaths = [], gitignore = true, filenames = 'absolute' } = options
    this.profile = withPatterns(typeof tool === 'string' ? findProfile(tool) : tool, options.patterns)
    this.order = options.order ?? this.profile.order
    const exclude = usablePatterns(options.exclude ?? [])
    const { root, cwd, profile } = this
    this.tree = new DiscoveryTree({ root, cwd, profile, exclude, excludePaths, gitignore })
    this.#homeTrees = homeTrees(profile, options.home, excludePaths)
    const home = this.#homeTrees.find((tree) => !tree.options.isSystem)?.options.root
    this.project = instructions(this.tree, { touched: this.tree.touched, filenames, home })
    this.homes = this.#homeTrees.map((tree) => {
      const { root: homeRoot, isSystem } = tree.options
      const naming = isSystem
        ? { prefix: `${homeRoot}/`, reason: 'the organization' }
        : { prefix: '~/', reason: 'home', home: homeRoot }
      return instructions(tree, { touched: this.tree.touched, ruleBase: '', scope: 'home', filenames, ...naming })
    })
  }

  /** Increases with every change that could affect an answer. */
  get generation(): number {
    return this.#homeTrees.reduce((sum, tree) => sum + tree.generation, this.tree.generation)
  }

  /** Absolute paths of the files and directories on which the answer depends, existing or missing. */
  get watched(): string[] {
    return [this.tree, ...this.#homeTrees].flatMap((tree) => tree.watched)
  }

  /** Stats every known file and directory once. */
  async refresh(): Promise<void> {
    for (const tree of [this.tree, ...this.#homeTrees]) await tree.refresh()
  }

  /** The record of the file from which a fragment comes; undefined for a fragment of another source. */
  contextOf({ origin }: Fragment): InstructionContext | undefined {
    const source = [this.project, ...this.homes].find(({ findings }) => findings.has(origin.uri))
    return source?.findings.get(origin.uri)?.context
  }

  /** The limit of the profile for the files of the project. */
  get cap(): Pass | undefined {
    const isOther = ({ origin }: Fragment) => !this.project.findings.has(origin.uri)
    return this.profile.cap === undefined ? undefined : cap(this.profile.cap, isOther)
  }

  /** A recipe that gathers all files that apply, the most specific first, and renders no text. */
  recipe(count: Count): Recipe {
    const sources = [this.project, ...this.homes]
    return recipeFor('instructions', undefined, { sources, render: () => '', count, cap: this.cap })
  }

  /** Renders in the requested order. */
  readonly render: Renderer = arranged((kept) => this.arrange(kept), xml({ attributes: ['filename', 'update'] }))

  arrange(kept: readonly Fragment[]): readonly Fragment[] {
    return this.order === 'specific-first' ? kept : this.generalFirst(kept)
  }

  /** Sorts files of the home directory first, then from the root down. Files of one directory keep their order. */
  generalFirst(kept: readonly Fragment[]): readonly Fragment[] {
    const depth = ({ origin }: Fragment) => this.project.findings.get(origin.uri)?.depth ?? -1
    return [...kept].sort((a, b) => depth(a) - depth(b))
  }
}

function withPatterns(profile: Profile, patterns: readonly string[] | undefined): Profile {
  if (!patterns) return profile
  const rules = profile.rules?.filter(({ alone }) => !alone) ?? []
  return { ...profile, names: [patterns], rules, home: profile.home.map((home) => ({ ...home, names: [patterns] })) }
}

/** @throws ContextError `invalid-input` for a pattern that is too complex. Without the pattern, files that it excludes would be loaded. */
function usablePatterns(exclude: readonly string[]): readonly string[] {
  const [refused] = globs(exclude, Number.POSITIVE_INFINITY).refused
  if (refused === undefined) return exclude
  const hint = 'Give shorter patterns, with fewer braces.'
  throw invalidInput(`The exclude pattern ${refused.slice(0, 60)}… is too complex.`, hint)
}
