import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ORIGIN_KEY } from '../../../src/quilt/packages/origin.ts'
import { packageOf, registryV1 } from '../../../test/quilt/packages/fixtures.ts'
import { ambit } from '../../../test/support/program.ts'
import { tree } from '../../../test/support/tree.ts'
import type { Attack } from '../attack.ts'

type Entries = Readonly<Record<string, string>>

/** The files of a Git repository. `tree`: its work tree, relative to the repository. */
function repository(tree: string): Entries {
  const program = '\tfsmonitor = "touch ../pwned; false"\n'
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = "${tree}"\n${program}`
  return { HEAD: 'ref: refs/heads/main\n', config, 'objects/x': 'x', 'refs/x': 'x' }
}

const NAMES = ['.claude/settings.json', '.VSCode/tasks.json', '.envrc', '.husky/pre-commit', '.npmrc', '.mcp.json']

/** Downloads a package with these entries, and inspects the directory with the download. */
async function download(
  entries: Entries,
  inspect: (directory: string) => string | undefined,
): Promise<string | undefined> {
  using at = tree({})
  const planted = Object.fromEntries(
    Object.entries(entries).map(([key, text], index) => [key, { text, key: `data/${index}` }]),
  )
  for (const [key, value] of Object.entries(registryV1({ 'team/data': { 1680720300: packageOf(planted) } }))) {
    mkdirSync(dirname(at.at('lab', key)), { recursive: true })
    writeFileSync(at.at('lab', key), String(value).replaceAll('s3://bucket/', ''))
  }
  for (const args of [
    ['collection', 'add', 'lab', 'lab'],
    ['package', 'get', 'lab/team/data', 'out'],
  ])
    ambit(args, { cwd: at.base })
  return inspect(at.at('out'))
}

/** Files that `package get` may write for the package with settings. */
const FETCHED = ['data.csv', ORIGIN_KEY]

/** Runs `git status`, which people run without suspicion. */
function runsByStatus(directory: string): string | undefined {
  spawnSync('git', ['status'], { cwd: directory, env: { PATH: process.env.PATH, HOME: directory }, timeout: 10_000 })
  return existsSync(`${directory}/../pwned`) ? '"git status" ran a program of the package' : undefined
}

function inDirectory(name: string, entries: Entries): Entries {
  return Object.fromEntries(Object.entries(entries).map(([key, text]) => [`${name}${key}`, text]))
}

export const programsAttacks: readonly Attack[] = [
  { name: 'a repository in a package', hit: () => download(inDirectory('.git/', repository('..')), runsByStatus) },
  { name: 'a bare repository in a package', hit: () => download(repository('.'), runsByStatus) },
  {
    name: 'settings of agents, editors and shells in a package',
    hit: () =>
      download({ ...Object.fromEntries(NAMES.map((name) => [name, name])), 'data.csv': '1' }, (directory) => {
        const files = readdirSync(directory, { recursive: true }).map(String)
        const written = files.filter((name) => !FETCHED.includes(name) && statSync(`${directory}/${name}`).isFile())
        return written.length > 0 ? `written: ${written.join(', ')}` : undefined
      }),
  },
  {
    name: 'an export to a file that a shell runs',
    hit: async () => {
      using at = tree({})
      ambit(['export', '.envrc'], { cwd: at.base })
      return existsSync(at.at('.envrc')) ? 'written: .envrc' : undefined
    },
  },
]
