import { diffProfiles } from '../../../src/context/diff.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Shape } from '../../support/tree.ts'
import { type Project, project } from '../../support/workspace.ts'

/** Stands for the folder of Claude Code's notes on the project, seen from the home directory; `$ROOT` for the root. */
const NOTES = '.claude/projects/ROOT/memory'

/** Where the tool runs. */
interface Situation {
  /** The working directory. Default: the root. */
  readonly cwd?: string
  readonly touched?: readonly string[]
}

/**
 * How a tool finds instruction files: a rule, a tree in which it shows, and all that the tool loads, sorted. Names of files in one text have spaces
 * between them; each of those of a tree holds its own name.
 */
export type KnownRule = readonly [rule: string, shape: Shape | string, sees: Names, situation?: Situation]
type Names = string | readonly string[]

const FILES = { 'AGENTS.md': 'a', 'CLAUDE.md': 'c', 'GEMINI.md': 'g', 'QWEN.md': 'q' }
const NESTED = { 'a/AGENTS.md': 'a', 'a/CLAUDE.md': 'c', 'a/GEMINI.md': 'g', 'a/x.ts': '' }
const TOUCHED: Situation = { touched: ['a/x.ts'] }
const IN_A: Situation = { cwd: 'a' }
const TREE = { ...FILES, ...NESTED }
const IGNORED = { '.gitignore': '*.md\n' }
const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code'
const GEMINI_FILE_NAME = (fileName: string) => JSON.stringify({ context: { fileName } })
const CRUSH = (path: string) => JSON.stringify({ options: { context_paths: [path] } })
const rule = (front: string) => `---\n${front}\n---\ntext`

/** By profile. From the tools' documentation and sources, and from their recorded requests where these differ. */
export const KNOWN_RULES: Readonly<Record<string, readonly KnownRule[]>> = {
  claude: [
    ['no other names', 'KODELET.md GEMINI.md AGENTS.override.md claude.md .agents/AGENTS.md', ''],
    ['a link to AGENTS.md once', { 'AGENTS.md': 'a', 'CLAUDE.md -> AGENTS.md': '' }, 'CLAUDE.md'],
    ['AGENTS.md and another one', 'AGENTS.md .claude/AGENTS.md', '.claude/AGENTS.md AGENTS.md'],
    ['no AGENTS.md beside .claude/CLAUDE.md', 'AGENTS.md .claude/CLAUDE.md', '.claude/CLAUDE.md'],
    ['no AGENTS.md beside CLAUDE.local.md', 'AGENTS.md CLAUDE.local.md', 'CLAUDE.local.md'],
    ['no AGENTS.md below CLAUDE.md', 'a/AGENTS.md CLAUDE.md', 'CLAUDE.md', IN_A],
    ['no AGENTS.md above CLAUDE.md of the directory', 'AGENTS.md a/CLAUDE.md', 'a/CLAUDE.md', IN_A],
    [
      'AGENTS.md by touching, where only directories between have CLAUDE.md',
      'a/CLAUDE.md a/b/AGENTS.md',
      'a/CLAUDE.md a/b/AGENTS.md',
      { touched: ['a/b/x'] },
    ],
    [
      "AGENTS.md beside rules and the user's own",
      'AGENTS.md .claude/rules/x.md ~/.claude/CLAUDE.md',
      '.claude/rules/x.md AGENTS.md ~/.claude/CLAUDE.md',
    ],
    ['an ignored CLAUDE.local.md', { 'CLAUDE.local.md': 'c', '.gitignore': 'CLAUDE.local.md' }, 'CLAUDE.local.md'],
    ['CLAUDE.md of the root', FILES, 'CLAUDE.md'],
    ['above the working directory', TREE, 'CLAUDE.md a/CLAUDE.md', IN_A],
    ['nested with a touched file', TREE, 'CLAUDE.md a/CLAUDE.md', TOUCHED],
    ['AGENTS.md where the root has no CLAUDE.md', 'AGENTS.md', 'AGENTS.md'],
    ['nested AGENTS.md', 'AGENTS.md a/AGENTS.md a/x.ts', 'AGENTS.md a/AGENTS.md', TOUCHED],
    ['no nested one beside CLAUDE.md', 'CLAUDE.md a/AGENTS.md a/x.ts', 'CLAUDE.md', TOUCHED],
    ['imports', { 'CLAUDE.md': '@AGENTS.md', 'AGENTS.md': 'a' }, 'AGENTS.md CLAUDE.md'],
    ['two of them', 'CLAUDE.local.md .claude/CLAUDE.md', '.claude/CLAUDE.md CLAUDE.local.md'],
    ["the user's own", '~/.claude/CLAUDE.md', '~/.claude/CLAUDE.md'],
    ['others', { ...TREE, '.claude/settings.json': '{"claudeMdExcludes":["**/a/CLAUDE.md"]}' }, 'CLAUDE.md', TOUCHED],
    ['files that git ignores', { ...FILES, ...IGNORED }, 'CLAUDE.md'],
    ['one of all projects', { ...FILES, [`${MANAGED}/CLAUDE.md`]: 'o' }, [`${MANAGED}/CLAUDE.md`, 'CLAUDE.md']],
    ["the organization's rules", { [`${MANAGED}/.claude/rules/x.md`]: 'x' }, [`${MANAGED}/.claude/rules/x.md`]],
    [
      'claudeMd of its settings',
      { ...FILES, [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Lint first."}' },
      [`${MANAGED}/managed-settings.json`, 'CLAUDE.md'],
    ],
    [
      'claudeMd of the last part of its settings',
      {
        [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Lint first."}',
        [`${MANAGED}/managed-settings.d/10-a.json`]: '{"claudeMd":"Test first."}',
        [`${MANAGED}/managed-settings.d/20-b.json`]: '{}',
      },
      [`${MANAGED}/managed-settings.d/10-a.json`],
    ],
    [
      'what the server of the organization sent, in place of its files',
      {
        ...FILES,
        '~/.claude/remote-settings.json': '{"claudeMd":"Lint first."}',
        [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Test first.","claudeMdExcludes":["**/CLAUDE.md"]}',
      },
      'CLAUDE.md ~/.claude/remote-settings.json',
    ],
    [
      'its files where the server sent nothing',
      { '~/.claude/remote-settings.json': '{}', [`${MANAGED}/managed-settings.json`]: '{"claudeMd":"Test first."}' },
      [`${MANAGED}/managed-settings.json`],
    ],
    [
      'no claudeMd of other settings',
      { ...FILES, '.claude/settings.json': '{"claudeMd":"x"}', '~/.claude/settings.json': '{"claudeMd":"x"}' },
      'CLAUDE.md',
    ],
    [
      'claudeMdExcludes of the organization, and of the user',
      {
        ...TREE,
        [`${MANAGED}/managed-settings.json`]: '{"claudeMdExcludes":["**/a/CLAUDE.md"]}',
        '~/.claude/settings.json': '{"claudeMdExcludes":["**/CLAUDE.local.md"]}',
        'CLAUDE.local.md': 'l',
      },
      'CLAUDE.md',
      TOUCHED,
    ],
    [
      'claudeMdExcludes by absolute paths, of folders above and of the root itself',
      {
        ...TREE,
        'a/.claude/rules/x.md': 'x',
        '.claude/settings.local.json': '{"claudeMdExcludes":["$ROOT/a/.claude/rules/**","**/w/CLAUDE.md"]}',
      },
      'a/CLAUDE.md',
      TOUCHED,
    ],
    [
      "claudeMdExcludes of the user's own, not of the organization's",
      {
        '~/.claude/CLAUDE.md': 'u',
        [`${MANAGED}/CLAUDE.md`]: 'o',
        '.claude/settings.json': '{"claudeMdExcludes":["**/CLAUDE.md"]}',
      },
      [`${MANAGED}/CLAUDE.md`],
    ],
    [
      'claudeMdExcludes that are not absolute match nothing',
      { ...FILES, '.claude/settings.json': '{"claudeMdExcludes":["CLAUDE.md"]}' },
      'CLAUDE.md',
    ],
    [
      'MEMORY.md of the project, and no other notes',
      { ...FILES, [`~/${NOTES}/MEMORY.md`]: 'm', [`~/${NOTES}/user_role.md`]: 'r' },
      ['CLAUDE.md', `~/${NOTES}/MEMORY.md`],
    ],
    [
      'MEMORY.md of the repository in a directory below',
      { ...TREE, [`~/${NOTES}/MEMORY.md`]: 'm' },
      ['CLAUDE.md', 'a/CLAUDE.md', `~/${NOTES}/MEMORY.md`],
      IN_A,
    ],
    ['no memory', { [`~/${NOTES}/MEMORY.md`]: 'm', '.claude/settings.json': '{"autoMemoryEnabled":false}' }, ''],
    [
      'autoMemoryEnabled of the project before that of the user',
      {
        [`~/${NOTES}/MEMORY.md`]: 'm',
        '.claude/settings.json': '{"autoMemoryEnabled":true}',
        '~/.claude/settings.json': '{"autoMemoryEnabled":false}',
      },
      [`~/${NOTES}/MEMORY.md`],
    ],
    [
      'autoMemoryDirectory of the user',
      {
        [`~/${NOTES}/MEMORY.md`]: 'm',
        '~/notes/MEMORY.md': 'n',
        '~/.claude/settings.json': '{"autoMemoryDirectory":"~/notes"}',
      },
      '~/notes/MEMORY.md',
    ],
  ],
  codex: [
    ['one override', 'AGENTS.override.md a/AGENTS.md', 'AGENTS.override.md a/AGENTS.md', IN_A],
    ['up to the nearest root', 'AGENTS.md a/.git/ a/AGENTS.md', 'AGENTS.md', IN_A],
    ['AGENTS.md where the override is a directory', 'AGENTS.override.md/ AGENTS.md', 'AGENTS.md'],
    ['nothing beside an empty override', { 'AGENTS.override.md': '', 'AGENTS.md': 'a' }, ''],
    ['no other names', 'KODELET.md AGENTS.local.md agents.md', ''],
    [
      "the user's own override",
      '~/.codex/AGENTS.md ~/.codex/AGENTS.override.md ~/.ambit/AGENTS.md',
      '~/.codex/AGENTS.override.md',
    ],
    ['no front matter', { 'AGENTS.md': rule('paths: "*.py"') }, 'AGENTS.md'],
    ['AGENTS.md', FILES, 'AGENTS.md'],
    ['from the root to the working directory', TREE, 'AGENTS.md a/AGENTS.md', IN_A],
    ['nothing by touched files', TREE, 'AGENTS.md', TOUCHED],
    ['AGENTS.override.md instead', { ...FILES, 'AGENTS.override.md': 'o' }, 'AGENTS.override.md'],
    ["the user's own", '~/.codex/AGENTS.md', '~/.codex/AGENTS.md'],
    ['no imports', { 'AGENTS.md': '@CLAUDE.md', 'CLAUDE.md': 'c' }, 'AGENTS.md'],
    [
      'fallback names',
      {
        'CLAUDE.md': 'c',
        '~/.codex/config.toml':
          'project_doc_fallback_filenames = [ # [a]\n "a.md",\n \'CLAUDE.md\',\n]\n[[a]]\nb = "]"\n',
      },
      'CLAUDE.md',
    ],
    ['the cap, root first', { ...TREE, 'AGENTS.md': 'x'.repeat(40_000) }, 'AGENTS.md', IN_A],
    ['project_doc_max_bytes = 0 turns it off', { ...FILES, '~/.codex/config.toml': 'project_doc_max_bytes = 0\n' }, ''],
    [
      'project_root_markers',
      { ...TREE, 'a/b.toml': '', '~/.codex/config.toml': 'project_root_markers = ["b.toml"]\n' },
      'AGENTS.md',
      IN_A,
    ],
    ['files that git ignores', { ...FILES, ...IGNORED }, 'AGENTS.md'],
  ],
  gemini: [
    ['no names in small letters, and none above the root', 'gemini.md ../GEMINI.md', ''],
    ['those of a directory that it lists', 'a/GEMINI.md', 'a/GEMINI.md', { touched: ['a'] }],
    // Settings of a project bring in nothing but Markdown, and nothing from outside of it.
    ['no secret', { '.gemini/settings.json': GEMINI_FILE_NAME('.env'), '.env': 'KEY=1' }, ''],
    ['no path out', { '.gemini/settings.json': GEMINI_FILE_NAME('../x.md'), '../x.md': 'x' }, ''],
    [
      'nothing of its own in the home directory but Markdown right in its folder',
      { '.gemini/settings.json': GEMINI_FILE_NAME('oauth_creds.json'), '~/.gemini/oauth_creds.json': '{}' },
      '',
    ],
    ['no file further in', { '.gemini/settings.json': GEMINI_FILE_NAME('a/x.md'), '~/.gemini/a/x.md': 'x' }, ''],
    [
      'context.fileName in the home directory, too',
      { '.gemini/settings.json': GEMINI_FILE_NAME('RULES.md'), '~/.gemini/RULES.md': 'r', 'RULES.md': 'p' },
      'RULES.md ~/.gemini/RULES.md',
    ],
    [
      'context.includeDirectories of the project that lie outside',
      {
        '.gemini/settings.json': '{"context":{"includeDirectories":["../out","~/notes"]}}',
        '../out/GEMINI.md': 'x',
        '~/notes/GEMINI.md': 'x',
      },
      '',
    ],
    ['GEMINI.md', FILES, 'GEMINI.md'],
    ['above the working directory', TREE, 'GEMINI.md a/GEMINI.md', IN_A],
    ['nested with a touched file', TREE, 'GEMINI.md a/GEMINI.md', TOUCHED],
    ['imports', { 'GEMINI.md': '@AGENTS.md', 'AGENTS.md': 'a' }, 'AGENTS.md GEMINI.md'],
    ["the user's own", '~/.gemini/GEMINI.md', '~/.gemini/GEMINI.md'],
    [
      'context.memoryBoundaryMarkers',
      { ...TREE, 'a/b.toml': '', '~/.gemini/settings.json': '{"context":{"memoryBoundaryMarkers":["b.toml"]}}' },
      'GEMINI.md',
      IN_A,
    ],
    [
      'no context.memoryBoundaryMarkers: the working directory alone',
      { ...TREE, 'a/.gemini/settings.json': '{"context":{"memoryBoundaryMarkers":[]}}' },
      'GEMINI.md',
      IN_A,
    ],
    [
      'context.fileFiltering is for its searches',
      { ...FILES, ...IGNORED, '.gemini/settings.json': '{"context":{"fileFiltering":{"respectGitIgnore":true}}}' },
      'GEMINI.md',
    ],
    [
      'its notes on the project',
      {
        ...FILES,
        '~/.gemini/projects.json': '{"projects":{"$ROOT":"w-1"}}',
        '~/.gemini/tmp/w-1/memory/MEMORY.md': 'm',
        '~/.gemini/tmp/w-1/memory/GEMINI.md': 'old',
        '~/.gemini/tmp/w-1/memory/topic.md': 't',
      },
      'GEMINI.md ~/.gemini/tmp/w-1/memory/MEMORY.md',
    ],
    [
      'its older notes, and none of another project',
      {
        '~/.gemini/projects.json': '{"projects":{"$ROOT":"w-1","/elsewhere":"w-2"}}',
        '~/.gemini/tmp/w-1/.project_root': '$ROOT\n',
        '~/.gemini/tmp/w-1/memory/GEMINI.md': 'old',
        '~/.gemini/tmp/w-2/memory/MEMORY.md': 'm',
      },
      '~/.gemini/tmp/w-1/memory/GEMINI.md',
    ],
    [
      'no notes of a folder that belongs to another project',
      {
        '~/.gemini/projects.json': '{"projects":{"$ROOT":"w-1"}}',
        '~/.gemini/tmp/w-1/.project_root': '/elsewhere\n',
        '~/.gemini/tmp/w-1/memory/MEMORY.md': 'm',
      },
      '',
    ],
    [
      'context.includeDirectories in the project, and what is above them',
      {
        ...FILES,
        'lib/GEMINI.md': 'l',
        'lib/x/GEMINI.md': 'x',
        'lib/x/y/GEMINI.md': 'y',
        '.gemini/settings.json': '{"context":{"includeDirectories":["lib/x"]}}',
      },
      'GEMINI.md lib/GEMINI.md lib/x/GEMINI.md',
    ],
    [
      'context.includeDirectories of the user, up to the root of their project',
      {
        '~/shared/.git/HEAD': '',
        '~/shared/GEMINI.md': 's',
        '~/shared/lib/GEMINI.md': 'l',
        '~/GEMINI.md': 'no',
        '~/.gemini/settings.json': '{"context":{"includeDirectories":["~/shared/lib"]}}',
      },
      '~/shared/GEMINI.md ~/shared/lib/GEMINI.md',
    ],
    [
      'context.fileName, all of them',
      { ...FILES, '.gemini/settings.json': '{"context":{"fileName":["AGENTS.md","GEMINI.md"]}}' },
      'AGENTS.md GEMINI.md',
    ],
    ['no front matter', { 'GEMINI.md': rule('paths: "*.py"') }, 'GEMINI.md'],
    ['files that git ignores', { ...FILES, ...IGNORED }, 'GEMINI.md'],
  ],
  qwen: [
    ['QWEN.md and AGENTS.md', FILES, 'AGENTS.md QWEN.md'],
    ['nothing by touched files', TREE, 'AGENTS.md QWEN.md', TOUCHED],
    ["the user's own", '~/.qwen/QWEN.md', '~/.qwen/QWEN.md'],
    ['context.fileName', { ...FILES, '.qwen/settings.json': '{"context":{"fileName":"CLAUDE.md"}}' }, 'CLAUDE.md'],
  ],
  copilot: [
    ['no front matter and no imports', { 'AGENTS.md': `${rule('applyTo: "*.py"')}@b.md`, 'b.md': 'b' }, 'AGENTS.md'],
    [
      'instructions of folders and of the user, by their ending and by applyTo alone',
      {
        '.github/instructions/b/c.instructions.md': rule('applyTo: **/*.py,**/*.ts'),
        '.github/instructions/d.md': rule('applyTo: "**"'),
        '.github/instructions/e.instructions.md': rule('globs: "**"\nalwaysApply: true'),
        '.github/instructions/f.instructions.md': rule('applyTo: "*"'),
        '~/.copilot/instructions/g.instructions.md': rule('applyTo: ["**/*.js", "a/**"]'),
      },
      '.github/instructions/b/c.instructions.md ~/.copilot/instructions/g.instructions.md',
      TOUCHED,
    ],
    [
      'copilot-instructions.md and AGENTS.md',
      { ...FILES, '.github/copilot-instructions.md': 'c' },
      '.github/copilot-instructions.md AGENTS.md',
    ],
    ['nested AGENTS.md', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    [
      'instructions by applyTo',
      { '.github/instructions/x.instructions.md': rule('applyTo: "**/*.ts"'), 'a/x.ts': '' },
      '.github/instructions/x.instructions.md',
      TOUCHED,
    ],
    ['none without applyTo', '.github/instructions/x.instructions.md', ''],
    ["the user's own", '~/.copilot/copilot-instructions.md', '~/.copilot/copilot-instructions.md'],
  ],
  'copilot-cli': [
    ['AGENTS.md, CLAUDE.md and GEMINI.md', FILES, 'AGENTS.md CLAUDE.md GEMINI.md'],
    ['all of the directory of a touched file', NESTED, 'a/AGENTS.md a/CLAUDE.md a/GEMINI.md', TOUCHED],
  ],
  vscode: [
    ['no nested AGENTS.md', TREE, 'AGENTS.md', TOUCHED],
    [
      'chat.useNestedAgentsMdFiles',
      { ...TREE, '.vscode/settings.json': '{ // mine\n "chat.useNestedAgentsMdFiles": true }' },
      'AGENTS.md a/AGENTS.md',
      TOUCHED,
    ],
    ['chat.useAgentsMdFile: false', { ...FILES, '.vscode/settings.json': '{"chat.useAgentsMdFile":false}' }, ''],
    ['CLAUDE.md', { ...FILES, '.vscode/settings.json': '{"chat.useClaudeMdFile":true}' }, 'AGENTS.md CLAUDE.md'],
    [
      'no file of Copilot where that is turned off',
      {
        '.github/copilot-instructions.md': 'x',
        '.vscode/settings.json': '{"github.copilot.chat.codeGeneration.useInstructionFiles":false}',
      },
      '',
    ],
    [
      'no chat.instructionsFilesLocations that are turned off, or outside of the tree',
      {
        '.github/instructions/x.instructions.md': rule('applyTo: "**"'),
        '../out/x.instructions.md': rule('applyTo: "**"'),
        'x.ts': '',
        '.vscode/settings.json': '{"chat.instructionsFilesLocations":{".github/instructions":false,"../out":true}}',
      },
      '',
      { touched: ['x.ts'] },
    ],
    [
      'nested AGENTS.md where chat.useNestedAgentsMdFiles is set',
      { ...TREE, '.vscode/settings.json': '{"chat.useNestedAgentsMdFiles":true}' },
      'AGENTS.md a/AGENTS.md',
      TOUCHED,
    ],
    [
      'chat.instructionsFilesLocations',
      {
        'rules/x.instructions.md': rule('applyTo: "**"'),
        'x.ts': '',
        '.vscode/settings.json': '{"chat.instructionsFilesLocations":{"rules":true}}',
      },
      'rules/x.instructions.md',
      { touched: ['x.ts'] },
    ],
  ],
  cursor: [
    ['no front matter and no imports', { 'AGENTS.md': `${rule('globs: "*.py"')}@b.md`, 'b.md': 'b' }, 'AGENTS.md'],
    ['alwaysApply', { '.cursor/rules/x.mdc': rule('globs: **/*.py\nalwaysApply: true') }, '.cursor/rules/x.mdc'],
    [
      'globs in a list or with commas, of names anywhere, and no other key',
      {
        '.cursor/rules/b/c.mdc': rule('globs:\n  - "lib/**"\n  - "*.ts"'),
        '.cursor/rules/d.mdc': rule('globs: src/**, a/**'),
        '.cursor/rules/e.mdc': rule('globs: **/*.js'),
        '.cursor/rules/f.mdc': rule('paths: "**"\napplyTo: "**"'),
      },
      '.cursor/rules/b/c.mdc .cursor/rules/d.mdc',
      TOUCHED,
    ],
    [
      'rules of a directory below, seen from there',
      { 'a/.cursor/rules/x.mdc': rule('alwaysApply: true'), 'a/.cursor/rules/y.mdc': rule('globs: src/*') },
      'a/.cursor/rules/x.mdc',
      TOUCHED,
    ],
    ['AGENTS.md', FILES, 'AGENTS.md'],
    ['nested AGENTS.md', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    ['alwaysApply', { '.cursor/rules/x.mdc': rule('alwaysApply: true') }, '.cursor/rules/x.mdc'],
    ['globs', { '.cursor/rules/x.mdc': rule('globs: "*.ts"'), 'a/x.ts': '' }, '.cursor/rules/x.mdc', TOUCHED],
    ['a rule with a description alone waits', { '.cursor/rules/x.mdc': rule('description: x') }, ''],
    ['plain .md is ignored', '.cursor/rules/x.md', ''],
  ],
  opencode: [
    ['the first of AGENTS.md, CLAUDE.md', FILES, 'AGENTS.md'],
    ['CLAUDE.md where it is alone', 'CLAUDE.md', 'CLAUDE.md'],
    ['nested on a read', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    ["the user's own", '~/.config/opencode/AGENTS.md', '~/.config/opencode/AGENTS.md'],
    [
      'instructions: files and globs',
      {
        'docs/a.md': 'a',
        'rules/b.md': 'b',
        'opencode.json': '{"instructions":["docs/a.md","rules/*.md","https://example.com/x.md"]}',
      },
      'docs/a.md rules/b.md',
    ],
    [
      'one name at and above the working directory: the first that any of these directories has',
      'AGENTS.md a/CLAUDE.md a/b/AGENTS.md a/b/c/CLAUDE.md a/b/c/x.ts',
      'AGENTS.md a/b/AGENTS.md a/b/c/CLAUDE.md',
      { cwd: 'a/b', touched: ['a/b/c/x.ts'] },
    ],
    [
      "the user's AGENTS.md in place of Claude Code's file",
      '~/.config/opencode/AGENTS.md ~/.claude/CLAUDE.md',
      '~/.config/opencode/AGENTS.md',
    ],
    ["Claude Code's file", '~/.claude/CLAUDE.md', '~/.claude/CLAUDE.md'],
  ],
  kilo: [
    ['nested on a read', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    ['one name at and above the working directory', 'CLAUDE.md a/AGENTS.md', 'a/AGENTS.md', IN_A],
    [
      "the user's own, in place of Claude Code's file",
      '~/.config/kilo/AGENTS.md ~/.claude/CLAUDE.md',
      '~/.config/kilo/AGENTS.md',
    ],
    [
      'older rules, of all modes, and no folders in them',
      '.kilo/rules/x.md .kilo/rules/b/y.md .kilo/rules/z.txt .kilocode/rules-debug/d.md .kilocoderules',
      '.kilo/rules/x.md .kilocode/rules-debug/d.md .kilocoderules',
    ],
    ['older rules of the working directory alone', '.kilo/rules/x.md a/.kilo/rules/y.md', 'a/.kilo/rules/y.md', IN_A],
    ["the user's older rules", '~/.kilo/rules/x.md', '~/.kilo/rules/x.md'],
    [
      'instructions of its settings, and of those of OpenCode in the project',
      {
        'docs/a.md': 'a',
        'docs/b.md': 'b',
        'rules/c.md': 'c',
        'kilo.jsonc': '{"instructions":["docs/a.md"]} // more',
        'opencode.json': '{"instructions":["docs/b.md"]}',
        '.kilo/kilo.json': '{"instructions":["rules/*.md"]}',
      },
      'docs/a.md docs/b.md rules/c.md',
    ],
  ],
  cline: [
    [
      '.clinerules, .cursorrules, .windsurfrules, AGENTS.md',
      { ...FILES, '.clinerules/x.md': 'x', '.cursorrules': 'c', '.windsurfrules': 'w' },
      '.clinerules/x.md .cursorrules .windsurfrules AGENTS.md',
    ],
    ['nothing nested', TREE, 'AGENTS.md', TOUCHED],
    ['its paths', { '.clinerules/x.md': rule('paths: ["**/*.ts"]'), 'a/x.ts': '' }, '.clinerules/x.md', TOUCHED],
    ["the user's own", '~/.agents/AGENTS.md', '~/.agents/AGENTS.md'],
    ['.cline/rules', '.cline/rules/x.md', '.cline/rules/x.md'],
    [
      "the user's rules",
      '~/.cline/rules/x.md ~/Documents/Cline/Rules/y.md',
      '~/.cline/rules/x.md ~/Documents/Cline/Rules/y.md',
    ],
  ],
  roo: [
    ['AGENTS.md', FILES, 'AGENTS.md'],
    ['AGENT.md where it is alone', 'AGENT.md', 'AGENT.md'],
    ['AGENTS.local.md, too', 'AGENTS.md AGENTS.local.md', 'AGENTS.local.md AGENTS.md'],
    [
      'all files of .roo/rules and of the mode',
      '.roo/rules/x.md .roo/rules/b/y.txt .roo/rules-code/z.md',
      '.roo/rules-code/z.md .roo/rules/b/y.txt .roo/rules/x.md',
    ],
    ['not of other modes', '.roo/rules-architect/z.md', ''],
    ['the first of the old files where .roo/rules is empty', 'AGENTS.md .roorules .clinerules', '.roorules AGENTS.md'],
    ['else not', '.roo/rules/x.md .roorules', '.roo/rules/x.md'],
    ['nothing nested', TREE, 'AGENTS.md', TOUCHED],
    ["the user's own", '~/.roo/rules/x.md', '~/.roo/rules/x.md'],
  ],
  windsurf: [
    ['AGENTS.md, nested ones with a touched file', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    ['always_on', { '.windsurf/rules/x.md': rule('trigger: always_on') }, '.windsurf/rules/x.md'],
    [
      'glob',
      { '.windsurf/rules/x.md': rule('trigger: glob\nglobs: "*.ts"'), 'a/x.ts': '' },
      '.windsurf/rules/x.md',
      TOUCHED,
    ],
    [
      'manual and model_decision wait',
      { '.windsurf/rules/x.md': rule('trigger: manual'), '.devin/rules/y.md': rule('trigger: model_decision') },
      '',
    ],
    ['.devin/rules', { '.devin/rules/y.md': rule('trigger: always_on') }, '.devin/rules/y.md'],
    ['.windsurfrules', '.windsurfrules', '.windsurfrules'],
  ],
  kiro: [
    ['AGENTS.md anywhere', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    ['steering', '.kiro/steering/x.md', '.kiro/steering/x.md'],
    [
      'fileMatch',
      { '.kiro/steering/x.md': rule('inclusion: fileMatch\nfileMatchPattern: "**/*.ts"'), 'a/x.ts': '' },
      '.kiro/steering/x.md',
      TOUCHED,
    ],
    ['fileMatch of others', { '.kiro/steering/x.md': rule('inclusion: fileMatch\nfileMatchPattern: "**/*.ts"') }, ''],
    ['manual waits', { '.kiro/steering/x.md': rule('inclusion: manual') }, ''],
  ],
  zed: [
    ['the first of its list', { ...FILES, '.rules': 'r', '.cursorrules': 'c' }, '.rules'],
    ['AGENT.md before AGENTS.md', { ...FILES, 'AGENT.md': 'a' }, 'AGENT.md'],
    ['AGENTS.md before CLAUDE.md', FILES, 'AGENTS.md'],
    ['one before AGENTS.md', { ...FILES, '.github/copilot-instructions.md': 'c' }, '.github/copilot-instructions.md'],
    ['nothing nested', TREE, 'AGENTS.md', TOUCHED],
  ],
  amp: [
    ['AGENTS.md of parents', TREE, 'AGENTS.md a/AGENTS.md', IN_A],
    ['of the subtree with a touched file', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    ["the user's own", '~/.config/amp/AGENTS.md', '~/.config/amp/AGENTS.md'],
  ],
  junie: [
    ['.junie/AGENTS.md first', 'AGENTS.md .junie/AGENTS.md', '.junie/AGENTS.md'],
    ['then AGENTS.md', 'AGENTS.md .junie/guidelines.md', 'AGENTS.md'],
    ['then guidelines.md', '.junie/guidelines.md', '.junie/guidelines.md'],
    ['nothing nested', TREE, 'AGENTS.md', TOUCHED],
  ],
  goose: [
    ['AGENTS.md and .goosehints', { ...FILES, '.goosehints': 'g' }, '.goosehints AGENTS.md'],
    ['from the root to the working directory', TREE, 'AGENTS.md a/AGENTS.md', IN_A],
    ['of touched directories', TREE, 'AGENTS.md a/AGENTS.md', TOUCHED],
    ['its names', { ...FILES, '~/.config/goose/config.yaml': 'CONTEXT_FILE_NAMES: ["CLAUDE.md"]\n' }, 'CLAUDE.md'],
    ['in a string', { ...FILES, '~/.config/goose/config.yaml': `CONTEXT_FILE_NAMES: '["CLAUDE.md"]'\n` }, 'CLAUDE.md'],
  ],
  crush: [
    [
      'its names',
      { ...FILES, 'CRUSH.md': 'c', '.cursorrules': 'r' },
      '.cursorrules AGENTS.md CLAUDE.md CRUSH.md GEMINI.md',
    ],
    [
      'local files, and every file of .cursor/rules',
      {
        'CLAUDE.local.md': 'l',
        'CRUSH.local.md': 'l',
        '.cursor/rules/x.mdc': rule('globs: "*.py"'),
        '.cursor/rules/b/y.txt': 'y',
      },
      '.cursor/rules/b/y.txt .cursor/rules/x.mdc CLAUDE.local.md CRUSH.local.md',
    ],
    ['not in small letters', 'crush.md agents.md', ''],
    ["the user's own", '~/.config/crush/CRUSH.md ~/.config/AGENTS.md', '~/.config/AGENTS.md ~/.config/crush/CRUSH.md'],
    ['a folder of context_paths', { 'docs/x.md': 'x', 'docs/x.txt': 'y', 'crush.json': CRUSH('docs/') }, 'docs/x.md'],
    ['no context_paths outside of the tree', { '../x.md': 'x', 'crush.json': CRUSH('../x.md') }, ''],
    ['context_paths', { 'docs/x.md': 'x', 'crush.json': CRUSH('docs/x.md') }, 'docs/x.md'],
  ],
  factory: [
    ['AGENTS.md above the working directory', TREE, 'AGENTS.md a/AGENTS.md', IN_A],
    ["the user's own", '~/.factory/AGENTS.md', '~/.factory/AGENTS.md'],
  ],
  aider: [
    ['nothing by itself', FILES, ''],
    ['what is named', { 'CONVENTIONS.md': 'c', '.aider.conf.yml': 'read: CONVENTIONS.md\n' }, 'CONVENTIONS.md'],
    [
      'several, a line each',
      { ...FILES, '.aider.conf.yml': '# mine\nread:\n  - AGENTS.md # ours\n  - "CLAUDE.md"\n' },
      'AGENTS.md CLAUDE.md',
    ],
    ['in brackets', { ...FILES, '.aider.conf.yml': 'read: [AGENTS.md, CLAUDE.md]\n' }, 'AGENTS.md CLAUDE.md'],
  ],
  kodelet: [
    ['KODELET.md where there is no AGENTS.md', 'KODELET.md CLAUDE.md', 'KODELET.md'],
    ['nothing where only directories above have some', 'AGENTS.md a/', '', IN_A],
    ["the user's own", '~/.kodelet/AGENTS.md ~/.kodelet/KODELET.md ~/.ambit/AGENTS.md', '~/.kodelet/AGENTS.md'],
    ['the first of its names, of the working directory', TREE, 'a/AGENTS.md', IN_A],
    ['nothing nested', TREE, 'AGENTS.md', TOUCHED],
    [
      'context.patterns',
      { ...FILES, 'kodelet-config.yaml': 'context:\n  patterns:\n    - CLAUDE.md\n    - AGENTS.md\n' },
      'CLAUDE.md',
    ],
  ],
}

/** The rules of a tool that its profile gets wrong, a line each. */
export async function wrongRules(profile: string): Promise<string[]> {
  const wrong: string[] = []
  for (const known of KNOWN_RULES[profile] ?? []) {
    const [rule, , sees] = known
    const seen = await seenOf(profile, known)
    const wanted = typeof sees === 'string' ? sees : sees.join(' ')
    if (seen.join(' ') !== wanted) wrong.push(`${rule}: ${seen.join(' ')} is not ${wanted}`)
  }
  return wrong
}

/** What a profile shows of a tree, with the tool's own settings. */
async function seenOf(profile: string, [, shape, , { cwd = '', touched = [] } = {}]: KnownRule): Promise<string[]> {
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
function plantable(shape: Shape | string, planted: Project): Shape {
  const whole = typeof shape === 'string' ? Object.fromEntries(shape.split(' ').map((name) => [name, name])) : shape
  const entries = Object.entries(whole).map(([path, text]) => {
    return [path.replace(NOTES, notesFolder(planted)), String(text).replaceAll('$ROOT', planted.root)] as const
  })
  return Object.fromEntries(entries)
}

function notesFolder({ root }: Project): string {
  return `.claude/projects/${root.replace(/[^a-zA-Z0-9]/g, '-')}/memory`
}
