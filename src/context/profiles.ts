import { invalidInput } from '../core/errors.ts'
import type { HomeFolder, Profile, RuleFolder } from './profiles/profile.ts'

/** Names of instruction files in any directory, the most common first. */
export const INSTRUCTION_NAMES = ['AGENTS.md', 'KODELET.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md'] as const

/** The folder with the rules of a project. `sync` writes the rules of other tools from these rules. */
export const RULES_FOLDER = '.agents/rules'

/** Names of files that add to a file of `INSTRUCTION_NAMES`, or that only one tool reads. */
const OTHER_NAMES = ['AGENTS.override.md', 'CLAUDE.local.md', 'GEMINI.local.md', 'CRUSH.md', 'WARP.md'] as const

/** Instruction files at fixed paths. */
const FIXED_FILES = [
  '.claude/CLAUDE.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.roorules',
  '.goosehints',
  '.rules',
  '.junie/guidelines.md',
  '.kilocoderules',
  '.openhands/microagents/repo.md',
]

type Tool = Omit<Profile, 'name'>

/** Describes a tool; by default, it reads only its working directory. The first existing name of each group counts. */
function tool(names: readonly (string | readonly string[])[], fields: Partial<Tool> = {}): Tool {
  const groups = names.map((group) => (typeof group === 'string' ? [group] : group))
  return { names: groups, home: [], imports: false, reach: 'working-directory', order: 'general-first', ...fields }
}

/** A folder of Markdown rules in the root. Rules without patterns always apply. */
function ruleFolder(folder: string, fields: Partial<RuleFolder> = {}): RuleFolder {
  return { folder, suffix: '.md', at: 'root', keys: [], bare: 'here', unscoped: 'always', ...fields }
}

/** Rules with patterns under the key `paths`. A pattern such as `*.md` matches only files directly in the directory. */
const PATH_RULES = { keys: ['paths'] }

/** A rule without globs applies only with `alwaysApply: true`. */
const CURSOR_RULES = { suffix: '.mdc', keys: ['globs'], bare: 'anywhere', always: true, unscoped: 'never' } as const

const COPILOT_RULES = { suffix: '.instructions.md', keys: ['applyTo'], unscoped: 'never' } as const

/** Rules of Windsurf, which is Devin Desktop now. */
const WINDSURF_RULES = {
  keys: ['globs'],
  bare: 'anywhere',
  modes: { key: 'trigger', always: ['always_on'], never: ['manual', 'model_decision'] },
} as const

/** Steering files of Kiro. */
const KIRO_RULES = {
  keys: ['fileMatchPattern'],
  bare: 'anywhere',
  modes: { key: 'inclusion', always: ['always'], never: ['manual', 'auto'] },
} as const

/** All known places of instructions besides `INSTRUCTION_NAMES` and `OTHER_NAMES`. */
const RULE_PLACES: readonly RuleFolder[] = [
  ...FIXED_FILES.map((file) => ruleFolder(file, { suffix: '', ...PATH_RULES })),
  ...['.clinerules', '.claude/rules'].map((folder) => ruleFolder(folder, PATH_RULES)),
  ruleFolder('.cursor/rules', CURSOR_RULES),
  ruleFolder('.github/instructions', COPILOT_RULES),
  ...['.windsurf/rules', '.devin/rules'].map((folder) => ruleFolder(folder, WINDSURF_RULES)),
  ...['.roo/rules', '.kilo/rules', '.kilocode/rules'].map((folder) => ruleFolder(folder, PATH_RULES)),
  ruleFolder('.kiro/steering', KIRO_RULES),
]

/** Folders of rules. In the root, rules for all paths count only without an instruction file, or in `RULES_FOLDER`. */
function rulePlaces(at: RuleFolder['at']): RuleFolder[] {
  const agentsRules = ruleFolder(RULES_FOLDER, { keys: ['paths', 'globs', 'applyTo'], bare: 'anywhere', always: true })
  return [...RULE_PLACES.map((place) => ({ ...place, at, alone: at === 'root' })), agentsRules]
}

/** A folder of the home directory. The first existing name counts. */
function homeFolder(folder: string, names: readonly string[], rules?: readonly RuleFolder[]): HomeFolder {
  return { folder, names: names.length === 0 ? [] : [names], ...(rules && { rules }) }
}

const HOME_FILE_NAMES = ['AGENTS.md', 'KODELET.md', 'CLAUDE.md']

/**
 * The files that Ambit reads: the first of several file names in each directory; in a root without such a file, the first of other places; rules
 * by path; and the files of the user.
 */
const ambit = tool([INSTRUCTION_NAMES], {
  scoping: { keys: ['paths', 'globs', 'applyTo'], bare: 'anywhere', always: true },
  home: [homeFolder('.ambit', HOME_FILE_NAMES), homeFolder('.kodelet', HOME_FILE_NAMES)],
  rules: rulePlaces('root'),
  imports: true,
  pointers: true,
  leavesWritten: true,
  reach: 'touched',
  order: 'specific-first',
})

const CODEX = ['AGENTS.override.md', 'AGENTS.md']

const EVERYWHERE = { at: 'every-directory' } as const
const CLAUDE_RULES = { ...EVERYWHERE, ...PATH_RULES }
const COPILOT = { ...EVERYWHERE, ...COPILOT_RULES }

const copilot = tool(['.github/copilot-instructions.md', 'AGENTS.md'], {
  rules: [ruleFolder('.github/instructions', COPILOT)],
  home: [homeFolder('.copilot', ['copilot-instructions.md'], [ruleFolder('instructions', COPILOT)])],
  reach: 'touched',
})

/** At and above its working directory, OpenCode reads files of one name; below, the first name in each directory. */
const opencode = tool([['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md']], {
  oneName: true,
  home: [homeFolder('.', ['.config/opencode/AGENTS.md', '.claude/CLAUDE.md'])],
  reach: 'touched',
})

const KILO_DIRECTORIES = ['.kilo', '.kilocode']

/** Kilo reads the rules of all modes. */
const KILO_FOLDERS = ['', '-code', '-architect', '-ask', '-debug', '-orchestrator'].flatMap((mode) =>
  KILO_DIRECTORIES.map((folder) => `${folder}/rules${mode}`),
)

const CRUSH_NAMES = [
  ...['.github/copilot-instructions.md', '.cursorrules', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'],
  ...['CRUSH.md', 'CRUSH.local.md', 'AGENTS.md'],
]

const FLAT_RULES = { at: 'every-directory', nests: false } as const

/** The tools by the names of their profiles; `ambit` is the default. */
const TOOLS = {
  ambit,
  // One file for each directory, from the root down, cut at 32 KiB together. Touched files add none.
  codex: tool([CODEX], { home: [homeFolder('.codex', CODEX)], reach: 'ancestors', cap: 32 * 1024 }),
  // All existing files of `names` in each directory, rules by path, imports; AGENTS.md only without a CLAUDE file.
  claude: tool(['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'], {
    fallback: ['AGENTS.md', '.claude/AGENTS.md'],
    rules: [ruleFolder('.claude/rules', CLAUDE_RULES)],
    home: [homeFolder('.claude', ['CLAUDE.md'], [ruleFolder('rules', CLAUDE_RULES)])],
    imports: true,
    importDepth: 4,
    above: true,
    reach: 'touched',
  }),
  gemini: tool(['GEMINI.md'], { home: [homeFolder('.gemini', ['GEMINI.md'])], imports: 'words', reach: 'touched' }),
  cursor: tool(['AGENTS.md'], {
    rules: [ruleFolder('.cursor/rules', { ...EVERYWHERE, ...CURSOR_RULES })],
    reach: 'touched',
  }),
  copilot,
  // The working directory and the home directory, and no directory between.
  kodelet: tool([['AGENTS.md', 'KODELET.md']], {
    home: [homeFolder('.kodelet', ['AGENTS.md', 'KODELET.md'])],
    order: 'specific-first',
  }),
  // Copilot in a terminal also reads files of other tools.
  'copilot-cli': {
    ...copilot,
    names: [['.github/copilot-instructions.md'], ['AGENTS.md'], ['CLAUDE.md'], ['GEMINI.md']],
  },
  // Only AGENTS.md of the workspace of the working directory, unless an experiment is on.
  vscode: { ...copilot, reach: 'ancestors' },
  opencode,
  // A fork of OpenCode with additional rules.
  kilo: {
    ...opencode,
    rules: [
      ...KILO_FOLDERS.map((folder) => ruleFolder(folder, { nests: false, at: 'working-directory' })),
      ruleFolder('.kilocoderules', { suffix: '', nests: false, at: 'working-directory' }),
    ],
    home: [
      homeFolder('.', ['.config/kilo/AGENTS.md', '.claude/CLAUDE.md']),
      ...KILO_DIRECTORIES.map((folder) => homeFolder(folder, [], [ruleFolder('rules', FLAT_RULES)])),
    ],
  },
  cline: tool(['AGENTS.md', '.cursorrules', '.windsurfrules'], {
    rules: [ruleFolder('.clinerules', PATH_RULES), ruleFolder('.cline/rules', PATH_RULES)],
    home: [
      homeFolder('.agents', ['AGENTS.md']),
      homeFolder('.cline', [], [ruleFolder('rules', CLAUDE_RULES)]),
      homeFolder('Documents/Cline', [], [ruleFolder('Rules', CLAUDE_RULES)]),
    ],
  }),
  qwen: tool(['QWEN.md', 'AGENTS.md'], { home: [homeFolder('.qwen', ['QWEN.md'])], imports: true, reach: 'ancestors' }),
  crush: tool(CRUSH_NAMES, {
    rules: [ruleFolder('.cursor/rules', { suffix: '' })],
    home: [homeFolder('.config/crush', ['CRUSH.md']), homeFolder('.config', ['AGENTS.md'])],
  }),
  kiro: tool(['AGENTS.md'], {
    rules: [ruleFolder('.kiro/steering', KIRO_RULES)],
    home: [homeFolder('.kiro/steering', ['AGENTS.md'])],
    reach: 'touched',
  }),
  factory: tool(['AGENTS.md'], { home: [homeFolder('.factory', ['AGENTS.md'])], reach: 'ancestors' }),
  // Only files of the working directory. `.roorules` and `.clinerules` count only without rules in folders.
  roo: tool([['AGENTS.md', 'AGENT.md'], 'AGENTS.local.md'], {
    rules: [
      ...['.roo/rules-code', '.roo/rules'].map((folder) => ruleFolder(folder, { suffix: '' })),
      ...['.roorules', '.clinerules'].map((folder) => ruleFolder(folder, { suffix: '', alone: 'among-rules' })),
    ],
    home: [homeFolder('.roo', [], [ruleFolder('rules', { suffix: '', at: 'every-directory' })])],
  }),
  windsurf: tool(['AGENTS.md', '.windsurfrules'], {
    rules: ['.windsurf/rules', '.devin/rules'].map((one) => ruleFolder(one, { ...WINDSURF_RULES, ...EVERYWHERE })),
    home: [homeFolder('.codeium/windsurf/memories', ['global_rules.md'])],
    reach: 'touched',
  }),
  // The first existing file of a list, in the working directory, as for Junie.
  zed: tool([
    [
      ...['.rules', '.cursorrules', '.windsurfrules', '.clinerules', '.github/copilot-instructions.md'],
      ...['AGENT.md', 'AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
    ],
  ]),
  amp: tool([['AGENTS.md', 'AGENT.md', 'CLAUDE.md']], {
    home: [homeFolder('.config/amp', ['AGENTS.md']), homeFolder('.config', ['AGENTS.md'])],
    imports: true,
    reach: 'touched',
  }),
  junie: tool([['.junie/AGENTS.md', 'AGENTS.md', '.junie/guidelines.md']]),
  goose: tool(['AGENTS.md', '.goosehints'], {
    home: [{ folder: '.config/goose', names: [['AGENTS.md'], ['.goosehints']] }],
    imports: true,
    importDepth: 3,
    reach: 'touched',
  }),
  // Only files that its settings name.
  aider: tool([]),
} as const satisfies Readonly<Record<string, Tool>>

export type ProfileName = keyof typeof TOOLS

/** Names of the profiles, in the order of help. */
export const PROFILE_NAMES = Object.keys(TOOLS) as readonly ProfileName[]

export const PROFILES: readonly Profile[] = PROFILE_NAMES.map((name) => ({ name, ...TOOLS[name] }))

/** @throws ContextError `invalid-input` for an unknown name. */
export function findProfile(name: string): Profile {
  const found = PROFILES.find((profile) => profile.name === name)
  if (found) return found
  throw invalidInput(`There is no profile "${name}".`, `The profiles are ${PROFILE_NAMES.join(', ')}.`)
}

/** A profile that reads AGENTS.md files: the base of profiles that a person writes, and of the profile of `sync`. */
export const BASE_PROFILE = tool(['AGENTS.md'], { reach: 'touched' })

export const OWN_PROFILE = findProfile('ambit')

/** Every instruction file of every known tool in all directories, for checks. */
export const EVERY_TOOL: Profile = {
  ...ambit,
  name: 'every',
  names: [...INSTRUCTION_NAMES, ...OTHER_NAMES].map((name) => [name]),
  rules: rulePlaces('every-directory'),
}
