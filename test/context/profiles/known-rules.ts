import type { Shape } from '../../support/tree.ts'

/** One thing that is known of how a tool finds instruction files, as a tree in which it shows. */
export interface KnownRule {
  readonly rule: string
  readonly shape: Shape
  /** The working directory. Default: the root. */
  readonly cwd?: string
  readonly touched?: readonly string[]
  /** All that the tool shows, sorted. */
  readonly sees: readonly string[]
}

const FILES = { 'AGENTS.md': 'a', 'CLAUDE.md': 'c', 'GEMINI.md': 'g', 'QWEN.md': 'q' }
const NESTED = { 'a/AGENTS.md': 'a', 'a/CLAUDE.md': 'c', 'a/GEMINI.md': 'g', 'a/x.ts': '' }
const TREE = { ...FILES, ...NESTED }
const IGNORED = { '.gitignore': '*.md\n' }
const rule = (front: string) => `---\n${front}\n---\ntext`

/** By profile. From the tools' documentation and sources, and from their recorded requests where these differ. */
export const KNOWN_RULES: Readonly<Record<string, readonly KnownRule[]>> = {
  claude: [
    { rule: 'CLAUDE.md of the root', shape: FILES, sees: ['CLAUDE.md'] },
    { rule: 'above the working directory', shape: TREE, cwd: 'a', sees: ['CLAUDE.md', 'a/CLAUDE.md'] },
    { rule: 'nested with a touched file', shape: TREE, touched: ['a/x.ts'], sees: ['CLAUDE.md', 'a/CLAUDE.md'] },
    { rule: 'AGENTS.md where the root has no CLAUDE.md', shape: { 'AGENTS.md': 'a' }, sees: ['AGENTS.md'] },
    {
      rule: 'nested AGENTS.md where there is no CLAUDE.md',
      shape: { 'AGENTS.md': 'a', 'a/AGENTS.md': 'b', 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['AGENTS.md', 'a/AGENTS.md'],
    },
    {
      rule: 'no nested AGENTS.md beside a root CLAUDE.md',
      shape: { 'CLAUDE.md': 'c', 'a/AGENTS.md': 'b', 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['CLAUDE.md'],
    },
    { rule: 'imports', shape: { 'CLAUDE.md': '@AGENTS.md', 'AGENTS.md': 'a' }, sees: ['AGENTS.md', 'CLAUDE.md'] },
    {
      rule: 'CLAUDE.local.md and .claude/CLAUDE.md',
      shape: { 'CLAUDE.local.md': 'l', '.claude/CLAUDE.md': 'c' },
      sees: ['.claude/CLAUDE.md', 'CLAUDE.local.md'],
    },
    { rule: 'rules for all paths', shape: { '.claude/rules/x.md': 'r' }, sees: ['.claude/rules/x.md'] },
    { rule: 'rules for other paths', shape: { '.claude/rules/x.md': rule('paths: "*.py"') }, sees: [] },
    {
      rule: 'rules for a touched path',
      shape: { '.claude/rules/x.md': rule('paths: "**/*.ts"'), 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['.claude/rules/x.md'],
    },
    { rule: "the user's own", shape: { '~/.claude/CLAUDE.md': 'u' }, sees: ['~/.claude/CLAUDE.md'] },
    {
      rule: 'claudeMdExcludes',
      shape: { ...TREE, '.claude/settings.json': '{"claudeMdExcludes":["**/a/CLAUDE.md"]}' },
      touched: ['a/x.ts'],
      sees: ['CLAUDE.md'],
    },
    { rule: 'files that git ignores', shape: { ...FILES, ...IGNORED }, sees: ['CLAUDE.md'] },
  ],
  codex: [
    { rule: 'AGENTS.md', shape: FILES, sees: ['AGENTS.md'] },
    { rule: 'from the root to the working directory', shape: TREE, cwd: 'a', sees: ['AGENTS.md', 'a/AGENTS.md'] },
    { rule: 'nothing by touched files', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md'] },
    {
      rule: 'AGENTS.override.md instead',
      shape: { ...FILES, 'AGENTS.override.md': 'o' },
      sees: ['AGENTS.override.md'],
    },
    { rule: "the user's own", shape: { '~/.codex/AGENTS.md': 'u' }, sees: ['~/.codex/AGENTS.md'] },
    { rule: 'no imports', shape: { 'AGENTS.md': '@CLAUDE.md', 'CLAUDE.md': 'c' }, sees: ['AGENTS.md'] },
    {
      rule: 'fallback names',
      shape: { 'CLAUDE.md': 'c', '~/.codex/config.toml': 'project_doc_fallback_filenames = ["CLAUDE.md"]\n' },
      sees: ['CLAUDE.md'],
    },
    {
      rule: 'the cap, root first',
      shape: { ...TREE, 'AGENTS.md': 'x'.repeat(40_000) },
      cwd: 'a',
      sees: ['AGENTS.md'],
    },
    {
      rule: 'project_doc_max_bytes = 0 turns it off',
      shape: { ...FILES, '~/.codex/config.toml': 'project_doc_max_bytes = 0\n' },
      sees: [],
    },
    {
      rule: 'project_root_markers',
      shape: { ...TREE, 'a/b.toml': '', '~/.codex/config.toml': 'project_root_markers = ["b.toml"]\n' },
      cwd: 'a',
      sees: ['AGENTS.md'],
    },
    { rule: 'files that git ignores', shape: { ...FILES, ...IGNORED }, sees: ['AGENTS.md'] },
  ],
  gemini: [
    { rule: 'GEMINI.md', shape: FILES, sees: ['GEMINI.md'] },
    { rule: 'above the working directory', shape: TREE, cwd: 'a', sees: ['GEMINI.md', 'a/GEMINI.md'] },
    { rule: 'nested with a touched file', shape: TREE, touched: ['a/x.ts'], sees: ['GEMINI.md', 'a/GEMINI.md'] },
    { rule: 'imports', shape: { 'GEMINI.md': '@AGENTS.md', 'AGENTS.md': 'a' }, sees: ['AGENTS.md', 'GEMINI.md'] },
    { rule: "the user's own", shape: { '~/.gemini/GEMINI.md': 'u' }, sees: ['~/.gemini/GEMINI.md'] },
    {
      rule: 'context.fileName, all of them',
      shape: { ...FILES, '.gemini/settings.json': '{"context":{"fileName":["AGENTS.md","GEMINI.md"]}}' },
      sees: ['AGENTS.md', 'GEMINI.md'],
    },
    {
      rule: 'no front matter',
      shape: { 'GEMINI.md': rule('paths: "*.py"') },
      sees: ['GEMINI.md'],
    },
    { rule: 'files that git ignores', shape: { ...FILES, ...IGNORED }, sees: ['GEMINI.md'] },
  ],
  qwen: [
    { rule: 'QWEN.md and AGENTS.md', shape: FILES, sees: ['AGENTS.md', 'QWEN.md'] },
    { rule: 'nothing by touched files', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md', 'QWEN.md'] },
    { rule: "the user's own", shape: { '~/.qwen/QWEN.md': 'u' }, sees: ['~/.qwen/QWEN.md'] },
    {
      rule: 'context.fileName',
      shape: { ...FILES, '.qwen/settings.json': '{"context":{"fileName":"CLAUDE.md"}}' },
      sees: ['CLAUDE.md'],
    },
  ],
  copilot: [
    {
      rule: 'copilot-instructions.md and AGENTS.md',
      shape: { ...FILES, '.github/copilot-instructions.md': 'c' },
      sees: ['.github/copilot-instructions.md', 'AGENTS.md'],
    },
    { rule: 'nested AGENTS.md', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md', 'a/AGENTS.md'] },
    {
      rule: 'instructions by applyTo',
      shape: { '.github/instructions/x.instructions.md': rule('applyTo: "**/*.ts"'), 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['.github/instructions/x.instructions.md'],
    },
    { rule: 'none without applyTo', shape: { '.github/instructions/x.instructions.md': 'x' }, sees: [] },
    {
      rule: "the user's own",
      shape: { '~/.copilot/copilot-instructions.md': 'u' },
      sees: ['~/.copilot/copilot-instructions.md'],
    },
  ],
  'copilot-cli': [
    { rule: 'AGENTS.md, CLAUDE.md and GEMINI.md', shape: FILES, sees: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] },
    {
      rule: 'all of the directory of a touched file',
      shape: NESTED,
      touched: ['a/x.ts'],
      sees: ['a/AGENTS.md', 'a/CLAUDE.md', 'a/GEMINI.md'],
    },
  ],
  vscode: [
    {
      rule: 'copilot-instructions.md and AGENTS.md',
      shape: { ...FILES, '.github/copilot-instructions.md': 'c' },
      sees: ['.github/copilot-instructions.md', 'AGENTS.md'],
    },
    { rule: 'no nested AGENTS.md', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md'] },
    {
      rule: 'chat.useNestedAgentsMdFiles',
      shape: { ...TREE, '.vscode/settings.json': '{ // mine\n "chat.useNestedAgentsMdFiles": true }' },
      touched: ['a/x.ts'],
      sees: ['AGENTS.md', 'a/AGENTS.md'],
    },
    {
      rule: 'chat.useAgentsMdFile: false',
      shape: { ...FILES, '.vscode/settings.json': '{"chat.useAgentsMdFile":false}' },
      sees: [],
    },
    {
      rule: 'chat.useClaudeMdFile',
      shape: { ...FILES, '.vscode/settings.json': '{"chat.useClaudeMdFile":true}' },
      sees: ['AGENTS.md', 'CLAUDE.md'],
    },
    {
      rule: 'chat.instructionsFilesLocations',
      shape: {
        'rules/x.instructions.md': rule('applyTo: "**"'),
        'x.ts': '',
        '.vscode/settings.json': '{"chat.instructionsFilesLocations":{"rules":true}}',
      },
      touched: ['x.ts'],
      sees: ['rules/x.instructions.md'],
    },
  ],
  cursor: [
    { rule: 'AGENTS.md', shape: FILES, sees: ['AGENTS.md'] },
    { rule: 'nested AGENTS.md', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md', 'a/AGENTS.md'] },
    {
      rule: 'alwaysApply',
      shape: { '.cursor/rules/x.mdc': rule('alwaysApply: true') },
      sees: ['.cursor/rules/x.mdc'],
    },
    {
      rule: 'globs',
      shape: { '.cursor/rules/x.mdc': rule('globs: "*.ts"'), 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['.cursor/rules/x.mdc'],
    },
    {
      rule: 'a rule with a description alone waits',
      shape: { '.cursor/rules/x.mdc': rule('description: x') },
      sees: [],
    },
    { rule: 'plain .md is ignored', shape: { '.cursor/rules/x.md': 'x' }, sees: [] },
  ],
  opencode: [
    { rule: 'the first of AGENTS.md, CLAUDE.md', shape: FILES, sees: ['AGENTS.md'] },
    { rule: 'CLAUDE.md where it is alone', shape: { 'CLAUDE.md': 'c' }, sees: ['CLAUDE.md'] },
    { rule: 'nested on a read', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md', 'a/AGENTS.md'] },
    {
      rule: "the user's own",
      shape: { '~/.config/opencode/AGENTS.md': 'u' },
      sees: ['~/.config/opencode/AGENTS.md'],
    },
    {
      rule: 'instructions: files and globs',
      shape: {
        'docs/a.md': 'a',
        'rules/b.md': 'b',
        'opencode.json': '{"instructions":["docs/a.md","rules/*.md","https://example.com/x.md"]}',
      },
      sees: ['docs/a.md', 'rules/b.md'],
    },
  ],
  cline: [
    {
      rule: '.clinerules, .cursorrules, .windsurfrules, AGENTS.md',
      shape: { ...FILES, '.clinerules/x.md': 'x', '.cursorrules': 'c', '.windsurfrules': 'w' },
      sees: ['.clinerules/x.md', '.cursorrules', '.windsurfrules', 'AGENTS.md'],
    },
    { rule: 'nothing nested', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md'] },
    {
      rule: 'paths of a rule',
      shape: { '.clinerules/x.md': rule('paths: ["**/*.ts"]'), 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['.clinerules/x.md'],
    },
    { rule: "the user's own", shape: { '~/.agents/AGENTS.md': 'u' }, sees: ['~/.agents/AGENTS.md'] },
  ],
  roo: [
    { rule: 'AGENTS.md', shape: FILES, sees: ['AGENTS.md'] },
    { rule: 'AGENT.md where it is alone', shape: { 'AGENT.md': 'a' }, sees: ['AGENT.md'] },
    {
      rule: 'AGENTS.local.md, too',
      shape: { 'AGENTS.md': 'a', 'AGENTS.local.md': 'l' },
      sees: ['AGENTS.local.md', 'AGENTS.md'],
    },
    {
      rule: 'all files of .roo/rules and of the mode',
      shape: { '.roo/rules/x.md': 'x', '.roo/rules/b/y.txt': 'y', '.roo/rules-code/z.md': 'z' },
      sees: ['.roo/rules-code/z.md', '.roo/rules/b/y.txt', '.roo/rules/x.md'],
    },
    { rule: 'not of other modes', shape: { '.roo/rules-architect/z.md': 'z' }, sees: [] },
    {
      rule: 'the old files where .roo/rules is empty, the first of them',
      shape: { 'AGENTS.md': 'a', '.roorules': 'r', '.clinerules': 'c' },
      sees: ['.roorules', 'AGENTS.md'],
    },
    { rule: 'else not', shape: { '.roo/rules/x.md': 'x', '.roorules': 'r' }, sees: ['.roo/rules/x.md'] },
    { rule: 'nothing nested', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md'] },
    { rule: "the user's own", shape: { '~/.roo/rules/x.md': 'u' }, sees: ['~/.roo/rules/x.md'] },
  ],
  windsurf: [
    {
      rule: 'AGENTS.md, nested ones with a touched file',
      shape: TREE,
      touched: ['a/x.ts'],
      sees: ['AGENTS.md', 'a/AGENTS.md'],
    },
    {
      rule: 'always_on',
      shape: { '.windsurf/rules/x.md': rule('trigger: always_on') },
      sees: ['.windsurf/rules/x.md'],
    },
    {
      rule: 'glob',
      shape: { '.windsurf/rules/x.md': rule('trigger: glob\nglobs: "*.ts"'), 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['.windsurf/rules/x.md'],
    },
    {
      rule: 'manual and model_decision wait',
      shape: {
        '.windsurf/rules/x.md': rule('trigger: manual'),
        '.devin/rules/y.md': rule('trigger: model_decision'),
      },
      sees: [],
    },
    { rule: '.devin/rules', shape: { '.devin/rules/y.md': rule('trigger: always_on') }, sees: ['.devin/rules/y.md'] },
    { rule: '.windsurfrules', shape: { '.windsurfrules': 'w' }, sees: ['.windsurfrules'] },
  ],
  kiro: [
    { rule: 'AGENTS.md anywhere', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md', 'a/AGENTS.md'] },
    { rule: 'steering', shape: { '.kiro/steering/x.md': 'x' }, sees: ['.kiro/steering/x.md'] },
    {
      rule: 'fileMatch',
      shape: { '.kiro/steering/x.md': rule('inclusion: fileMatch\nfileMatchPattern: "**/*.ts"'), 'a/x.ts': '' },
      touched: ['a/x.ts'],
      sees: ['.kiro/steering/x.md'],
    },
    {
      rule: 'fileMatch of other files',
      shape: { '.kiro/steering/x.md': rule('inclusion: fileMatch\nfileMatchPattern: "**/*.ts"') },
      sees: [],
    },
    { rule: 'manual waits', shape: { '.kiro/steering/x.md': rule('inclusion: manual') }, sees: [] },
  ],
  zed: [
    { rule: 'the first of its list', shape: { ...FILES, '.rules': 'r', '.cursorrules': 'c' }, sees: ['.rules'] },
    { rule: 'AGENT.md before AGENTS.md', shape: { ...FILES, 'AGENT.md': 'a' }, sees: ['AGENT.md'] },
    { rule: 'AGENTS.md before CLAUDE.md', shape: FILES, sees: ['AGENTS.md'] },
    {
      rule: 'copilot-instructions.md before AGENTS.md',
      shape: { ...FILES, '.github/copilot-instructions.md': 'c' },
      sees: ['.github/copilot-instructions.md'],
    },
    { rule: 'nothing nested', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md'] },
  ],
  amp: [
    { rule: 'AGENTS.md of parents', shape: TREE, cwd: 'a', sees: ['AGENTS.md', 'a/AGENTS.md'] },
    {
      rule: 'of the subtree with a touched file',
      shape: TREE,
      touched: ['a/x.ts'],
      sees: ['AGENTS.md', 'a/AGENTS.md'],
    },
    { rule: "the user's own", shape: { '~/.config/amp/AGENTS.md': 'u' }, sees: ['~/.config/amp/AGENTS.md'] },
  ],
  junie: [
    {
      rule: '.junie/AGENTS.md first',
      shape: { 'AGENTS.md': 'a', '.junie/AGENTS.md': 'j' },
      sees: ['.junie/AGENTS.md'],
    },
    { rule: 'then AGENTS.md', shape: { 'AGENTS.md': 'a', '.junie/guidelines.md': 'j' }, sees: ['AGENTS.md'] },
    { rule: 'then guidelines.md', shape: { '.junie/guidelines.md': 'j' }, sees: ['.junie/guidelines.md'] },
    { rule: 'nothing nested', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md'] },
  ],
  goose: [
    { rule: 'AGENTS.md and .goosehints', shape: { ...FILES, '.goosehints': 'g' }, sees: ['.goosehints', 'AGENTS.md'] },
    { rule: 'from the root to the working directory', shape: TREE, cwd: 'a', sees: ['AGENTS.md', 'a/AGENTS.md'] },
    { rule: 'of touched directories', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md', 'a/AGENTS.md'] },
    {
      rule: 'CONTEXT_FILE_NAMES',
      shape: { ...FILES, '~/.config/goose/config.yaml': 'CONTEXT_FILE_NAMES: ["CLAUDE.md"]\n' },
      sees: ['CLAUDE.md'],
    },
  ],
  crush: [
    {
      rule: 'its names',
      shape: { ...FILES, 'CRUSH.md': 'c', '.cursorrules': 'r' },
      sees: ['.cursorrules', 'AGENTS.md', 'CLAUDE.md', 'CRUSH.md', 'GEMINI.md'],
    },
    {
      rule: 'options.context_paths',
      shape: { 'docs/x.md': 'x', 'crush.json': '{"options":{"context_paths":["docs/x.md"]}}' },
      sees: ['docs/x.md'],
    },
  ],
  factory: [
    { rule: 'AGENTS.md above the working directory', shape: TREE, cwd: 'a', sees: ['AGENTS.md', 'a/AGENTS.md'] },
    { rule: "the user's own", shape: { '~/.factory/AGENTS.md': 'u' }, sees: ['~/.factory/AGENTS.md'] },
  ],
  aider: [
    { rule: 'nothing by itself', shape: FILES, sees: [] },
    {
      rule: 'what read names: a file',
      shape: { 'CONVENTIONS.md': 'c', '.aider.conf.yml': 'read: CONVENTIONS.md\n' },
      sees: ['CONVENTIONS.md'],
    },
    {
      rule: 'several, a line each',
      shape: { ...FILES, '.aider.conf.yml': '# mine\nread:\n  - AGENTS.md # ours\n  - "CLAUDE.md"\n' },
      sees: ['AGENTS.md', 'CLAUDE.md'],
    },
    {
      rule: 'several, in brackets',
      shape: { ...FILES, '.aider.conf.yml': 'read: [AGENTS.md, CLAUDE.md]\n' },
      sees: ['AGENTS.md', 'CLAUDE.md'],
    },
  ],
  kodelet: [
    { rule: 'the first of its names, of the working directory', shape: TREE, cwd: 'a', sees: ['a/AGENTS.md'] },
    { rule: 'nothing nested', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md'] },
    {
      rule: 'context.patterns',
      shape: { ...FILES, 'kodelet-config.yaml': 'context:\n  patterns:\n    - CLAUDE.md\n    - AGENTS.md\n' },
      sees: ['CLAUDE.md'],
    },
  ],
}
