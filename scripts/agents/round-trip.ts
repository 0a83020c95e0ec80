/** Compares the rule files that `ambit sync` writes for a repository with the files that another generator wrote there. */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { keepRows } from '../../bench/report.ts'
import { ruleBody } from '../../src/context/sync/mark.ts'
import { SYNC_TARGETS, type SyncTarget } from '../../src/context/sync/written.ts'
import { AMBIT } from './run.ts'

const ROUND_TRIPS = {
  title: 'Rules that other generators wrote, after `sync --import` and `sync`',
  note: 'Clean: a second `sync` changes nothing, `sync --check` ends with 0, and `sync --remove` leaves no trace.',
  columns: [
    'repository',
    'generator',
    'files',
    'same text',
    'same lines, in other files',
    'lines that are nowhere',
    'more files',
    'clean',
  ],
}

/** The folder of each generator. */
const GENERATORS = { '.rulesync': 'rulesync', '.ruler': 'ruler' }

/** Tools with formats that no other tool has. */
const TOOLS = Object.entries(SYNC_TARGETS).filter(([name]) => !['copilot-cli', 'vscode', 'aider'].includes(name))

/**
 * Tests each repository, and records how much text survived. Returns the number of repositories with lost text or with
 * leftovers.
 */
export function reportRoundTrips(repositories: readonly string[]): number {
  const rows = repositories.map((repository) => roundTrip(repository))
  for (const row of rows) console.log(row.join(' | '))
  keepRows('agents-sync', 'npm run agents -- sync DIR…', { ...ROUND_TRIPS, rows })
  return rows.filter(([, , , , , lost, , clean]) => lost !== 'none' || clean !== 'yes').length
}

function roundTrip(repository: string): readonly string[] {
  const base = mkdtempSync(join(tmpdir(), 'ambit-sync-'))
  try {
    return runRoundTrip(repository, join(base, 'project'), { PATH: process.env.PATH, HOME: join(base, 'home') })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function runRoundTrip(repository: string, project: string, env: NodeJS.ProcessEnv): readonly string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, env, encoding: 'utf8' })
  const ambit = (...args: string[]) => spawnSync(process.execPath, [AMBIT, 'sync', ...args], { cwd: project, env })
  const commit = () => {
    git('add', '-Af')
    git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x', '--allow-empty')
  }
  mkdirSync(env.HOME ?? '', { recursive: true })
  for (const name of filesOf(repository)) copy(repository, project, name)
  git('init', '-q')
  const before = textsOf(project)
  const tools = TOOLS.filter(([, target]) => [...before.keys()].some((name) => isTargetFile(target, name))).map(
    ([name]) => name,
  )
  const generated = [...before.keys()].filter((name) => TOOLS.some(([, target]) => isTargetFile(target, name)))
  ambit('--import')
  for (const name of generated) rmSync(join(project, name))
  commit()
  const agentOptions = tools.flatMap((tool) => ['--agent', tool])
  ambit(...agentOptions)
  const after = textsOf(project)
  const isCurrent = ambit('--check', ...agentOptions).status === 0
  git('add', '-Af')
  ambit(...agentOptions)
  const isSame = git('diff', '--name-only') === ''
  git('reset', '-q')
  ambit('--remove')
  const isGone = git('status', '--porcelain', '--ignored') === ''
  const compared = generated.map((name) => ({ name, ...compareTexts(before.get(name) ?? '', after.get(name), after) }))
  const count = (kind: string) => String(compared.filter((one) => one.kind === kind).length)
  const lost = compared.filter(({ kind }) => kind === 'other').map(({ name, lines }) => `\`${name}\` (${lines} lines)`)
  const additionalFiles = [...after.keys()].filter(
    (name) => !before.has(name) && TOOLS.some(([, target]) => isTargetFile(target, name)),
  )
  const generator = Object.entries(GENERATORS).flatMap(([folder, name]) =>
    existsSync(join(repository, folder)) ? [name] : [],
  )
  const isClean = isCurrent && isSame && isGone
  return [
    basename(repository),
    generator.join(', '),
    String(generated.length),
    count('same'),
    count('elsewhere'),
    lost.length === 0 ? 'none' : lost.join(', '),
    String(additionalFiles.length),
    isClean ? 'yes' : `no: ${JSON.stringify({ isCurrent, isSame, isGone })}`,
  ]
}

/** Names of files that instruct agents, without the folders of generators. */
function filesOf(repository: string): readonly string[] {
  const isRule = /^(?!\.(?:git|ruler|rulesync)\/)\.[^/]+\/.*\.mdc?$|^\.(?:cursorrules|windsurfrules|rules|goosehints)$/
  const paths = readdirSync(repository, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return paths
    .map(({ parentPath, name }) => join(parentPath, name).slice(repository.length + 1))
    .filter((name) => !/(^|\/)node_modules\//.test(name))
    .filter((name) => isRule.test(name) || /(^|\/)[A-Z]+(\.override)?\.md$/.test(name))
}

function copy(from: string, to: string, name: string): void {
  mkdirSync(dirname(join(to, name)), { recursive: true })
  cpSync(join(from, name), join(to, name))
}

function textsOf(project: string): ReadonlyMap<string, string> {
  return new Map(filesOf(project).map((name) => [name, readFileSync(join(project, name), 'utf8')]))
}

/** Whether `sync` writes the file for a tool. */
function isTargetFile({ bridge, rules, combined, list }: SyncTarget, name: string): boolean {
  const isRule = rules && name.startsWith(`${rules.folder}/`) && name.endsWith(rules.suffix)
  return isRule || name === combined?.name || name === list || basename(name) === bridge
}

/**
 * Compares a text with its new version, with imports included: `same`; `elsewhere` if all lines are in some file; else `other`,
 * with the number of lost lines.
 */
function compareTexts(before: string, newer: string | undefined, after: ReadonlyMap<string, string>) {
  const linesOf = (text: string) =>
    [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
  const body = newer === undefined ? '' : ruleBody(newer).replaceAll(/^@(\S+)$/gm, (_, name) => after.get(name) ?? '')
  const old = withoutComments(ruleBody(before))
  if (withoutComments(body) === old) return { kind: 'same', lines: 0 }
  const all = new Set([...after.values()].flatMap((text) => linesOf(ruleBody(text))))
  const lines = linesOf(old).filter((line) => !all.has(line) && !/^@(\.\/)?AGENTS\.md$/.test(line))
  return { kind: lines.length === 0 ? 'elsewhere' : 'other', lines: lines.length }
}

/** Removes comments, because generators name their sources in them. */
function withoutComments(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->/g, '').trim()
}
