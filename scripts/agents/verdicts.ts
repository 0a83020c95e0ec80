/** Compares the verdicts of `ambit diff` on repositories with the requests of the real programs. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepRows } from '../../bench/report.ts'
import type { DiffAnswer } from '../../src/context/answers.ts'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { patternsOf } from '../../src/text/globs.ts'
import { parseFrontMatter } from '../../src/text/metadata.ts'
import type { Step } from './model.ts'
import { preparePlaces, TOUCHED } from './places.ts'
import type { Program } from './programs.ts'
import { AMBIT, install, runAgent } from './run.ts'
import { pathValues, shell, textOf, withoutEscapes } from './touches.ts'

const VERDICTS = {
  title: 'Verdicts of `ambit diff`, and what stood in the requests of the real program',
  note: 'Wrong: a file that `diff` calls missing and that arrived whole, or the other way around.',
  columns: [
    'agent',
    'set up',
    'version',
    'repositories',
    'files',
    'arrive, says `diff`',
    'missing, says `diff`',
    'wrong',
  ],
}

/** A rule of a project: the verdict of `diff`, and whether a request had the whole rule. */
interface JudgedRule {
  readonly title: string
  /** Why the rule does not reach the agent, as `diff` says; undefined if it does. */
  readonly reason: string | undefined
  readonly hasArrived: boolean
}

/** Tests the verdicts on each repository, and records the wrong ones. Returns the number of wrong verdicts. */
export async function reportVerdicts(programs: readonly Program[], repositories: readonly string[]): Promise<number> {
  let failed = 0
  for (const program of programs) {
    const path = install(program)
    for (const hasHook of [false, true]) failed += await reportVerdictsOn({ program, path, hasHook }, repositories)
  }
  return failed
}

interface VerdictTest {
  readonly program: Program
  /** Path of the installed program. */
  readonly path: string
  /** Whether `ambit init` sets the program up. */
  readonly hasHook: boolean
}

async function reportVerdictsOn(test: VerdictTest, repositories: readonly string[]): Promise<number> {
  const { agent, version } = test.program
  const setUp = test.hasHook ? 'with its hook' : 'alone'
  const all: JudgedRule[] = []
  const wrong: string[] = []
  for (const repository of repositories) {
    const rules = await judgedRules(test, repository)
    const mistakes = rules.filter(({ reason, hasArrived }) => hasArrived !== (reason === undefined))
    console.log(`${agent} ${setUp}: ${basename(repository)}: of ${rules.length} files ${countMissing(rules)} missing`)
    for (const { title, reason = 'complete' } of mistakes) {
      wrong.push(`${basename(repository)}/${title}`)
      console.log(`  wrong: ${title}: ${reason}`)
    }
    all.push(...rules)
  }
  const counts = [repositories.length, all.length, all.length - countMissing(all), countMissing(all)].map(String)
  const row = [agent, setUp, version, ...counts, wrong.length === 0 ? 'none' : wrong.join('; ')]
  keepRows('agents-diff', 'npm run agents -- diff DIR…', { ...VERDICTS, rows: [row] }, 2)
  return wrong.length
}

function countMissing(rules: readonly JudgedRule[]): number {
  return rules.filter(({ reason }) => reason !== undefined).length
}

/** Runs one session that touches each directory with rules, and a file for each pattern of a rule. */
async function judgedRules(
  { program, path, hasHook }: VerdictTest,
  repository: string,
): Promise<readonly JudgedRule[]> {
  let rules: readonly StatedRule[] = []
  const { agent, scope = [] } = program
  const fill = (project: string) => {
    const places = preparePlaces(repository, project).map(({ directory }) => join(directory, TOUCHED))
    const touched = [...places, ...samplesIn(project)].map((name) => join(project, name))
    if (hasHook) runAmbit(project, ['init', '--agent', agent, '--write', ...scope])
    const files = touched.flatMap((file) => ['--touched', file])
    rules = statedRules(JSON.parse(runAmbit(project, ['diff', '--profile', `ambit,${agent}`, '--json', ...files])))
    return touched.map((file): Step => {
      const values = { ...pathValues(file), ...shell(`cat ${relative(project, file)}`).values }
      return { tools: ['Read', 'read_file', 'read', 'view', ...shell('').tools], values }
    })
  }
  const { requests } = await runAgent(program, path, { fill })
  const sentLines = linesOf(requests.map(textOf).join('\n'))
  return rules.map(({ title, reason, text }) => ({
    title,
    reason,
    hasArrived: sentLines.includes(linesOf(withoutEscapes(text))),
  }))
}

/** Removes indents, empty lines and comments. A file must arrive in one piece, not as equal lines of other files. */
function linesOf(text: string): string {
  const lines = text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split('\n')
    .map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n')
}

type StatedRule = Pick<JudgedRule, 'title' | 'reason'> & { readonly text: string }

/**
 * The verdict of `diff` on each file that applies somewhere. A rule in the directories of several tools is reported missing
 * once.
 */
function statedRules({ files, agents }: DiffAnswer): readonly StatedRule[] {
  const reasons = new Map(agents[0]?.missing.map(({ uri, reason }) => [readBody(fileURLToPath(uri)), reason]))
  return files.flatMap(({ uri, title, seen }) => {
    if (seen.ambit === undefined || seen.ambit.decision === 'left') return []
    const text = readBody(fileURLToPath(uri))
    return [{ title, text, reason: reasons.get(text) }]
  })
}

/** Runs the built program in the project of a session, and returns its output. */
function runAmbit(project: string, args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: join(dirname(project), 'home') }
  return execFileSync(process.execPath, [AMBIT, ...args], { cwd: project, env, encoding: 'utf8' })
}

/** Reads a rule without its front matter, which names the paths of the rule. */
function readBody(path: string): string {
  const text = readFileSync(path, 'utf8')
  return text.slice(splitFrontMatter(text).body).trim()
}

/** Creates a file for each simple pattern of a rule. Returns the paths of the files, relative to the project. */
function samplesIn(project: string): readonly string[] {
  const rules = readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\/(rules|instructions)\/.*\.mdc?$/.test(name),
  )
  const samples = rules.flatMap((name) => {
    const { matter } = splitFrontMatter(readFileSync(join(project, name), 'utf8'))
    const { values } = parseFrontMatter(matter ?? '')
    const patterns = ['paths', 'globs', 'applyTo'].flatMap((key) => patternsOf(values.get(key)))
    return patterns.map((pattern) => join(name.slice(0, name.indexOf('.')), sampleOf(pattern)))
  })
  const plain = [...new Set(samples)].filter(
    (name) => /^[\w./-]+$/.test(name) && !/(^|\/)(\.\.?|\.git)(\/|$)/.test(name),
  )
  return plain.filter((name) => {
    if (existsSync(join(project, name))) return false
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), 'export const sample = 1\n')
    return true
  })
}

function sampleOf(pattern: string): string {
  return pattern
    .replaceAll(/\{([^,{}]*)[^{}]*\}/g, '$1')
    .replace(/\*\*$|\/$/, '/sample.ts')
    .replaceAll('**/', '')
    .replaceAll('*', 'sample')
}
