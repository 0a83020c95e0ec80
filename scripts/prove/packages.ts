import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { mapParallel } from '../../src/core/steps.ts'
import { openWritable } from '../../src/files/directory.ts'
import { listPages, type Objects } from '../../src/files/objects.ts'
import { openS3 } from '../../src/files/s3/s3.ts'
import { ambit, ambitBeside, ambitInTurnBeside } from '../../test/support/program.ts'
import { adminOf, type Endpoint } from '../../test/support/s3/admin.ts'
import { Bucket } from '../../test/support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../../test/support/s3/server.ts'
import { S3_ENDPOINT } from '../../test/support/s3-endpoint.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import type { Part, Proving } from './proving.ts'

/** Kills of `push`, as many of `get`, and races of two pushers, for each store. */
const ROUNDS = { ci: 2, quick: 10, full: 50 }

/** Stores at the same time. */
const WIDE = 2

export const packages: Part = {
  name: 'packages',
  claim:
    '`get` and `push` of a package are killed at any moment, and two push at once: each revision verifies, and is what a reference in Python makes of it; nothing is left behind when the next run has ended; who lost is told who won, and loses nothing. Ceph takes part with `test/support/ceph.sh` before the command',
  lacks: () => (spawnSync('python3', ['-V']).error ? 'no python3' : undefined),
  async prove(proving) {
    const loops = 2 * STORES.length
    const most = ((proving.minutes ?? Infinity) * 60_000 * WIDE) / loops
    const rounds = (name: string, store: Store, round: Round) => {
      const end = performance.now() + most
      return proving.rounds(`${store.name}: ${name}`, proving.of(ROUNDS), async (random, index) => {
        if (performance.now() < end) await round(store, { random, index, proving })
      })
    }
    await mapParallel(STORES, { wide: WIDE }, async ({ name, open }) => {
      await using store = await open(name)
      await plant(store)
      await rounds('kills', store, killRound)
      await rounds('races', store, race)
    })
    proving.note('stores', STORES.map(({ name }) => name).join(', '))
  },
}

/** A registry, and a directory for homes of its package. */
interface Store extends AsyncDisposable {
  readonly name: string
  readonly at: Tree
  /** As `push` and as `get` take it. */
  readonly registry: string
  readonly address: string
  readonly env: Readonly<Record<string, string>>
  readonly objects: Objects
  /** Milliseconds that a command takes which is not killed. */
  readonly times: Map<string, number>
  /** Revisions that were verified. */
  readonly verified: Set<string>
  uploads(): Promise<readonly string[]>
}

type Round = (store: Store, trying: Trying) => Promise<void>

interface Trying {
  readonly random: () => number
  readonly index: number
  readonly proving: Proving
}

async function directory(name: string): Promise<Store> {
  const at = tree({ 'lab/': '' })
  ambit(['collection', 'add', 'lab', 'lab'], { cwd: at.base })
  return {
    ...storeAt(at, name),
    registry: 'lab',
    address: 'lab/team/data',
    env: {},
    objects: openWritable(at.at('lab')),
    uploads: async () => [],
    [Symbol.asyncDispose]: async () => at[Symbol.dispose](),
  }
}

const storeAt = (at: Tree, name: string) => ({ at, name, times: new Map(), verified: new Set<string>() })

async function bucketStore(name: string, endpoint: Endpoint, bucket: string): Promise<Store> {
  const at = tree({})
  const { url, region, key, secret } = endpoint
  const { client, close } = adminOf(endpoint)
  const objects = await openS3({
    bucket,
    endpoint: url,
    region,
    credentials: { accessKeyId: key, secretAccessKey: secret },
  })
  return {
    ...storeAt(at, name),
    registry: `s3://${bucket}`,
    address: `quilt+s3://${bucket}#package=team/data`,
    env: { AWS_ENDPOINT_URL_S3: url, AWS_REGION: region, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret },
    objects,
    uploads: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
      return Uploads.map(({ Key = '' }) => Key)
    },
    [Symbol.asyncDispose]: async () => {
      await objects.close()
      close()
      at[Symbol.dispose]()
    },
  }
}

const scripted =
  (ifMatch: Bucket['ifMatch'], isVersioned: boolean) =>
  async (name: string): Promise<Store> => {
    const server = await s3Server()
    server.buckets.set('bucket', Object.assign(new Bucket(REGION), { ifMatch, ...(isVersioned && ENABLED) }))
    const store = await bucketStore(name, { url: server.url, region: REGION, key: KEY, secret: SECRET }, 'bucket')
    return {
      ...store,
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  }

const ENABLED = { versioning: 'Enabled' } as const

const ceph = (endpoint: Endpoint, isVersioned: boolean) => async (name: string) => {
  const admin = adminOf(endpoint)
  const bucket = await admin.bucket({ isVersioned })
  admin.close()
  return bucketStore(name, endpoint, bucket)
}

const STORES: readonly { readonly name: string; open(name: string): Promise<Store> }[] = [
  { name: 'a directory', open: directory },
  { name: 'a service that ignores If-Match', open: scripted('ignores', false) },
  ...(S3_ENDPOINT
    ? [
        { name: 'Ceph', open: ceph(S3_ENDPOINT, false) },
        { name: 'Ceph with versions', open: ceph(S3_ENDPOINT, true) },
      ]
    : [{ name: 'a service with versions that refuses If-Match', open: scripted('never', true) }]),
]

const NAME = 'team/data'
const MANIFESTS = '.quilt/packages/'
const POINTERS = `.quilt/named_packages/${NAME}/`

/** An entry that nobody can fetch. */
const FAR = 'far.txt'

/** Entries that are fetched into every home, and others. */
const KEYS = Array.from({ length: 24 }, (_, at) => `data/${String(at).padStart(2, '0')}.csv`)
const OTHERS = ['raw/a.txt', 'raw/b.txt']

/** Bytes of a file that is sent in parts. */
const LARGE = 9 << 20

/** The first revision, as quilt3 writes one: hashes of the older type, and numbers that JavaScript has not. */
async function plant(store: Store): Promise<void> {
  const head = [
    '{"version": "v0", "message": "first", "user_meta": {"qc": NaN, "big": 123456789012345678901234567890, "1": 1.50}}',
    '{"logical_key": "raw/", "meta": {"user_meta": {"of": "a directory"}}}',
  ]
  const rows = [entryLine(FAR, 's3://ambit-of-somebody-else/far.txt?versionId=x', { bytes: Buffer.from('far'), at: 0 })]
  for (const [at, key] of [...KEYS, ...OTHERS].entries()) {
    const bytes = Buffer.from(`${key}\n`.repeat(2000))
    const { version } = await store.objects.put(`old/${key}`, bytes)
    rows.push(entryLine(key, `${store.objects.uri}/old/${key}${version ? `?versionId=${version}` : ''}`, { bytes, at }))
  }
  // Each begins with its key.
  store.at.plant({ 'kept/first': `${[...head, ...rows.sort()].join('\n')}\n` })
  const hash = String(reference('hash', { path: store.at.at('kept/first') }))
  await store.objects.put(`${MANIFESTS}${hash}`, readFileSync(store.at.at('kept/first')))
  for (const pointer of ['latest', '1680720300']) await store.objects.put(`${POINTERS}${pointer}`, Buffer.from(hash))
}

interface Planted {
  readonly bytes: Buffer
  readonly at: number
}

function entryLine(key: string, place: string, { bytes, at }: Planted): string {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const number = ['NaN', '-Infinity', '1E5', '12345678901234567890'][at % 4]
  return `{"logical_key": "${key}", "physical_keys": ["${place}"], "size": ${bytes.length}, "hash": {"type": "SHA256", "value": "${hash}"}, "meta": {"user_meta": {"n": ${number}, "sample": "S${at}"}}}`
}

/** What the reference in Python says. */
function reference(what: string, values: object): unknown {
  const script = join(import.meta.dirname, 'packages.py')
  return JSON.parse(execFileSync('python3', [script, what, JSON.stringify(values)], { encoding: 'utf8' }))
}

function compare(
  what: 'revised' | 'fetched',
  values: object,
  { store, trying }: { store: Store; trying: Trying },
): void {
  for (const sentence of reference(what, values) as string[])
    trying.proving.lose(`${store.name}, round ${trying.index}, ${what}: ${sentence}`)
  trying.proving.add('comparisons with the reference')
}

interface Revision {
  readonly hash: string
  /** A file with its manifest, called by its hash. */
  readonly manifest: string
}

async function latestIn({ objects, at }: Store): Promise<Revision> {
  const hash = await textAt(objects, `${POINTERS}latest`)
  const manifest = at.at('kept', hash)
  mkdirSync(dirname(manifest), { recursive: true })
  writeFileSync(manifest, await textAt(objects, `${MANIFESTS}${hash}`))
  return { hash, manifest }
}

async function textAt(objects: Objects, key: string): Promise<string> {
  const read = await objects.read(key)
  return read === 'unchanged' ? '' : Buffer.from(read.bytes).toString()
}

async function keysBelow(objects: Objects, prefix: string): Promise<string[]> {
  const pages = await Array.fromAsync(listPages(objects, { prefix }))
  return pages.flatMap((page) => page.objects.map(({ key }) => key.slice(prefix.length)))
}

/** Every revision that came since the last look, and the latest, is good. */
async function verifyStates(store: Store, { proving, index }: Trying): Promise<void> {
  const { hash: latest } = await latestIn(store)
  const hashes = (await keysBelow(store.objects, MANIFESTS)).filter((hash) => !store.verified.has(hash))
  const wanted = [...new Set([...hashes, latest])]
  const { base: cwd } = store.at
  const lines = wanted.map((hash) => ['package', 'verify', `${store.address}@${hash}`])
  for (const [at, { status, stdout, stderr }] of (await ambitInTurnBeside(lines, { cwd, env: store.env })).entries()) {
    const hash = wanted[at] ?? ''
    if (status !== 0) proving.lose(`${store.name}, round ${index}: ${hash} does not verify: ${stdout}${stderr}`)
    else store.verified.add(hash)
    proving.add('revisions verified')
  }
}

interface Ran {
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

/** `ms`: after which it is killed. */
async function run(store: Store, args: readonly string[], ms?: number): Promise<Ran> {
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

/** How often a command is begun that always ends before it is killed. */
const TRIES = 5

/** Kills a command at any moment. `prepare` gives it something to do. */
async function killed(store: Store, args: readonly string[], prepare: () => void, { random, proving }: Trying) {
  const [command = ''] = args
  for (let tries = 0; tries < TRIES; tries++) {
    prepare()
    const ms = (store.times.get(command) ?? 1000) * (0.3 + 0.7 * random())
    const { status } = await run(store, args, ms)
    if (status === null) return proving.add(`kills of ${command}`)
  }
  proving.lose(`${store.name}: ${command} was never killed in time`)
}

/** Nothing of a run that was killed is left when the next one has ended. */
async function nothingLeft(store: Store, what: string, { proving, index }: Trying): Promise<void> {
  const files = readdirSync(store.at.base, { recursive: true }).map(String)
  const left = [...files.filter((file) => /\.ambit-put/.test(file)), ...(await store.uploads())]
  if (left.length > 0) proving.lose(`${store.name}, round ${index}, after ${what}: left behind: ${left.join(', ')}`)
}

/** Writes files anew: some of these keys, at times a large one and a new one. */
function edit(store: Store, home: string, keys: readonly string[], { random, index }: Trying): string[] {
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
  // No text: it is not looked through for secrets.
  const start = isLarge ? '\0' : ''
  at.plant({ [path]: start + text.repeat(Math.ceil((isLarge ? LARGE : 40_000) / text.length)) })
}

/** All that cannot be fetched is what nobody can fetch. */
async function getAll(store: Store, home: string, { proving, index }: Trying): Promise<void> {
  const { reports = [] } = (await run(store, ['get', store.address, home])).answer
  const keys = reports.map(({ logicalKey }) => logicalKey)
  proving.same(`${store.name}, round ${index}: problems of get`, keys, [FAR])
}

/** Two homes push in turn, of which one has a part of the package and never gets what the other pushed; a third one gets. */
const killRound: Round = async (store, trying) => {
  const { index } = trying
  if (index === 0) await run(store, ['get', store.address, 'part', '--path', 'data/'])
  if (index % 2 === 1) await getAll(store, 'whole', trying)
  const before = await latestIn(store)
  await killPush(store, before, trying)
  await killGet(store, before, trying)
}

async function killPush(store: Store, before: Revision, trying: Trying): Promise<void> {
  const { index, proving } = trying
  const home = index % 2 === 0 ? 'part' : 'whole'
  const own = KEYS.filter((_, at) => at % 2 === index % 2)
  const message = `round ${index}`
  const push = pushOf(home, store, message)
  const edited = new Set<string>()
  const prepare = () => {
    for (const key of edit(store, home, own, trying)) edited.add(key)
  }
  await killed(store, push, prepare, trying)
  await verifyStates(store, trying)
  if ((await latestIn(store)).hash !== before.hash) proving.add('kills behind the new latest')
  const { status, answer } = await run(store, push)
  const after = await latestIn(store)
  proving.same(`${store.name}, round ${index}: the push`, [status, answer.hash], [0, after.hash])
  const manifests = { before: before.manifest, after: after.manifest }
  compare('revised', { ...manifests, directory: store.at.at(home), edited: [...edited], message }, { store, trying })
  await nothingLeft(store, 'push', trying)
}

async function killGet(store: Store, before: Revision, trying: Trying): Promise<void> {
  const { index, proving, random } = trying
  const copy = store.at.at('copy')
  const after = await latestIn(store)
  let isFresh = random() < 0.3
  const prepare = () => {
    if (isFresh) rmSync(copy, { recursive: true, force: true })
    isFresh = true
  }
  await killed(store, ['get', store.address, 'copy'], prepare, trying)
  const of = { store, trying }
  compare('fetched', { directory: copy, manifests: [before.manifest, after.manifest] }, of)
  if (existsSync(copy)) {
    const plan = await run(store, ['push', 'copy', NAME, '--registry', store.registry, '--dry-run'])
    proving.same(`${store.name}, round ${index}: what a half copy changes`, plan.answer.changed, 0)
  }
  await getAll(store, 'copy', trying)
  compare('fetched', { directory: copy, manifests: [after.manifest], absent: [FAR] }, of)
  await nothingLeft(store, 'get', trying)
}

/** Two change what is theirs, and at times the same, and push at once; whoever lost pushes again. */
const race: Round = async (store, trying) => {
  const { index, proving, random } = trying
  await Promise.all(HOMES.map((home) => getAll(store, home, trying)))
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
  await verifyStates(store, trying)
  for (const [at, home] of HOMES.entries()) {
    if (both[at]?.answer.hash === winner) continue
    // What both changed is merged by the person.
    for (const key of shared) rmSync(store.at.at(home, key), { force: true })
    const { status, answer } = await run(store, pushOf(home, store, `${home} ${index} again`))
    if (status !== 0) proving.lose(`${what}: ${home} could not push again: ${JSON.stringify(answer)}`)
  }
  const text = readFileSync((await latestIn(store)).manifest, 'utf8')
  for (const home of HOMES)
    if (!text.includes(`"data/of-${home}-${index}.txt"`)) proving.lose(`${what}: what ${home} pushed is lost`)
  await nothingLeft(store, 'race', trying)
}

const HOMES = ['one', 'two'] as const

interface Judged {
  readonly ran: Ran
  readonly other: Ran | undefined
  readonly winner: string
}

/** One pusher of a race: it won, or went before the winner, or is told who won. */
function judge(what: string, { ran, other, winner }: Judged, proving: Proving): void {
  const { hash, error, rivals = [] } = ran.answer
  if (ran.status === 0 && hash === winner) return
  const said = error?.message ?? ''
  if (ran.status === 0 && other?.answer.parent === hash) proving.add('pushes one behind the other')
  else if (said.includes('changed here and by somebody else')) proving.add('pushes of what both changed, refused')
  else if (rivals.includes(winner) || said.includes(winner)) proving.add('losers told who won')
  else if (hash !== undefined && other?.answer.rivals?.includes(hash)) proving.add('losers that the winner is told of')
  else proving.lose(`${what}: a loser was not told that ${winner} won: ${JSON.stringify(ran)}`)
}
