import { join } from 'node:path'
import { statOf } from '../../files/file-version.ts'
import type { ProfileName } from '../profiles.ts'

/** For each profile, files of a project or of a home directory (`~/`) that show that the tool is in use. */
const SIGNS: Readonly<Record<Exclude<ProfileName, 'ambit' | 'kodelet'>, readonly string[]>> = {
  claude: ['CLAUDE.md', '.claude', '~/.claude'],
  codex: ['.codex', '~/.codex'],
  cursor: ['.cursor', '.cursorrules', '~/.cursor'],
  gemini: ['GEMINI.md', '.gemini', '~/.gemini'],
  copilot: ['.github/copilot-instructions.md', '.github/instructions'],
  'copilot-cli': ['.github/hooks', '~/.copilot'],
  vscode: ['.vscode/mcp.json'],
  opencode: ['.opencode', 'opencode.json', '~/.config/opencode'],
  kilo: ['.kilo', '.kilocode', '~/.config/kilo'],
  cline: ['.clinerules', '.cline', '~/.cline'],
  qwen: ['QWEN.md', '.qwen', '~/.qwen'],
  crush: ['CRUSH.md', 'crush.json', '~/.config/crush'],
  kiro: ['.kiro', '~/.kiro'],
  factory: ['.factory', '~/.factory'],
  roo: ['.roo', '.roorules', '~/.roo'],
  windsurf: ['.windsurf', '.devin', '.windsurfrules', '~/.codeium/windsurf'],
  zed: ['.zed', '.rules', '~/.config/zed'],
  amp: ['.amp', '~/.config/amp'],
  junie: ['.junie', '~/.junie'],
  goose: ['.goosehints', '~/.config/goose'],
  aider: ['.aider.conf.yml', '~/.aider.conf.yml'],
}

/** Names of the profiles whose tools can be recognised by their files. */
export const TOOLS_WITH_SIGNS: readonly string[] = Object.keys(SIGNS)

/** The names of the profiles whose tools seem to be in use in a project. `root` and `home` are absolute paths. */
export function findToolsInUse({ root, home }: { root: string; home: string | undefined }): readonly string[] {
  const isThere = (sign: string) => {
    if (!sign.startsWith('~/')) return statOf(join(root, sign)) !== undefined
    return home !== undefined && statOf(join(home, sign.slice(2))) !== undefined
  }
  return Object.entries(SIGNS).flatMap(([name, signs]) => (signs.some(isThere) ? [name] : []))
}

const TITLES: Readonly<Record<string, string>> = {
  claude: 'Claude Code',
  gemini: 'Gemini CLI',
  'copilot-cli': 'Copilot CLI',
  vscode: 'VS Code',
  opencode: 'OpenCode',
  qwen: 'Qwen Code',
}

/** Display name of a tool. */
export function toolTitle(profile: string): string {
  return TITLES[profile] ?? profile.charAt(0).toUpperCase() + profile.slice(1)
}
