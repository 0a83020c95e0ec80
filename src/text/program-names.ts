import { UnsafeFileName } from '../core/errors.ts'
import { oneLine } from './controls.ts'
import { gitignore } from './gitignore.ts'
import { trimEnd } from './trim.ts'

/**
 * Names of files that start a program when a person lists a repository's changes, opens a folder in an editor or an agent, enters a directory,
 * commits, or opens a shell. In lower case, in the syntax of `.gitignore`; a name with a slash matches at any depth, too. Code that runs only on
 * request, such as `Makefile` and `conftest.py`, is not in the list.
 */
export const PROGRAM_NAMES: readonly string[] = [
  // Git, and programs that run its hooks
  `.git .gitconfig .config/git .githooks .git-hooks .husky .huskyrc* .lefthook lefthook.y*ml .lefthook.y*ml
  lefthook-local.y*ml .lefthook-local.y*ml lefthook.toml lefthook.json .pre-commit-config.y*ml .overcommit.yml
  .lintstagedrc*`,
  // Agents: hooks, servers of tools, plugins
  `.mcp.json .claude.json .claude/settings*.json .claude/hooks .claude/agents .claude/commands .claude/skills
  .claude/plugins .codex/config.toml .codex/hooks* .codex/plugins .codex/rules .cursor/hooks* .cursor/mcp.json
  .cursor/cli*.json .cursor/environment.json .gemini/settings.json .gemini/commands .gemini/extensions .gemini/hooks
  .qwen/settings.json .qwen/commands .qwen/extensions .qwen/hooks .github/hooks .github/copilot .copilot
  .clinerules/hooks documents/cline/hooks .cline .crush.json crush.json .config/crush .kiro/agents .kiro/hooks
  .kiro/settings .factory/hooks* .factory/mcp.json .factory/settings*.json .factory/droids .opencode opencode.json*
  .config/opencode .kilo kilo.json* .kilocode/mcp.json .config/kilo .roo/mcp.json .windsurf/hooks*
  .windsurf/mcp*.json .codeium/windsurf .amazonq .amp .augment .continue .aider.conf.y*ml .junie/mcp .config/ambit`,
  // Editors
  `.vscode *.code-workspace .idea .fleet .zed .nova .vs .helix .devcontainer .devcontainer.json .gitpod.y*ml .vimrc
  _vimrc .exrc .nvimrc .nvim.lua .lvimrc .vim .config/nvim .emacs .emacs.d .dir-locals*.el`,
  // Shells, and files that they run in a directory
  `.envrc .autoenv* .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile
  .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .config/fish .xprofile .xinitrc .xsession* .mise.toml
  mise.toml .mise .config/mise .tmux.conf .config/tmux .gdbinit .lldbinit`,
  // Package managers and builds that load code of their settings
  `.npmrc .yarnrc* .yarn .pnp.* .pnpmfile.* pnpmfile.js bunfig.toml .cargo/config* .bazelrc .bundle/config .mvn
  sitecustomize.py usercustomize.py`,
  // The system
  `.ssh .config/autostart .config/systemd .local/bin library/launchagents`,
].flatMap((names) => names.split(/\s+/))

const matchProgramName = gitignore(PROGRAM_NAMES.map((name) => (name.includes('/') ? `**/${name}` : name)).join('\n'))

/** A directory with a file `head` may be a Git repository, and its configuration can start programs. */
const REPOSITORY_MARK = 'head'

const NAME_PARTS = PROGRAM_NAMES.flatMap((name) => name.split('/')).reverse()

/** Names by their short names of NTFS without the number: `git~` for `.git`, which NTFS calls `GIT~1`. */
const LONG_NAMES = new Map(NAME_PARTS.map((name) => [shortNameOf(name), name]))

function shortNameOf(name: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot, dot + 4)] : [name, '']
  return `${stem.replaceAll('.', '').slice(0, 6)}~${ending}`
}

/**
 * The names of a path as the most tolerant file systems compare them: without case, invisible characters, trailing dots and blanks, and NTFS
 * streams.
 */
export function plainNames(path: string): readonly string[] {
  const parts = path.split(/[/\\]/).filter((name) => name !== '')
  return parts.map(plainName)
}

/** Whether a file of this path may start a program, by any of its names. */
export function startsPrograms(path: string): boolean {
  const names = plainNames(path)
  if (names.at(-1) === REPOSITORY_MARK) return true
  return names.some((_, at) => matchProgramName(names.slice(0, at + 1).join('/'), true) === true)
}

/**
 * Whether a path names settings of an agent or editor that start programs. Such settings are not evidence for an answer, unlike scripts of a project.
 */
export function isProgramSettings(path: string): boolean {
  return /(?:^|\/)\.[^/]+\/(?:[^/]+\/)*[^/]+\.(?:json|toml)$/i.test(path) && startsPrograms(path)
}

function plainName(written: string): string {
  const visible = written.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  const folded = visible.normalize('NFKC').toLowerCase()
  const [name = ''] = folded.split(':', 1)
  const plain = trimEnd(name, '. ')
  return LONG_NAMES.get(plain.replace(/~\d+/, '~')) ?? plain
}

/** @throws UnsafeFileName */
export function refuseProgramName(path: string): void {
  if (startsPrograms(path))
    throw new UnsafeFileName(`${oneLine(path)} is not written: Git, an agent, an editor or a shell runs what it names.`)
}
