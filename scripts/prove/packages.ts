import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { mapParallel } from '../../src/core/steps.ts'
import { ambitBeside } from '../../test/support/program.ts'
import {
  compare,
  expectNothingLeft,
  FAR,
  KEYS,
  latestIn,
  NAME,
  plant,
  type Revision,
  type RoundContext,
  verifyStates,
} from './package-states.ts'
import { STORES, type Store } from './package-stores.ts'
import type { Part, Proving } from './proving.ts'

/** For each store: number of kills of `push`, of kills of `get`, and of races of two pushes. */
const ROUNDS = { ci: 2, quick: 10, full: 50 }

/** Number of stores that are tested at the same time. */
const WIDE = 2

export const packages: Part = {
  name: 'packages',
  claim:
    '`get` and `push` of a package are killed at any moment, and two push at once: each revision verifies, and is what a reference in Python makes of it; nothing is left behind when the next run has ended; who lost is told who won, and loses nothing. Ceph takes part with `test/support/ceph.sh` before the command',
  lacks: () => (spawnSync('python3', ['-V']).error ? 'no python3' : undefined),
  async prove(proving) {
    const count = proving.amount(ROUNDS)
    const rounds = (name: string, store: Store, round: Round) =>
      proving.rounds(`${store.name}: ${name}`, count, (random, index) => round(store, { random, index, proving }))
    await mapParallel(STORES, { atOnce: WIDE }, async ({ name, open }) => {
      await using store = await open(name)
      await plant(store)
      await rounds('kills', store, killRound)
      await rounds('races', store, raceRound)
    })
    proving.note(`stores, ${count} rounds of each`, STORES.map(({ name }) => name).join(', '))
  },
}

type Round = (store: Store, context: RoundContext) => Promise<void>

/** Bytes of a file that is sent in parts. */
const LARGE = 9 << 20

interface CommandResult {
  readonly status: number | null
  /** The answer, or the error. */
  readonly answer: Answer
}

interface Answer {
  readonly hash?: string
  readonly parent?: string | null
  readonly rivals?: readonly string[]
  readonly changed?: number
  readonly reports?: readonly { readonly logicalKey: string }[]
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string }
}

/** Runs a command. `ms`: milliseconds after which the command is killed. */
async function run(store: Store, args: readonly string[], ms?: number): Promise<CommandResult> {
  const began = performance.now()
  const { status, stdout, stderr } = await ambitBeside(['package', ...args, '--json'], {
    cwd: store.at.base,
    env: store.env,
    ms,
  })
  if (status !== null) store.times.set(args[0] ?? '', performance.now() - began)
  const error = () =>
    stderr
      .split('\n')
      .filter((line) => !line.startsWith('{"type"'))
      .join('\n')
  return { status, answer: status === null ? {} : JSON.parse(stdout || error()) }
}

const pushOf = (home: string, store: Store, message: string) => [
  ...['push', home, NAME, '--registry', store.registry],
  ...['--message', message, '--yes'],
]

/** Maximum attempts to kill a command before it ends. */
const TRIES = 5

/** Kills a command at any moment. `prepare` gives it something to do. */
async function killDuring(
  store: Store,
  args: readonly string[],
  prepare: () => void,
  { random, proving }: RoundContext,
) {
  const [command = ''] = args
  for (let tries = 0; tries < TRIES; tries++) {
    prepare()
    const ms = (store.times.get(command) ?? 1000) * (0.3 + 0.7 * random())
    const { status } = await run(store, args, ms)
    if (status === null) return proving.add(`kills of ${command}`)
  }
  proving.lose(`${store.name}: ${command} was never killed in time`)
}

/** Changes some of these files, and sometimes writes a large file and a new one. Returns the keys. */
function edit(store: Store, home: string, keys: readonly string[], { random, index }: RoundContext): string[] {
  const chosen = keys.filter(() => random() < 0.4)
  const large = `data/large-${home}.bin`
  const edited = [...chosen, ...(index % 4 < 2 ? [large] : []), ...(index % 3 === 0 ? [`data/new-${index}.txt`] : [])]
  for (const key of edited) plantFile(store, `${home}/${key}`, { text: `${key} ${random()}\n`, isLarge: key === large })
  return edited
}

function plantFile(
  { at }: Store,
  path: string,
  { text, isLarge }: { readonly text: string; readonly isLarge: boolean },
) {
  // The NUL makes the file binary, so that the search for secrets skips it.
  const start = isLarge ? '\0' : ''
  at.plant({ [path]: start + text.repeat(Math.ceil((isLarge ? LARGE : 40_000) / text.length)) })
}

/** Gets the package. Only the entry that nobody can fetch may be missing. */
async function getAll(store: Store, home: string, { proving, index }: RoundContext): Promise<void> {
  const { reports = [] } = (await run(store, ['get', store.address, home])).answer
  const keys = reports.map(({ logicalKey }) => logicalKey)
  proving.same(`${store.name}, round ${index}: problems of get`, keys, [FAR])
}

/** Two homes (copies) push in turn. `part` has `data/`, and never gets the pushes of `whole`. A third home gets. */
const killRound: Round = async (store, context) => {
  const { index } = context
  // Each run has a new store, even if it resumes an earlier run.
  if (!existsSync(store.at.at('part'))) await run(store, ['get', store.address, 'part', '--path', 'data/'])
  if (index % 2 === 1) await getAll(store, 'whole', context)
  const before = await latestIn(store)
  await killPush(store, before, context)
  await killGet(store, before, context)
}

async function killPush(store: Store, before: Revision, context: RoundContext): Promise<void> {
  const { index, proving } = context
  const home = index % 2 === 0 ? 'part' : 'whole'
  const own = KEYS.filter((_, at) => at % 2 === index % 2)
  const message = `round ${index}`
  const push = pushOf(home, store, message)
  const edited = new Set<string>()
  const prepare = () => {
    for (const key of edit(store, home, own, context)) edited.add(key)
  }
  await killDuring(store, push, prepare, context)
  await verifyStates(store, context)
  if ((await latestIn(store)).hash !== before.hash) proving.add('kills behind the new latest')
  const { status, answer } = await run(store, push)
  const after = await latestIn(store)
  proving.same(`${store.name}, round ${index}: the push`, [status, answer.hash], [0, after.hash])
  const manifests = { before: before.manifest, after: after.manifest }
  compare('revised', { ...manifests, directory: store.at.at(home), edited: [...edited], message }, { store, context })
  await expectNothingLeft(store, 'push', context)
}

async function killGet(store: Store, before: Revision, context: RoundContext): Promise<void> {
  const { index, proving, random } = context
  const copy = store.at.at('copy')
  const after = await latestIn(store)
  let isFresh = random() < 0.3
  const prepare = () => {
    if (isFresh) rmSync(copy, { recursive: true, force: true })
    isFresh = true
  }
  await killDuring(store, ['get', store.address, 'copy'], prepare, context)
  const target = { store, context }
  compare('fetched', { directory: copy, manifests: [before.manifest, after.manifest] }, target)
  if (existsSync(copy)) {
    const plan = await run(store, ['push', 'copy', NAME, '--registry', store.registry, '--dry-run'])
    proving.same(`${store.name}, round ${index}: what a half copy changes`, plan.answer.changed, 0)
  }
  await getAll(store, 'copy', context)
  compare('fetched', { directory: copy, manifests: [after.manifest], absent: [FAR] }, target)
  await expectNothingLeft(store, 'get', context)
}

/** Two homes change their own files, and sometimes the same file, and push at once. The loser pushes again. */
const raceRound: Round = async (store, context) => {
  const { index, proving, random } = context
  await Promise.all(HOMES.map((home) => getAll(store, home, context)))
  const shared = [
    ...(index % 5 === 0 ? [`data/both-${index}.txt`] : []),
    ...(index % 10 === 0 ? ['data/both.bin'] : []),
  ]
  for (const [at, home] of HOMES.entries()) {
    const text = `${home} ${index} ${random()}\n`
    for (const key of [KEYS[(2 * index + at) % KEYS.length], `data/of-${home}-${index}.txt`, ...shared])
      plantFile(store, `${home}/${key}`, { text, isLarge: key === 'data/both.bin' })
  }
  const wait = random() * 200
  const both = await Promise.all(
    HOMES.map(async (home, at) => {
      await sleep(at * wait)
      return run(store, pushOf(home, store, `${home} ${index}`))
    }),
  )
  proving.add('races')
  const { hash: winner } = await latestIn(store)
  const what = `${store.name}, race ${index}`
  for (const [at, ran] of both.entries()) judge(what, { ran, other: both[1 - at], winner }, proving)
  await verifyStates(store, context)
  for (const [at, home] of HOMES.entries()) {
    if (both[at]?.answer.hash === winner) continue
    // A person has to merge what both changed.
    for (const key of shared) rmSync(store.at.at(home, key), { force: true })
    const { status, answer } = await run(store, pushOf(home, store, `${home} ${index} again`))
    if (status !== 0) proving.lose(`${what}: ${home} could not push again: ${JSON.stringify(answer)}`)
  }
  const text = readFileSync((await latestIn(store)).manifest, 'utf8')
  for (const home of HOMES)
    if (!text.includes(`"data/of-${home}-${index}.txt"`)) proving.lose(`${what}: what ${home} pushed is lost`)
  await expectNothingLeft(store, 'race', context)
}

const HOMES = ['one', 'two'] as const

interface RaceResult {
  readonly ran: CommandResult
  readonly other: CommandResult | undefined
  readonly winner: string
}

/** Judges one pusher of a race. It must win, push before the winner, or be told who won. */
function judge(what: string, { ran, other, winner }: RaceResult, proving: Proving): void {
  const { hash, error, rivals = [] } = ran.answer
  if (ran.status === 0 && hash === winner) return
  const said = error?.message ?? ''
  if (ran.status === 0 && other?.answer.parent === hash) proving.add('pushes one behind the other')
  else if (said.includes('changed here and by somebody else')) proving.add('pushes of what both changed, refused')
  else if (rivals.includes(winner) || said.includes(winner)) proving.add('losers told who won')
  else if (hash !== undefined && other?.answer.rivals?.includes(hash)) proving.add('losers that the winner is told of')
  else proving.lose(`${what}: a loser was not told that ${winner} won: ${JSON.stringify(ran)}`)
}
