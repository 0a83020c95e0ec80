import { KIRO_RULES, WINDSURF_RULES } from './conventions.ts'
import type { Profile } from './profile.ts'

/** A rule without globs applies only when it says so: `alwaysApply: true`. */
export const cursor: Profile = {
  name: 'cursor',
  names: [['AGENTS.md']],
  rules: [
    {
      folder: '.cursor/rules',
      suffix: '.mdc',
      at: 'every-directory',
      keys: ['globs'],
      bare: 'anywhere',
      always: true,
      unscoped: 'never',
    },
  ],
  home: [],
  imports: false,
  reach: 'touched',
  order: 'general-first',
}

const COPILOT_RULES = {
  suffix: '.instructions.md',
  at: 'every-directory',
  keys: ['applyTo'],
  bare: 'here',
  unscoped: 'never',
} as const

export const copilot: Profile = {
  name: 'copilot',
  names: [['.github/copilot-instructions.md'], ['AGENTS.md']],
  rules: [{ folder: '.github/instructions', ...COPILOT_RULES }],
  home: [
    {
      folder: '.copilot',
      names: [['copilot-instructions.md']],
      rules: [{ folder: 'instructions', ...COPILOT_RULES }],
    },
  ],
  imports: false,
  reach: 'touched',
  order: 'general-first',
}

/** AGENTS.md of the working directory's workspace alone, unless an experiment is on. */
export const vscode: Profile = { ...copilot, name: 'vscode', reach: 'ancestors' }

const CLINE_RULES = { suffix: '.md', at: 'root', keys: ['paths'], bare: 'here', unscoped: 'always' } as const

export const cline: Profile = {
  name: 'cline',
  names: [['AGENTS.md'], ['.cursorrules'], ['.windsurfrules']],
  rules: [
    { folder: '.clinerules', ...CLINE_RULES },
    { folder: '.cline/rules', ...CLINE_RULES },
  ],
  home: [
    { folder: '.agents', names: [['AGENTS.md']] },
    { folder: '.cline', names: [], rules: [{ folder: 'rules', ...CLINE_RULES, at: 'every-directory' }] },
    { folder: 'Documents/Cline', names: [], rules: [{ folder: 'Rules', ...CLINE_RULES, at: 'every-directory' }] },
  ],
  imports: false,
  reach: 'working-directory',
  order: 'general-first',
}

export const kiro: Profile = {
  name: 'kiro',
  names: [['AGENTS.md']],
  rules: [{ folder: '.kiro/steering', at: 'root', ...KIRO_RULES }],
  home: [{ folder: '.kiro/steering', names: [['AGENTS.md']] }],
  imports: false,
  reach: 'touched',
  order: 'general-first',
}

const ROO_RULES = { suffix: '', keys: [], bare: 'here', unscoped: 'always' } as const

/** Only the working directory's; its old files count where no folder of rules gives any. */
export const roo: Profile = {
  name: 'roo',
  names: [['AGENTS.md', 'AGENT.md'], ['AGENTS.local.md']],
  rules: [
    { folder: '.roo/rules-code', at: 'root', ...ROO_RULES },
    { folder: '.roo/rules', at: 'root', ...ROO_RULES },
    { folder: '.roorules', at: 'root', alone: 'among-rules', ...ROO_RULES },
    { folder: '.clinerules', at: 'root', alone: 'among-rules', ...ROO_RULES },
  ],
  home: [{ folder: '.roo', names: [], rules: [{ folder: 'rules', at: 'every-directory', ...ROO_RULES }] }],
  imports: false,
  reach: 'working-directory',
  order: 'general-first',
}

export const windsurf: Profile = {
  name: 'windsurf',
  names: [['AGENTS.md'], ['.windsurfrules']],
  rules: [
    { folder: '.windsurf/rules', at: 'every-directory', ...WINDSURF_RULES },
    { folder: '.devin/rules', at: 'every-directory', ...WINDSURF_RULES },
  ],
  home: [{ folder: '.codeium/windsurf/memories', names: [['global_rules.md']] }],
  imports: false,
  reach: 'touched',
  order: 'general-first',
}

/** One file of the working directory, the first of a list. */
export const zed: Profile = {
  name: 'zed',
  names: [
    [
      '.rules',
      '.cursorrules',
      '.windsurfrules',
      '.clinerules',
      '.github/copilot-instructions.md',
      'AGENT.md',
      'AGENTS.md',
      'CLAUDE.md',
      'GEMINI.md',
    ],
  ],
  home: [],
  imports: false,
  reach: 'working-directory',
  order: 'general-first',
}

/** One file of the working directory, the first of a list. */
export const junie: Profile = {
  name: 'junie',
  names: [['.junie/AGENTS.md', 'AGENTS.md', '.junie/guidelines.md']],
  home: [],
  imports: false,
  reach: 'working-directory',
  order: 'general-first',
}
