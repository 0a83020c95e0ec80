import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openByDescriptor, openByRealPath } from '../../src/files/confine.ts'
import { openRoot, rootAt } from '../../src/files/disk.ts'
import { nodeForNobody } from '../support/nobody.ts'
import { SOON } from '../support/soon.ts'
import { withNobody } from '../support/with-nobody.ts'
import { INSIDE, plantTree, textOf } from './fixtures.ts'
import { ownTree } from './own-tree.ts'

const { base, root: path, outside } = ownTree()
const at = (name: string) => join(path, name)
const root = openRoot(path)
const run = promisify(execFile)
const script = (name: string) => join(import.meta.dirname, name)

const WAYS = [
  ['by descriptor', rootAt(root, openByDescriptor)],
  ['by real path', rootAt(root, openByRealPath)],
] as const

let server: Server

beforeAll(async () => {
  mkdirSync(at('README.md'))
  symlinkSync('README.md', at('link-to-directory'))
  execFileSync('mkfifo', [at('pipe'), join(outside, 'pipe')])
  symlinkSync('pipe', at('link-to-pipe'))
  symlinkSync('../outside/pipe', at('link-to-pipe-outside'))
  server = createServer()
  await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Reads while another process puts a named pipe in the file's place: enough to meet it between the look and the opening. */
const READS = 5_000

it('a pipe that takes the place of a file is never read as one', async () => {
  using swapped = plantTree(existsSync('/dev/shm') ? '/dev/shm' : undefined)
  writeFileSync(join(swapped.root, 'file'), INSIDE)
  execFileSync('mkfifo', [join(swapped.root, 'pipe')])
  const swapper = run(process.execPath, [script('swapper.ts'), 'pipe', swapped.base])
  const swappedRoot = rootAt(openRoot(swapped.root), openByDescriptor)
  const answers = new Set<string>()
  try {
    for (let read = 0; read < READS || (!answers.has('unreadable') && read < 100 * READS); read++) {
      const answer = swappedRoot.read('file')
      answers.add(answer.ok ? textOf(answer.bytes) : answer.why)
    }
  } finally {
    writeFileSync(join(swapped.base, 'stop'), '')
  }
  await swapper
  expect([...answers].filter((answer) => ![INSIDE, 'missing', 'unreadable'].includes(answer))).toEqual([])
  expect(answers).toContain('unreadable')
})

describe.each(WAYS)('what is not a regular file, opened %s,', (way, opened) => {
  it.each([
    ['README.md', 'README.md is a directory, not a file.'],
    ['link-to-directory', 'link-to-directory is a directory, not a file.'],
    ['pipe', 'pipe is a named pipe, not a file.'],
    ['link-to-pipe', 'link-to-pipe is a named pipe, not a file.'],
    ['socket', 'socket is a socket, not a file.'],
  ])('is unreadable at once, and the detail says what it is: %s', (name, detail) => {
    const times = [1, 2, 3].map(() => {
      const began = performance.now()
      expect(opened.read(name)).toEqual({ ok: false, why: 'unreadable', detail, isOtherKind: true })
      return performance.now() - began
    })
    expect(Math.min(...times)).toBeLessThan(50)
  })

  it('is denied without a word about its kind when it is outside', () => {
    const detail = 'link-to-pipe-outside leads outside the root.'
    expect(opened.read('link-to-pipe-outside')).toEqual({ ok: false, why: 'denied', detail })
  })

  it('cannot be listed unless it is a directory', () => {
    const detail = 'AGENTS.md is a file, not a directory.'
    expect(opened.list('AGENTS.md')).toEqual({ ok: false, why: 'unreadable', detail, isOtherKind: true })
    expect(opened.list('pipe')).toMatchObject({ ok: false, why: 'unreadable' })
    expect(opened.list('absent')).toMatchObject({ ok: false, why: 'missing' })
  })

  it.runIf(process.getuid?.() === 0)('is unreadable when it is a device', () => {
    const device = at(`device ${way}`)
    execFileSync('mknod', [device, 'c', '1', '5'])
    expect(opened.read(device)).toMatchObject({ why: 'unreadable', detail: expect.stringContaining('is a device') })
  })

  it('does not stop the reading of its neighbours', () => {
    const read = opened.read('AGENTS.md')
    expect(read.ok && textOf(read.bytes)).toBe(INSIDE)
  })
})

describe('the size of a file', () => {
  it.each([
    [0, 100],
    [99, 100],
    [100, 100],
    [0, 0],
  ])('is read whole up to the cap: %d bytes of at most %s', (size, maxBytes) => {
    writeFileSync(at('sized'), Buffer.alloc(size, 'x'))
    const read = root.read('sized', { maxBytes })
    expect(read.ok && [read.bytes.length, read.version.size]).toEqual([size, size])
  })

  it.each([
    [101, 100],
    [1, 0],
    [10_001, 10_000],
  ])('is refused above the cap, with both numbers: %d bytes of at most %s', (size, maxBytes) => {
    writeFileSync(at('sized'), Buffer.alloc(size, 'x'))
    const detail = `sized has ${size} bytes; at most ${maxBytes} are read.`
    const refusal = { ok: false, why: 'over-limit', detail }
    expect(root.read('sized', { maxBytes })).toEqual(refusal)
  })

  it('may be cut to the cap when that is asked for', () => {
    writeFileSync(at('sized'), '0123456789')
    const read = root.read('sized', { maxBytes: 4, cut: true })
    expect(read.ok && [textOf(read.bytes), read.version.size]).toEqual(['0123', 10])
    const whole = root.read('sized', { maxBytes: 10, cut: true })
    expect(whole.ok && textOf(whole.bytes)).toBe('0123456789')
  })

  it('of 10 GiB costs nothing, refused or cut', () => {
    const size = 10 * 2 ** 30
    writeFileSync(at('sparse.md'), '')
    truncateSync(at('sparse.md'), size)
    const [began, memory] = [performance.now(), process.memoryUsage().rss]
    expect(root.read('sparse.md')).toMatchObject({
      why: 'over-limit',
      detail: expect.stringContaining(`${size} bytes`),
    })
    const read = root.read('sparse.md', { maxBytes: 10_000, cut: true })
    expect(read.ok && [read.bytes.length, read.version.size]).toEqual([10_000, size])
    expect(performance.now() - began).toBeLessThan(SOON)
    expect(process.memoryUsage().rss - memory).toBeLessThan(16 * 2 ** 20)
  })

  it('is all that a read holds in memory', () => {
    const read = root.read('AGENTS.md')
    expect(read.ok && read.bytes.buffer.byteLength).toBe(INSIDE.length)
  })

  it('is the only thing judged: the bytes come as they are', () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff, 0xfe, 0x0d, 0x0a])
    writeFileSync(at('bytes'), bytes)
    const read = root.read('bytes')
    expect(read.ok && bytes.equals(read.bytes)).toBe(true)
  })
})

withNobody('a user who is not root', () => {
  it('gets what is readable, and a reason for the rest', async () => {
    chmodSync(base, 0o755)
    mkdirSync(at('closed'))
    writeFileSync(at('closed/AGENTS.md'), INSIDE)
    chmodSync(at('closed'), 0o000)
    mkdirSync(at('search-only'))
    writeFileSync(at('search-only/AGENTS.md'), INSIDE)
    chmodSync(at('search-only'), 0o711)
    writeFileSync(at('private.md'), INSIDE)
    chmodSync(at('private.md'), 0o000)
    mkdirSync(join(outside, 'closed'), { mode: 0o700 })
    symlinkSync(join(outside, 'closed', 'x.md'), at('private-outside.md'))
    const names = 'AGENTS.md private.md closed/AGENTS.md search-only/AGENTS.md docs closed search-only'.split(' ')
    const [node, program] = nodeForNobody(script('drop-root.ts'))
    const { stdout } = await run(node, [program, path, ...names, 'private-outside.md'], { cwd: '/' })
    const answers: { read: string; list: string }[] = JSON.parse(stdout)
    const denied = (name: string) => `unreadable: ${name} may not be read: permission denied.`
    expect(answers.slice(0, 4).map(({ read }) => read)).toEqual([
      INSIDE,
      denied('private.md'),
      denied('closed/AGENTS.md'),
      INSIDE,
    ])
    expect(answers.slice(4, 7).map(({ list }) => list)).toEqual(['guide.md', denied('closed'), denied('search-only')])
    expect(answers[7]?.read).toBe(denied('private-outside.md'))
    chmodSync(at('closed'), 0o755)
  })
})

it('a process that has no descriptors left fails with a reason, and reads again when there are some', async () => {
  const command = 'ulimit -n 128 && exec "$0" "$@"'
  const { stdout } = await run('sh', ['-c', command, process.execPath, script('exhaust.ts'), path])
  const failed = (name: string) => ({
    ok: false,
    why: 'failed',
    detail: `${name} could not be opened: too many open files (EMFILE).`,
  })
  expect(JSON.parse(stdout)).toEqual([true, true, failed('AGENTS.md'), failed('.'), true, true])
})
