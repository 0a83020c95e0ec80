/** Where each tool without hooks reads rules, and how it wants them: data, one row for each tool. */

/** How the folder of rules of a tool is filled. */
export interface RuleFormat {
  readonly folder: string
  readonly suffix: string
  /** The front matter of a rule for these paths; undefined for all paths. No lines: the tool reads none. */
  readonly matter: (globs: readonly string[] | undefined, description: string | undefined) => readonly string[]
}

/** How one tool gets what is in AGENTS.md files and in `.agents/rules`. */
export interface SyncTarget {
  /** A file beside each AGENTS.md that imports it; in the root also the rules, without a folder for them. Absent where the tool reads AGENTS.md itself. */
  readonly bridge?: string
  /** Whether an AGENTS.md below the root becomes a rule for its directory. */
  readonly nestedAsRules?: true
  readonly rules?: RuleFormat
  /** One file in the root, which holds what the tool finds nowhere else. */
  readonly combined?: { readonly name: string; readonly holdsRoot: boolean }
  /** The file with settings that name each file to read. */
  readonly list?: string
}

const quoteGlobs = (globs: readonly string[]) => JSON.stringify(globs.join(','))
const globList = (key: string, globs: readonly string[] = []) =>
  globs.length === 0 ? [] : [`${key}:`, ...globs.map((glob) => `  - ${JSON.stringify(glob)}`)]
const descriptionLine = (description: string | undefined) =>
  description === undefined ? [] : [`description: ${JSON.stringify(description)}`]

const claudeRules: RuleFormat = { folder: '.claude/rules', suffix: '.md', matter: (globs) => globList('paths', globs) }

const copilotRules: RuleFormat = {
  folder: '.github/instructions',
  suffix: '.instructions.md',
  matter: (globs, description) => [...descriptionLine(description), `applyTo: ${quoteGlobs(globs ?? ['**'])}`],
}

const noMatter = () => []

/** By the name of the tool's profile. */
export const SYNC_TARGETS = {
  claude: { bridge: 'CLAUDE.md', rules: claudeRules },
  gemini: { bridge: 'GEMINI.md' },
  cursor: {
    nestedAsRules: true,
    rules: {
      folder: '.cursor/rules',
      suffix: '.mdc',
      matter: (globs, description) => [
        ...descriptionLine(description),
        ...(globs ? [`globs: ${quoteGlobs(globs)}`] : []),
        `alwaysApply: ${globs === undefined}`,
      ],
    },
  },
  copilot: { nestedAsRules: true, rules: copilotRules },
  'copilot-cli': { rules: copilotRules },
  vscode: { nestedAsRules: true, rules: copilotRules },
  windsurf: {
    nestedAsRules: true,
    rules: {
      folder: '.windsurf/rules',
      suffix: '.md',
      matter: (globs, description) => [
        `trigger: ${globs ? 'glob' : 'always_on'}`,
        ...descriptionLine(description),
        ...(globs ? [`globs: ${quoteGlobs(globs)}`] : []),
      ],
    },
  },
  cline: {
    nestedAsRules: true,
    rules: { folder: '.clinerules', suffix: '.md', matter: (globs) => globList('paths', globs) },
  },
  kiro: {
    nestedAsRules: true,
    rules: {
      folder: '.kiro/steering',
      suffix: '.md',
      matter: (globs) =>
        globs ? ['inclusion: fileMatch', ...globList('fileMatchPattern', globs)] : ['inclusion: always'],
    },
  },
  roo: { nestedAsRules: true, rules: { folder: '.roo/rules', suffix: '.md', matter: noMatter } },
  kilo: { rules: { folder: '.kilo/rules', suffix: '.md', matter: noMatter } },
  junie: { combined: { name: '.junie/AGENTS.md', holdsRoot: true } },
  zed: { combined: { name: '.rules', holdsRoot: true } },
  codex: { combined: { name: 'AGENTS.override.md', holdsRoot: true } },
  qwen: { combined: { name: 'QWEN.md', holdsRoot: false } },
  crush: { combined: { name: 'CRUSH.md', holdsRoot: false } },
  goose: { combined: { name: '.goosehints', holdsRoot: false } },
  aider: { list: '.aider.conf.yml' },
  amp: {},
  opencode: {},
  factory: {},
} as const satisfies Readonly<Record<string, SyncTarget>>

/** Tools that `sync` writes for. */
export type SyncTool = keyof typeof SYNC_TARGETS

export function isSyncTool(name: string): name is SyncTool {
  return Object.hasOwn(SYNC_TARGETS, name)
}

export function syncTarget(tool: SyncTool): SyncTarget {
  return SYNC_TARGETS[tool]
}
