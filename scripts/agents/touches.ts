/** Tries the ways in which an agent touches a directory, on the instruction files of real repositories. */

import { basename, join } from 'node:path'
import { keepRows } from '../../bench/report.ts'
import type { Step } from './model.ts'
import { preparePlaces, TOUCHED, type TouchedPlace, WORD } from './places.ts'
import type { Program } from './programs.ts'
import { install, type RunOptions, runAgent } from './run.ts'

/** The instruction files that arrived in a request: `bytes` of `ofBytes`, and `whole` of `ofFiles` files completely. */
interface ArrivedShare {
  readonly bytes: number
  readonly ofBytes: number
  readonly whole: number
  readonly ofFiles: number
  /** Whether the hook cut its answer to the agent's limit, now or when it sent one of these files before. */
  readonly isCut: boolean
  /** Files that did not arrive whole, with the share of their bytes that arrived. */
  readonly missed: readonly { readonly path: string; readonly share: number; readonly bytes: number }[]
}

const SHELLS = ['Bash', 'exec_command', 'shell_command', 'shell', 'run_shell_command', 'bash', 'run_commands']
export const shell = (command: string, more: Partial<Step> = {}): Step => ({
  tools: SHELLS,
  values: { command, cmd: command, commands: command },
  ...more,
})
export const pathValues = (path: string) => ({
  file_path: path,
  filePath: path,
  absolute_path: path,
  path,
  dir_path: path,
})
const workdirValues = (path: string) => ({ workdir: path, dir_path: path, directory: path })

type Touch = (place: TouchedPlace, project: string) => Step

/** The ways to touch a directory. A touch is skipped if the program offers no tool for it. */
const TOUCHES: Readonly<Record<string, Touch>> = {
  cat: ({ directory }) => shell(`cat ${directory}/${TOUCHED}`),
  "bash -lc 'cat …'": ({ directory }) => shell(`bash -lc 'cat ${directory}/${TOUCHED}'`),
  braces: ({ directory }) => shell(`cat ${directory}/{${TOUCHED},none.ts}`),
  glob: ({ directory }) => shell(`wc -l ${directory}/t*.ts`),
  '"$PWD/…"': ({ directory }) => shell(`cat "$PWD/${directory}/${TOUCHED}"`),
  'for loop': ({ directory }) => shell(`for f in ${directory}/${TOUCHED}; do cat "$f"; done`),
  '(cd … && cat)': ({ directory }) => shell(`(cd ${directory} && cat ${TOUCHED})`),
  'here-document': ({ directory }) => shell(`bash <<'END'\ncat ${directory}/${TOUCHED}\nEND`),
  'grep -rl': ({ directory }) => shell(`grep -rl ${WORD} ${directory}`),
  'workdir of the shell tool': ({ directory }, project) =>
    shell(`cat ${TOUCHED}`, {
      also: workdirValues(join(project, directory)),
      needs: ['workdir', 'dir_path', 'directory'],
    }),
  'read tool': ({ directory }, project) => ({
    tools: ['Read', 'read_file', 'read', 'view'],
    values: pathValues(join(project, directory, TOUCHED)),
  }),
  'glob tool': ({ directory }) => ({ tools: ['Glob', 'glob'], values: { pattern: `${directory}/t*.ts` } }),
  'search tool': ({ directory }, project) => ({
    tools: ['Grep', 'grep_search', 'search_file_content', 'grep'],
    values: { pattern: WORD },
    also: pathValues(join(project, directory)),
  }),
  'list tool': ({ directory }, project) => ({
    tools: ['LS', 'list_directory', 'list', 'list_dir'],
    values: pathValues(join(project, directory)),
  }),
  'write tool': ({ directory }, project) => ({
    tools: ['Write', 'write_file', 'write'],
    values: pathValues(join(project, directory, 'new.ts')),
  }),
}

/** The texts of a request, as the model reads them. */
export function textOf(request: string): string {
  return withoutEscapes(stringsIn(JSON.parse(request)).join('\n'))
}

/**
 * How much of the files is in a text that the model got. Compares line by line, because programs put frames around the
 * texts that they forward. Ignores comments, which are for people.
 */
function arrivedIn(sentText: string, files: TouchedPlace['files']): Omit<ArrivedShare, 'isCut'> {
  const shares = files.map(({ path, text }) => {
    const lines = text.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n')
    const written = withoutEscapes(lines.join('\n'))
      .split('\n')
      .filter((line) => line.trim() !== '')
    const [ofBytes, bytes] = [written, written.filter((line) => sentText.includes(line.trim()))].map(bytesOf)
    return { path, bytes: bytes ?? 0, ofBytes: ofBytes ?? 0 }
  })
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const missed = shares.filter(({ bytes, ofBytes }) => bytes < ofBytes)
  return {
    bytes: total(shares.map(({ bytes }) => bytes)),
    ofBytes: total(shares.map(({ ofBytes }) => ofBytes)),
    whole: shares.length - missed.length,
    ofFiles: shares.length,
    missed: missed.map(({ path, bytes, ofBytes }) => ({ path, share: bytes / ofBytes, bytes: ofBytes })),
  }
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line.trim()), 0)
}

/** Removes the escapes that keep a text in its frame. */
export function withoutEscapes(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#13;', '\r').replaceAll('&amp;', '&')
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

const COMMAND = 'npm run agents -- DIR…'
const SHARES = [
  'alone: bytes',
  'whole files',
  'with Ambit: bytes',
  'whole files',
  'where the cap allows: bytes',
  'whole files',
]
const ALL_TOUCHES = {
  title: 'Instruction files at and above a directory that the model touches first, in the next request',
  note: 'All ways to touch it together. "Where the cap allows" leaves out touches at which the hook cut its answer to what the agent takes at once.',
  columns: ['agent', 'touch', 'times', ...SHARES],
}
const BY_TOUCH = { title: 'The same, by kind of touch', columns: ALL_TOUCHES.columns }
const MISSED = {
  title: 'Files that did not arrive whole',
  columns: ['agent', 'version', 'files', 'of these cut to fit'],
}

/** The touches of one session by name, each at its own place. */
type SessionTouches = ReadonlyMap<string, TouchedPlace>

/** What arrived after one touch, alone and with Ambit. */
interface TouchOutcome {
  readonly touch: string
  readonly repository: string
  readonly alone: ArrivedShare
  readonly helped: ArrivedShare
}

/** The first line of an answer of the hook, and the notice in an answer that it cut. */
const ANSWER = 'Project context, loaded by Ambit'
const CUT = 'Cut to fit.'

/** Maximum sessions in a repository. Touches for which it has too few directories are tried in the next repository. */
const SESSIONS_EACH = 2

/** Tries the touches in each repository, and records what arrived. */
export async function reportTouches(programs: readonly Program[], repositories: readonly string[]): Promise<number> {
  for (const program of programs) {
    const path = install(program)
    const outcomes: TouchOutcome[] = []
    let next = 0
    for (const repository of repositories) {
      for (let session = 0; session < SESSIONS_EACH; session++) {
        const names = Object.keys(TOUCHES)
        const order = [...names.slice(next % names.length), ...names.slice(0, next % names.length)]
        const tried = await touchesIn(program, { path, repository, order })
        outcomes.push(...tried.outcomes)
        next += tried.count
        if (tried.count >= names.length) break
      }
      console.log(`${program.agent}: ${basename(repository)}, ${outcomes.length} touches`)
    }
    writeTouches(program, outcomes)
  }
  return 0
}

interface TouchSession {
  readonly path: string
  readonly repository: string
  readonly order: readonly string[]
}

async function touchesIn(program: Program, { path, repository, order }: TouchSession) {
  let touches: SessionTouches = new Map()
  let root = ''
  const steps = new Map<Step, string>()
  const fill = (project: string) => {
    const places = preparePlaces(repository, project)
    root = project
    touches = new Map(places.flatMap((place, at) => (order[at] === undefined ? [] : [[order[at], place] as const])))
    steps.clear()
    for (const [touch, place] of touches) {
      const step = TOUCHES[touch]?.(place, project)
      if (step) steps.set(step, touch)
    }
    return [...steps.keys()]
  }
  const arrived = async (options: Pick<RunOptions, 'init'>) => {
    const { steps: offeredSteps, after } = await runAgent(program, path, { ...options, fill })
    // A cut file that never fits counts as sent: a later touch below its directory does not bring the rest of it.
    const cut = new Set<string>()
    return new Map(
      offeredSteps().flatMap((step, at) => {
        const [touch = '', before = '', request] = [steps.get(step), after(at), after(at + 1)]
        const place = touches.get(touch)
        if (request === undefined || !place) return []
        const share = arrivedIn(textOf(request), place.files)
        const isCutNow = request.split(CUT).length > before.split(CUT).length
        if (isCutNow) {
          // A search also brings files of directories that are touched later.
          const text = textOf(request)
          const end = text.lastIndexOf(CUT)
          const answer = text.slice(text.lastIndexOf(ANSWER, end), text.indexOf('\n', end))
          const files = [...touches.values()].flatMap((one) =>
            one.files.filter(
              ({ path }) =>
                answer.includes(`"${root}/${path}"`) || answer.includes(` ${path},`) || answer.includes(` ${path}.`),
            ),
          )
          for (const missed of [...share.missed, ...arrivedIn(answer, files).missed]) cut.add(missed.path)
        }
        const isCut = isCutNow || share.missed.some((missed) => cut.has(missed.path))
        return [[touch, { ...share, isCut }] as const]
      }),
    )
  }
  const [without, withHook] = [await arrived({}), await arrived({ init: program.scope ?? [] })]
  const outcomes = [...withHook].flatMap(([touch, helped]): TouchOutcome[] => {
    const alone = without.get(touch)
    return alone ? [{ touch, repository: basename(repository), alone, helped }] : []
  })
  return { outcomes, count: touches.size }
}

function writeTouches({ agent, version }: Program, outcomes: readonly TouchOutcome[]): void {
  const all = Object.keys(TOUCHES).map((touch) => [touch, outcomes.filter((each) => each.touch === touch)] as const)
  const rows = [...all.filter(([, group]) => group.length > 0), ['all', outcomes] as const].map(([touch, group]) => [
    agent,
    touch,
    String(group.length),
    ...sharesOf(group.map(({ alone }) => alone)),
    ...sharesOf(group.map(({ helped }) => helped)),
    ...sharesOf(group.flatMap(({ helped }) => (helped.isCut ? [] : [helped]))),
  ])
  for (const row of rows) console.log(`  ${row.join(' | ')}`)
  const misses = outcomes.flatMap(({ touch, repository, helped }) =>
    helped.missed.map(({ path, share, bytes }) => {
      const arrived = `${Math.floor(share * 100)} % of ${bytes} bytes${helped.isCut ? '' : ', not cut'}`
      return `${repository}/${path} by ${touch}: ${arrived}`
    }),
  )
  for (const miss of misses) console.log(`  missed: ${miss}`)
  keepRows('agents-touches', COMMAND, { ...ALL_TOUCHES, rows: rows.slice(-1) }, 2)
  keepRows('agents-touches', COMMAND, { ...BY_TOUCH, rows: rows.slice(0, -1) }, 2)
  const cut = outcomes.filter(({ helped }) => helped.isCut).reduce((sum, { helped }) => sum + helped.missed.length, 0)
  keepRows('agents-touches', COMMAND, { ...MISSED, rows: [[agent, version, String(misses.length), String(cut)]] })
}

/** Percentage of the bytes that arrived, and of the files that arrived whole. */
function sharesOf(shares: readonly ArrivedShare[]): readonly string[] {
  const total = (of: (share: ArrivedShare) => number) => shares.reduce((sum, share) => sum + of(share), 0)
  const percent = (part: number, whole: number) =>
    whole === 0 ? '–' : `${((part * 100) / whole).toFixed(part === whole ? 0 : 1)} %`
  return [
    percent(
      total(({ bytes }) => bytes),
      total(({ ofBytes }) => ofBytes),
    ),
    percent(
      total(({ whole }) => whole),
      total(({ ofFiles }) => ofFiles),
    ),
  ]
}
