import { invalidInput } from '../core/errors.ts'
import { NAMES, OTHER_NAMES, rulePlaces } from './profiles/conventions.ts'
import { cline, copilot, cursor, junie, kiro, roo, vscode, windsurf, zed } from './profiles/editors.ts'
import type { Profile } from './profiles/profile.ts'

/**
 * What Ambit itself reads: the file names of several tools, the first in each directory; in a root without any, the first
 * of the other places; rules by path; and the user's own.
 */
const ambit: Profile = {
  name: 'ambit',
  names: [NAMES],
  scoping: { keys: ['paths', 'globs', 'applyTo'], bare: 'anywhere', always: true },
  home: [
    { folder: '.ambit', names: [['AGENTS.md', 'KODELET.md', 'CLAUDE.md']] },
    { folder: '.kodelet', names: [['AGENTS.md', 'KODELET.md', 'CLAUDE.md']] },
  ],
  rules: rulePlaces('root'),
  imports: true,
  pointers: true,
  reach: 'touched',
  order: 'specific-first',
}

/** One file a directory, root first, cut at 32 KiB together; nothing is found by touching files. */
const codex: Profile = {
  name: 'codex',
  names: [['AGENTS.override.md', 'AGENTS.md']],
  home: [{ folder: '.codex', names: [['AGENTS.override.md', 'AGENTS.md']] }],
  imports: false,
  reach: 'ancestors',
  order: 'general-first',
  cap: 32 * 1024,
}

/** `*.md` stands for files right in the directory, and no other key counts. */
const CLAUDE_RULES = {
  suffix: '.md',
  at: 'every-directory',
  keys: ['paths'],
  bare: 'here',
  unscoped: 'always',
} as const

/** All its files in each directory, rules by path, imports; AGENTS.md only where no CLAUDE file is at hand. */
const claude: Profile = {
  name: 'claude',
  names: [['CLAUDE.md'], ['.claude/CLAUDE.md'], ['CLAUDE.local.md']],
  fallback: ['AGENTS.md', '.claude/AGENTS.md'],
  rules: [{ folder: '.claude/rules', ...CLAUDE_RULES }],
  home: [{ folder: '.claude', names: [['CLAUDE.md']], rules: [{ folder: 'rules', ...CLAUDE_RULES }] }],
  imports: true,
  importDepth: 4,
  above: true,
  reach: 'touched',
  order: 'general-first',
}

const gemini: Profile = {
  name: 'gemini',
  names: [['GEMINI.md']],
  home: [{ folder: '.gemini', names: [['GEMINI.md']] }],
  imports: true,
  reach: 'touched',
  order: 'general-first',
}

/** As it runs in a terminal: also what was written for others. */
const copilotCli: Profile = {
  ...copilot,
  name: 'copilot-cli',
  names: [['.github/copilot-instructions.md'], ['AGENTS.md'], ['CLAUDE.md'], ['GEMINI.md']],
}

/** One of its names at and above the working directory; the first in each directory below when a file there is read. */
const opencode: Profile = {
  name: 'opencode',
  names: [['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md']],
  oneName: true,
  home: [{ folder: '.', names: [['.config/opencode/AGENTS.md', '.claude/CLAUDE.md']] }],
  imports: false,
  reach: 'touched',
  order: 'general-first',
}

const KILO_RULES = { suffix: '.md', nests: false, keys: [], bare: 'here', unscoped: 'always' } as const

/** Kilo reads the rules of all modes, whichever is on. */
const KILO_FOLDERS = ['', '-code', '-architect', '-ask', '-debug', '-orchestrator'].flatMap((mode) =>
  ['.kilo', '.kilocode'].map((folder) => `${folder}/rules${mode}`),
)

/** Made from OpenCode, with rules of its own beside. */
const kilo: Profile = {
  ...opencode,
  name: 'kilo',
  rules: [
    ...KILO_FOLDERS.map((folder) => ({ ...KILO_RULES, folder, at: 'working-directory' as const })),
    { ...KILO_RULES, folder: '.kilocoderules', suffix: '', at: 'working-directory' },
  ],
  home: [
    { folder: '.', names: [['.config/kilo/AGENTS.md', '.claude/CLAUDE.md']] },
    ...['.kilo', '.kilocode'].map((folder) => ({
      folder,
      names: [],
      rules: [{ ...KILO_RULES, folder: 'rules', at: 'every-directory' as const }],
    })),
  ],
}

const qwen: Profile = {
  name: 'qwen',
  names: [['QWEN.md'], ['AGENTS.md']],
  home: [{ folder: '.qwen', names: [['QWEN.md']] }],
  imports: true,
  reach: 'ancestors',
  order: 'general-first',
}

const crush: Profile = {
  name: 'crush',
  names: [
    ['.github/copilot-instructions.md'],
    ['.cursorrules'],
    ['CLAUDE.md'],
    ['CLAUDE.local.md'],
    ['GEMINI.md'],
    ['CRUSH.md'],
    ['CRUSH.local.md'],
    ['AGENTS.md'],
  ],
  rules: [{ folder: '.cursor/rules', suffix: '', at: 'root', keys: [], bare: 'here', unscoped: 'always' }],
  home: [
    { folder: '.config/crush', names: [['CRUSH.md']] },
    { folder: '.config', names: [['AGENTS.md']] },
  ],
  imports: false,
  reach: 'working-directory',
  order: 'general-first',
}

const factory: Profile = {
  name: 'factory',
  names: [['AGENTS.md']],
  home: [{ folder: '.factory', names: [['AGENTS.md']] }],
  imports: false,
  reach: 'ancestors',
  order: 'general-first',
}

const amp: Profile = {
  name: 'amp',
  names: [['AGENTS.md', 'AGENT.md', 'CLAUDE.md']],
  home: [
    { folder: '.config/amp', names: [['AGENTS.md']] },
    { folder: '.config', names: [['AGENTS.md']] },
  ],
  imports: true,
  reach: 'touched',
  order: 'general-first',
}

const goose: Profile = {
  name: 'goose',
  names: [['AGENTS.md'], ['.goosehints']],
  home: [{ folder: '.config/goose', names: [['AGENTS.md'], ['.goosehints']] }],
  imports: true,
  importDepth: 3,
  reach: 'touched',
  order: 'general-first',
}

/** What its settings name, and nothing else. */
const aider: Profile = {
  name: 'aider',
  names: [],
  home: [],
  imports: false,
  reach: 'working-directory',
  order: 'general-first',
}

/** The working directory and the home directory, nothing between. */
const kodelet: Profile = {
  name: 'kodelet',
  names: [['AGENTS.md', 'KODELET.md']],
  home: [{ folder: '.kodelet', names: [['AGENTS.md', 'KODELET.md']] }],
  imports: false,
  reach: 'working-directory',
  order: 'specific-first',
}

/** The profiles by name; `ambit` is the default. */
export const PROFILES: readonly Profile[] = [
  ambit,
  codex,
  claude,
  gemini,
  cursor,
  copilot,
  kodelet,
  copilotCli,
  vscode,
  opencode,
  kilo,
  cline,
  qwen,
  crush,
  kiro,
  factory,
  roo,
  windsurf,
  zed,
  amp,
  junie,
  goose,
  aider,
]

/**
 * The profile of that name.
 *
 * @throws ContextError `invalid-input` when there is none.
 */
export function profileNamed(name: string): Profile {
  const found = PROFILES.find((profile) => profile.name === name)
  if (found) return found
  const hint = `Known are ${PROFILES.map((profile) => profile.name).join(', ')}.`
  throw invalidInput(`There is no profile "${name}".`, hint)
}

/** The default profile. */
export const AMBIT = ambit

/** Every instruction file of every tool that is known, wherever it is: what there is to check, not what applies. */
export const EVERY: Profile = {
  ...ambit,
  name: 'every',
  names: [...NAMES, ...OTHER_NAMES].map((name) => [name]),
  rules: rulePlaces('every-directory'),
}
