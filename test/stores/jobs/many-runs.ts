/** Ten runs of research in a team, of which any server may be killed at any time. */

import { setTimeout as sleep } from 'node:timers/promises'
import { FILES, logProblems, QUESTION, until } from './runs.ts'
import { type Heard, LAST, type Team } from './team.ts'

const RUNS = 10

/** How often a server is killed; between two kills there are up to so many events, of all runs, and milliseconds more. */
const KILLS = { count: 5, events: 100, ms: 100 }

export interface ManyRuns {
  readonly team: Team
  /** Of their database. */
  readonly url: string
  /** Numbers from 0 up to 1: which server is killed, and when. */
  readonly random: () => number
  /** The report of a run that nobody disturbed. */
  readonly expected: string
}

/** Gives what is wrong with them in the end, and which servers were killed, each with after how many events. */
export async function runsAmongKills(given: ManyRuns) {
  const { team } = given
  const ids = await Promise.all(Array.from({ length: RUNS }, () => team.session({ question: QUESTION }, FILES)))
  const followed = ids.map((id) => ({ id, heard: team.follow(id).heard }))
  await Promise.all(ids.map((id) => team.post(`/api/sessions/${id}/start`)))
  const killed = await someKilled(given, followed)
  await until(() => isOver(followed))
  const problems = followed.map(async (one, index) =>
    (await wrongWith(one, given)).map((problem) => `run ${index}: ${problem}`),
  )
  return { problems: (await Promise.all(problems)).flat(), killed }
}

interface Followed {
  readonly id: string
  readonly heard: Heard
}

function isOver(followed: readonly Followed[]): boolean {
  return followed.every(({ heard }) => LAST.test(heard.types.at(-1) ?? ''))
}

async function someKilled({ team, random }: ManyRuns, followed: readonly Followed[]): Promise<string[]> {
  const [killed, added]: [string[], Promise<unknown>[]] = [[], []]
  const told = () => followed.reduce((sum, { heard }) => sum + heard.ids.length, 0)
  for (let next = 0; killed.length < KILLS.count; ) {
    next += 1 + Math.floor(random() * KILLS.events)
    await until(() => told() >= next || isOver(followed))
    await sleep(random() * KILLS.ms)
    if (isOver(followed)) break
    const at = told()
    const role = await oneKilled(team, random)
    killed.push(`${role} after ${at}`)
    added.push(team.add(role))
  }
  await Promise.all(added)
  return killed
}

/** Any of them. Another one is begun in its place, and may not be there when the next is killed. */
async function oneKilled(team: Team, random: () => number): Promise<'api' | 'worker'> {
  await until(() => team.apis.length + team.workers.length > 0)
  const all = [...team.apis, ...team.workers]
  const victim = all[Math.floor(random() * all.length)]
  if (!victim) throw new Error('There is nobody to kill.')
  const role = team.apis.includes(victim) ? 'api' : 'worker'
  await team.kill(victim)
  return role
}

async function wrongWith({ id, heard }: Followed, { team, url, expected }: ManyRuns): Promise<string[]> {
  const [{ seq }, { markdown }] = [
    await team.ask(`/api/sessions/${id}`),
    await team.ask(`/api/sessions/${id}/report?format=json`),
  ]
  return [
    ...(heard.types.at(-1) === 'run_completed' ? [] : [`it ended with ${heard.types.at(-1)}`]),
    ...heard.ids.filter((number, at) => number !== at + 1).map((number) => `${number} was not heard in its turn`),
    ...(seq === heard.ids.length ? [] : [`${heard.ids.length} of ${seq} events were heard`]),
    ...(markdown === expected ? [] : ['another report']),
    ...(await logProblems(url, id)),
  ]
}
