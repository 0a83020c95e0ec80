import { diffProfiles } from '../../../src/context/diff.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Shape } from '../../support/tree.ts'
import { type Project, project } from '../../support/workspace.ts'

/** Stands for the folder of Claude Code's notes on the project, seen from the home directory; `$ROOT` for the root. */
const NOTES = '.claude/projects/ROOT/memory'

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
const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code'
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
    {
      rule: "the organization's CLAUDE.md",
      shape: { ...FILES, [`${MANAGED}/CLAUDE.md`]: 'o' },
      sees: [`${MANAGED}/CLAUDE.md`, 'CLAUDE.md'],
    },
    {
      rule: "the organization's rules",
      shape: { [`${MANAGED}/.claude/rules/x.md`]: 'x' },
      sees: [`${MANAGED}/.claude/rules/x.md`],
    },
    {
      rule: 'claudeMd of its settings',
      shape: { ...FILES, [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Lint first."}' },
      sees: [`${MANAGED}/managed-settings.json`, 'CLAUDE.md'],
    },
    {
      rule: 'claudeMd of the last part of its settings',
      shape: {
        [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Lint first."}',
        [`${MANAGED}/managed-settings.d/10-a.json`]: '{"claudeMd":"Test first."}',
        [`${MANAGED}/managed-settings.d/20-b.json`]: '{}',
      },
      sees: [`${MANAGED}/managed-settings.d/10-a.json`],
    },
    {
      rule: 'what the server of the organization sent, in place of its files',
      shape: {
        ...FILES,
        '~/.claude/remote-settings.json': '{"claudeMd":"Lint first."}',
        [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Test first.","claudeMdExcludes":["**/CLAUDE.md"]}',
      },
      sees: ['CLAUDE.md', '~/.claude/remote-settings.json'],
    },
    {
      rule: 'its files where the server sent nothing',
      shape: {
        '~/.claude/remote-settings.json': '{}',
        [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Test first."}',
      },
      sees: [`${MANAGED}/managed-settings.json`],
    },
    {
      rule: 'no claudeMd of other settings',
      shape: { ...FILES, '.claude/settings.json': '{"claudeMd":"x"}', '~/.claude/settings.json': '{"claudeMd":"x"}' },
      sees: ['CLAUDE.md'],
    },
    {
      rule: 'claudeMdExcludes of the organization, and of the user',
      shape: {
        ...TREE,
        [`${MANAGED}/managed-settings.json`]: '{"claudeMdExcludes":["**/a/CLAUDE.md"]}',
        '~/.claude/settings.json': '{"claudeMdExcludes":["**/CLAUDE.local.md"]}',
        'CLAUDE.local.md': 'l',
      },
      touched: ['a/x.ts'],
      sees: ['CLAUDE.md'],
    },
    {
      rule: 'claudeMdExcludes by absolute paths, of folders above and of the root itself',
      shape: {
        ...TREE,
        'a/.claude/rules/x.md': 'x',
        '.claude/settings.local.json': '{"claudeMdExcludes":["$ROOT/a/.claude/rules/**","**/w/CLAUDE.md"]}',
      },
      touched: ['a/x.ts'],
      sees: ['a/CLAUDE.md'],
    },
    {
      rule: "claudeMdExcludes of the user's own, not of the organization's",
      shape: {
        '~/.claude/CLAUDE.md': 'u',
        [`${MANAGED}/CLAUDE.md`]: 'o',
        '.claude/settings.json': '{"claudeMdExcludes":["**/CLAUDE.md"]}',
      },
      sees: [`${MANAGED}/CLAUDE.md`],
    },
    {
      rule: 'claudeMdExcludes that are not absolute match nothing',
      shape: { ...FILES, '.claude/settings.json': '{"claudeMdExcludes":["CLAUDE.md"]}' },
      sees: ['CLAUDE.md'],
    },
    {
      rule: 'MEMORY.md of the project, and no other notes',
      shape: { ...FILES, [`~/${NOTES}/MEMORY.md`]: 'm', [`~/${NOTES}/user_role.md`]: 'r' },
      sees: ['CLAUDE.md', `~/${NOTES}/MEMORY.md`],
    },
    {
      rule: 'MEMORY.md of the repository in a directory below',
      shape: { ...TREE, [`~/${NOTES}/MEMORY.md`]: 'm' },
      cwd: 'a',
      sees: ['CLAUDE.md', 'a/CLAUDE.md', `~/${NOTES}/MEMORY.md`],
    },
    {
      rule: 'autoMemoryEnabled: false',
      shape: { [`~/${NOTES}/MEMORY.md`]: 'm', '.claude/settings.json': '{"autoMemoryEnabled":false}' },
      sees: [],
    },
    {
      rule: 'autoMemoryEnabled of the project before that of the user',
      shape: {
        [`~/${NOTES}/MEMORY.md`]: 'm',
        '.claude/settings.json': '{"autoMemoryEnabled":true}',
        '~/.claude/settings.json': '{"autoMemoryEnabled":false}',
      },
      sees: [`~/${NOTES}/MEMORY.md`],
    },
    {
      rule: 'autoMemoryDirectory of the user',
      shape: {
        [`~/${NOTES}/MEMORY.md`]: 'm',
        '~/notes/MEMORY.md': 'n',
        '~/.claude/settings.json': '{"autoMemoryDirectory":"~/notes"}',
      },
      sees: ['~/notes/MEMORY.md'],
    },
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
      shape: {
        'CLAUDE.md': 'c',
        '~/.codex/config.toml':
          'project_doc_fallback_filenames = [ # [a]\n "a.md",\n \'CLAUDE.md\',\n]\n[[a]]\nb = "]"\n',
      },
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
      rule: 'context.memoryBoundaryMarkers',
      shape: {
        ...TREE,
        'a/b.toml': '',
        '~/.gemini/settings.json': '{"context":{"memoryBoundaryMarkers":["b.toml"]}}',
      },
      cwd: 'a',
      sees: ['GEMINI.md'],
    },
    {
      rule: 'no context.memoryBoundaryMarkers: the working directory alone',
      shape: { ...TREE, 'a/.gemini/settings.json': '{"context":{"memoryBoundaryMarkers":[]}}' },
      cwd: 'a',
      sees: ['GEMINI.md'],
    },
    {
      rule: 'context.fileFiltering is for its searches',
      shape: {
        ...FILES,
        ...IGNORED,
        '.gemini/settings.json': '{"context":{"fileFiltering":{"respectGitIgnore":true}}}',
      },
      sees: ['GEMINI.md'],
    },
    {
      rule: 'its notes on the project',
      shape: {
        ...FILES,
        '~/.gemini/projects.json': '{"projects":{"$ROOT":"w-1"}}',
        '~/.gemini/tmp/w-1/memory/MEMORY.md': 'm',
        '~/.gemini/tmp/w-1/memory/GEMINI.md': 'old',
        '~/.gemini/tmp/w-1/memory/topic.md': 't',
      },
      sees: ['GEMINI.md', '~/.gemini/tmp/w-1/memory/MEMORY.md'],
    },
    {
      rule: 'its older notes, and none of another project',
      shape: {
        '~/.gemini/projects.json': '{"projects":{"$ROOT":"w-1","/elsewhere":"w-2"}}',
        '~/.gemini/tmp/w-1/.project_root': '$ROOT\n',
        '~/.gemini/tmp/w-1/memory/GEMINI.md': 'old',
        '~/.gemini/tmp/w-2/memory/MEMORY.md': 'm',
      },
      sees: ['~/.gemini/tmp/w-1/memory/GEMINI.md'],
    },
    {
      rule: 'no notes of a folder that belongs to another project',
      shape: {
        '~/.gemini/projects.json': '{"projects":{"$ROOT":"w-1"}}',
        '~/.gemini/tmp/w-1/.project_root': '/elsewhere\n',
        '~/.gemini/tmp/w-1/memory/MEMORY.md': 'm',
      },
      sees: [],
    },
    {
      rule: 'context.includeDirectories in the project, and what is above them',
      shape: {
        ...FILES,
        'lib/GEMINI.md': 'l',
        'lib/x/GEMINI.md': 'x',
        'lib/x/y/GEMINI.md': 'y',
        '.gemini/settings.json': '{"context":{"includeDirectories":["lib/x"]}}',
      },
      sees: ['GEMINI.md', 'lib/GEMINI.md', 'lib/x/GEMINI.md'],
    },
    {
      rule: 'context.includeDirectories of the user, up to the root of their project',
      shape: {
        '~/shared/.git/HEAD': '',
        '~/shared/GEMINI.md': 's',
        '~/shared/lib/GEMINI.md': 'l',
        '~/GEMINI.md': 'no',
        '~/.gemini/settings.json': '{"context":{"includeDirectories":["~/shared/lib"]}}',
      },
      sees: ['~/shared/GEMINI.md', '~/shared/lib/GEMINI.md'],
    },
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
    {
      rule: 'one name at and above the working directory: the first that any of these directories has',
      shape: { 'AGENTS.md': 'r', 'a/CLAUDE.md': 'c', 'a/b/AGENTS.md': 'b', 'a/b/c/CLAUDE.md': 'd', 'a/b/c/x.ts': '' },
      cwd: 'a/b',
      touched: ['a/b/c/x.ts'],
      sees: ['AGENTS.md', 'a/b/AGENTS.md', 'a/b/c/CLAUDE.md'],
    },
    {
      rule: "the user's AGENTS.md in place of Claude Code's file",
      shape: { '~/.config/opencode/AGENTS.md': 'u', '~/.claude/CLAUDE.md': 'c' },
      sees: ['~/.config/opencode/AGENTS.md'],
    },
    { rule: "Claude Code's file", shape: { '~/.claude/CLAUDE.md': 'c' }, sees: ['~/.claude/CLAUDE.md'] },
  ],
  kilo: [
    { rule: 'the first of AGENTS.md, CLAUDE.md', shape: FILES, sees: ['AGENTS.md'] },
    { rule: 'CLAUDE.md where it is alone', shape: { 'CLAUDE.md': 'c' }, sees: ['CLAUDE.md'] },
    { rule: 'nested on a read', shape: TREE, touched: ['a/x.ts'], sees: ['AGENTS.md', 'a/AGENTS.md'] },
    {
      rule: 'one name at and above the working directory',
      shape: { 'CLAUDE.md': 'c', 'a/AGENTS.md': 'a' },
      cwd: 'a',
      sees: ['a/AGENTS.md'],
    },
    {
      rule: "the user's own, in place of Claude Code's file",
      shape: { '~/.config/kilo/AGENTS.md': 'u', '~/.claude/CLAUDE.md': 'c' },
      sees: ['~/.config/kilo/AGENTS.md'],
    },
    {
      rule: 'older rules, of all modes, and no folders in them',
      shape: {
        '.kilo/rules/x.md': 'x',
        '.kilo/rules/b/y.md': 'y',
        '.kilo/rules/z.txt': 'z',
        '.kilocode/rules-debug/d.md': 'd',
        '.kilocoderules': 'k',
      },
      sees: ['.kilo/rules/x.md', '.kilocode/rules-debug/d.md', '.kilocoderules'],
    },
    {
      rule: 'older rules of the working directory alone',
      shape: { '.kilo/rules/x.md': 'x', 'a/.kilo/rules/y.md': 'y' },
      cwd: 'a',
      sees: ['a/.kilo/rules/y.md'],
    },
    { rule: "the user's older rules", shape: { '~/.kilo/rules/x.md': 'u' }, sees: ['~/.kilo/rules/x.md'] },
    {
      rule: 'instructions of its settings, and of those of OpenCode in the project',
      shape: {
        'docs/a.md': 'a',
        'docs/b.md': 'b',
        'rules/c.md': 'c',
        'kilo.jsonc': '{"instructions":["docs/a.md"]} // more',
        'opencode.json': '{"instructions":["docs/b.md"]}',
        '.kilo/kilo.json': '{"instructions":["rules/*.md"]}',
      },
      sees: ['docs/a.md', 'docs/b.md', 'rules/c.md'],
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
    { rule: '.cline/rules', shape: { '.cline/rules/x.md': 'x' }, sees: ['.cline/rules/x.md'] },
    {
      rule: "the user's rules",
      shape: { '~/.cline/rules/x.md': 'x', '~/Documents/Cline/Rules/y.md': 'y' },
      sees: ['~/.cline/rules/x.md', '~/Documents/Cline/Rules/y.md'],
    },
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
      rule: 'local files, and every file of .cursor/rules',
      shape: {
        'CLAUDE.local.md': 'l',
        'CRUSH.local.md': 'l',
        '.cursor/rules/x.mdc': rule('globs: "*.py"'),
        '.cursor/rules/b/y.txt': 'y',
      },
      sees: ['.cursor/rules/b/y.txt', '.cursor/rules/x.mdc', 'CLAUDE.local.md', 'CRUSH.local.md'],
    },
    { rule: 'not in small letters', shape: { 'crush.md': 'c', 'agents.md': 'a' }, sees: [] },
    {
      rule: "the user's own",
      shape: { '~/.config/crush/CRUSH.md': 'u', '~/.config/AGENTS.md': 'a' },
      sees: ['~/.config/AGENTS.md', '~/.config/crush/CRUSH.md'],
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

/** The rules of a tool that its profile gets wrong, a line each. */
export async function wrongRules(profile: string): Promise<string[]> {
  const wrong: string[] = []
  for (const known of KNOWN_RULES[profile] ?? []) {
    const seen = await seenOf(profile, known)
    if (seen.join() !== known.sees.join()) wrong.push(`${known.rule}: ${seen.join()} is not ${known.sees.join()}`)
  }
  return wrong
}

/** What a profile shows of a tree, with the tool's own settings. */
async function seenOf(profile: string, { shape, cwd = '', touched = [] }: KnownRule): Promise<string[]> {
  using planted = project({})
  planted.plant(plantable(shape, planted))
  const request = {
    place: planted.file(cwd),
    profiles: [profile],
    touched: touched.map((path) => planted.file(path)),
    home: planted.home,
    system: planted.at('system'),
  }
  const { files } = await diffProfiles(request, SILENT)
  const shown = files.filter(({ seen }) => seen[profile] && seen[profile].decision !== 'left')
  const named = shown.map(({ title }) => title.replace(planted.at('system'), '').replace(notesFolder(planted), NOTES))
  return named.sort()
}

/** A shape with the folder of the notes on this project, and its root, in the place of what stands for them. */
function plantable(shape: KnownRule['shape'], planted: Project): KnownRule['shape'] {
  const entries = Object.entries(shape).map(([path, text]) => {
    return [path.replace(NOTES, notesFolder(planted)), String(text).replaceAll('$ROOT', planted.root)] as const
  })
  return Object.fromEntries(entries)
}

function notesFolder({ root }: Project): string {
  return `.claude/projects/${root.replace(/[^a-zA-Z0-9]/g, '-')}/memory`
}
