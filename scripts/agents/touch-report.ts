/** Tries the ways to touch a directory in repositories, and writes what of their instruction files stood in the requests. */

import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { putRows } from '../docs/page-table.ts'
import type { Step } from './model.ts'
import type { Program } from './programs.ts'
import { install, type RunOptions, runAgent } from './run.ts'
import { type ArrivedShare, arrivedIn, preparePlaces, TOUCHES, type TouchedPlace } from './touches.ts'

const PAGE = join(import.meta.dirname, '../../docs/figures/reach.md')

/** Touches by name, each at a place of its own, in one session. */
type Touching = ReadonlyMap<string, TouchedPlace>

/** What one touch brought, alone and with Ambit. */
interface TouchOutcome {
  readonly touch: string
  readonly repository: string
  readonly alone: ArrivedShare
  readonly helped: ArrivedShare
}

/** Sessions in each repository at most: where it has fewer places than there are touches, the next repository goes on with them. */
const SESSIONS_EACH = 2

/** Tries the touches in each repository, and writes what arrived. */
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
  let touching: Touching = new Map()
  const steps = new Map<Step, string>()
  const fill = (project: string) => {
    const places = preparePlaces(repository, project)
    touching = new Map(places.flatMap((place, at) => (order[at] === undefined ? [] : [[order[at], place] as const])))
    steps.clear()
    for (const [touch, place] of touching) {
      const step = TOUCHES[touch]?.(place, project)
      if (step) steps.set(step, touch)
    }
    return [...steps.keys()]
  }
  const arrived = async (options: Pick<RunOptions, 'init'>) => {
    const { steps: taken, after } = await runAgent(program, path, { ...options, fill })
    return new Map(
      taken().flatMap((step, at) => {
        const [touch = '', request] = [steps.get(step), after(at + 1)]
        const place = touching.get(touch)
        return request === undefined || !place ? [] : [[touch, arrivedIn(request, place)] as const]
      }),
    )
  }
  const [without, having] = [await arrived({}), await arrived({ init: program.scope ?? [] })]
  const outcomes = [...having].flatMap(([touch, helped]): TouchOutcome[] => {
    const alone = without.get(touch)
    return alone ? [{ touch, repository: basename(repository), alone, helped }] : []
  })
  return { outcomes, count: touching.size }
}

function writeTouches({ agent, version }: Program, outcomes: readonly TouchOutcome[]): void {
  const all = Object.keys(TOUCHES).map((touch) => [touch, outcomes.filter((each) => each.touch === touch)] as const)
  const rows = [...all.filter(([, own]) => own.length > 0), ['all', outcomes] as const].map(([touch, own]) => [
    agent,
    touch.replaceAll('|', '\\|'),
    String(own.length),
    ...sharesOf(own.map(({ alone }) => alone)),
    ...sharesOf(own.map(({ helped }) => helped)),
  ])
  for (const row of rows) console.log(`  ${row.join(' | ')}`)
  const misses = outcomes.flatMap(({ touch, repository, helped }) =>
    helped.missed.map(
      ({ path, share, bytes }) => `${repository}/${path} by ${touch}: ${Math.floor(share * 100)} % of ${bytes} bytes`,
    ),
  )
  for (const miss of misses) console.log(`  missed: ${miss}`)
  const page = putRows(readFileSync(PAGE, 'utf8'), '## By kind of touch', rows, 2)
  const row = [agent, version, misses.length === 0 ? 'none' : misses.join('; ')]
  writeFileSync(PAGE, putRows(page, '### What was missed', [row]))
}

/** Of bytes, and of files that are whole. */
function sharesOf(shares: readonly ArrivedShare[]): readonly string[] {
  const total = (of: (share: ArrivedShare) => number) => shares.reduce((sum, share) => sum + of(share), 0)
  const percent = (part: number, whole: number) => `${((part * 100) / whole).toFixed(part === whole ? 0 : 1)} %`
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
