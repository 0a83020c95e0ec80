import type { RuleFolder, Scoping } from './profile.ts'

/** Files of instructions that tools look for in any directory, the most common first. */
export const NAMES = ['AGENTS.md', 'KODELET.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md'] as const

/** Files beside one of `NAMES` that say more, or something else to one tool. */
export const OTHER_NAMES = ['AGENTS.override.md', 'CLAUDE.local.md', 'GEMINI.local.md', 'CRUSH.md', 'WARP.md'] as const

/** Files of instructions with a place of their own. */
const FILES = [
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

const HERE: Scoping = { keys: ['paths'], bare: 'here' }
const ANYWHERE: Scoping = { keys: ['globs'], bare: 'anywhere', always: true }

/** Rules of Windsurf, which is Devin Desktop now. */
export const WINDSURF_RULES: Pick<RuleFolder, 'suffix' | 'unscoped'> & Scoping = {
  suffix: '.md',
  keys: ['globs'],
  bare: 'anywhere',
  unscoped: 'always',
  modes: { key: 'trigger', always: ['always_on'], never: ['manual', 'model_decision'] },
}

/** Steering files of Kiro. */
export const KIRO_RULES: Pick<RuleFolder, 'suffix' | 'unscoped'> & Scoping = {
  suffix: '.md',
  keys: ['fileMatchPattern'],
  bare: 'anywhere',
  unscoped: 'always',
  modes: { key: 'inclusion', always: ['always'], never: ['manual', 'auto'] },
}

type Place = Pick<RuleFolder, 'folder' | 'suffix' | 'unscoped'> & Scoping

const FOLDERS: readonly Place[] = [
  { folder: '.clinerules', suffix: '.md', unscoped: 'always', ...HERE },
  { folder: '.claude/rules', suffix: '.md', unscoped: 'always', ...HERE },
  { folder: '.cursor/rules', suffix: '.mdc', unscoped: 'never', ...ANYWHERE },
  { folder: '.github/instructions', suffix: '.instructions.md', unscoped: 'never', keys: ['applyTo'], bare: 'here' },
  { folder: '.windsurf/rules', ...WINDSURF_RULES },
  { folder: '.devin/rules', ...WINDSURF_RULES },
  { folder: '.roo/rules', suffix: '.md', unscoped: 'always', ...HERE },
  { folder: '.kilo/rules', suffix: '.md', unscoped: 'always', ...HERE },
  { folder: '.kilocode/rules', suffix: '.md', unscoped: 'always', ...HERE },
  { folder: '.kiro/steering', ...KIRO_RULES },
]

/** All other places of instructions that are known, as folders of rules. */
export function rulePlaces(at: RuleFolder['at']): RuleFolder[] {
  const files = FILES.map((folder): Place => ({ folder, suffix: '', unscoped: 'always', ...HERE }))
  return [...files, ...FOLDERS].map((place) => ({ ...place, at, alone: at === 'root' }))
}
