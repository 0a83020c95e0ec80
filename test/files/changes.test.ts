import { execFile, execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { systemOpener } from '../../src/files/confine.ts'
import { type FileRead, type FileVersion, identityOf, openRoot, rootAt, sameVersion } from '../../src/files/disk.ts'
import { isSettled } from '../../src/files/file-version.ts'
import { textOf } from './fixtures.ts'
import { ownTree } from './own-tree.ts'
import { STATE_BYTES } from './writer.ts'

const { root: path } = ownTree()
const root = openRoot(path)

function versionOf(name: string): FileVersion {
  const version = root.version(name)
  if (!version) throw new Error(`${name} is absent.`)
  return version
}

/** Waits until the clock of any file system has moved on. */
function passTick(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15)
}

describe('the version of a file', () => {
  const name = 'edited.md'
  const file = join(path, name)

  it('is that of what was read, and stays while nothing happens', () => {
    fs.writeFileSync(file, 'one')
    const read = root.read(name)
    expect(read.ok && sameVersion(read.version, versionOf(name))).toBe(true)
    expect(sameVersion(versionOf(name), versionOf(name))).toBe(true)
    expect(versionOf(name).size).toBe(3)
    expect(identityOf(versionOf(name))).toBe(`${fs.statSync(file).dev}:${fs.statSync(file).ino}`)
  })

  it.each<[string, () => void]>([
    ['other bytes of the same size', () => fs.writeFileSync(file, 'two')],
    ['other bytes, with the mtime put back', () => rewrittenInSecret('six')],
    ['more bytes', () => fs.appendFileSync(file, '!')],
    ['another file in its place', () => replaced('ten')],
    ['the same bytes in another file', () => replaced('one')],
    ['another mtime', () => fs.utimesSync(file, 1, 1)],
  ])('is another after %s', (_, change) => {
    fs.writeFileSync(file, 'one')
    passTick()
    const before = versionOf(name)
    change()
    expect(sameVersion(before, versionOf(name))).toBe(false)
  })

  function rewrittenInSecret(text: string): void {
    const before = versionOf(name)
    execFileSync('touch', ['-r', file, `${file}.times`])
    fs.writeFileSync(file, text)
    execFileSync('touch', ['-r', `${file}.times`, file])
    const { size, mtimeNs, ino } = versionOf(name)
    expect({ size, mtimeNs, ino }).toEqual({ size: before.size, mtimeNs: before.mtimeNs, ino: before.ino })
  }

  function replaced(text: string): void {
    fs.writeFileSync(`${file}.new`, text)
    fs.renameSync(`${file}.new`, file)
  }

  it('is also that of a directory, and of nothing when it is absent', () => {
    fs.mkdirSync(join(path, 'watched'))
    passTick()
    const before = versionOf('watched')
    fs.writeFileSync(join(path, 'watched', 'AGENTS.md'), '')
    expect(sameVersion(before, versionOf('watched'))).toBe(false)
    fs.rmSync(join(path, 'watched'), { recursive: true })
    expect(root.version('watched')).toBeUndefined()
    expect(root.version('AGENTS.md/child')).toBeUndefined()
  })

  it('proves nothing yet when the file was written just before', async () => {
    fs.writeFileSync(file, 'one')
    expect(root.read(name)).toMatchObject({ changed: false, settled: false })
    await setTimeout(150)
    expect(root.read(name)).toMatchObject({ changed: false, settled: true })
  })

  it.each([
    ['a moment after the write', 1_700_000_000_123n, 50, false],
    ['later', 1_700_000_000_123n, 150, true],
    ['a moment before the write, by another clock', 1_700_000_000_123n, -50, false],
    ['with the clock set back a day', 1_700_000_000_123n, -86_400_000, true],
    ['with the clock set forward ten years', 1_700_000_000_123n, 315_360_000_000, true],
    ['where times are whole seconds, within two', 1_700_000_000_000n, 1900, false],
    ['where times are whole seconds, after two', 1_700_000_000_000n, 2100, true],
    ['with a time before 1970', -5_000_000_001n, 5_000, true],
  ])('is settled or not %s', (_, ctimeMs, later, settled) => {
    const version = { size: 1, mtimeNs: 0n, ctimeNs: ctimeMs * 1_000_000n, ino: 1n, dev: 1n }
    expect(isSettled(version, Number(ctimeMs) + later)).toBe(settled)
  })
})

describe('a file that changes between the opening and the end of the read', () => {
  const file = join(path, 'moving.md')

  /** Reads it while `change` happens after each opening. */
  function readWhile(change: (opening: number) => void) {
    fs.writeFileSync(file, 'first')
    passTick()
    let openings = 0
    const moving = rootAt(root, (place) => {
      const opened = systemOpener()(place)
      change(++openings)
      return opened
    })
    const read = moving.read('moving.md')
    return { openings, read, text: read.ok ? textOf(read.bytes) : read.why }
  }

  it.each<[string, () => void]>([
    ['written anew', () => fs.writeFileSync(file, 'other')],
    ['longer', () => fs.appendFileSync(file, ', and more')],
    ['shorter', () => fs.truncateSync(file, 2)],
    ['replaced', () => fs.renameSync(temporary('other'), file)],
  ])('is read once more when it is %s', (_, change) => {
    const { openings, read, text } = readWhile((opening) => opening === 1 && change())
    expect(openings).toBe(2)
    expect(read).toMatchObject({ ok: true, changed: false })
    expect(text).toBe(fs.readFileSync(file, 'utf8'))
  })

  it('is missing when it is taken away', () => {
    expect(readWhile((opening) => opening === 1 && fs.rmSync(file))).toMatchObject({ openings: 2, text: 'missing' })
  })

  it('is read twice, and no more, when it never rests; its version then is not that of the file', () => {
    const { openings, read } = readWhile(() => fs.appendFileSync(file, '!'))
    expect(openings).toBe(2)
    expect(read).toMatchObject({ ok: true, changed: true, settled: false })
    expect(read.ok && sameVersion(read.version, versionOf('moving.md'))).toBe(false)
  })

  it('never fills more than the cap', () => {
    const { read } = readWhile(() => fs.appendFileSync(file, 'x'.repeat(100)))
    expect(read.ok && read.bytes.length).toBe(105)
    expect(root.read('moving.md', { maxBytes: 100 })).toMatchObject({ ok: false, why: 'over-limit' })
  })

  function temporary(text: string): string {
    fs.writeFileSync(`${file}.new`, text)
    return `${file}.new`
  }
})

type Answers = (FileRead | string)[]

/**
 * Reads a file over and over while another process writes to it; again, up to ten times, until the two have met as
 * `met` wants it: on a busy machine one of them may not run for a while.
 */
async function readsDuring(mode: string, reads: number, met: (answers: Answers) => boolean): Promise<Answers> {
  const directory = join(path, mode)
  fs.mkdirSync(directory)
  fs.writeFileSync(join(directory, 'file.md'), mode === 'append' ? '' : Buffer.alloc(STATE_BYTES, 'A'))
  const writer = promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'writer.ts'),
    mode,
    join(directory, 'file.md'),
  ])
  try {
    const first = versionOf(`${mode}/file.md`)
    while (sameVersion(first, root.version(`${mode}/file.md`) ?? first)) await setTimeout(5)
    const answers: Answers = []
    for (let round = 0; round < 10 && !met(answers); round++) {
      for (let number = 0; number < reads; number++) {
        const read = root.read(`${mode}/file.md`)
        answers.push(read.ok ? read : read.why)
      }
      await setTimeout(5)
    }
    return answers
  } finally {
    fs.writeFileSync(join(directory, 'stop'), '')
    expect(Number((await writer).stdout)).toBeGreaterThan(10)
  }
}

function isChanged(answer: FileRead | string): boolean {
  return typeof answer !== 'string' && answer.changed
}

function statesIn(answers: Answers): number {
  return new Set(answers.flatMap((answer) => (typeof answer === 'string' ? [] : [answer.bytes[0]]))).size
}

/** Whether the bytes are one whole state. */
function isState({ bytes }: FileRead): boolean {
  return bytes.length === STATE_BYTES && Buffer.alloc(STATE_BYTES, bytes[0]).equals(bytes)
}

function split(answers: readonly (FileRead | string)[]): { reads: FileRead[]; refusals: Set<string> } {
  const reads = answers.filter((answer) => typeof answer !== 'string')
  return { reads, refusals: new Set(answers.filter((answer) => typeof answer === 'string')) }
}

describe('a file that another process keeps', { tags: 'long' }, () => {
  it('overwriting is read as one of its states, or not trusted', async () => {
    const { reads, refusals } = split(await readsDuring('overwrite', 1000, (all) => all.some(isChanged)))
    expect(refusals).toEqual(new Set())
    for (const read of reads) if (!isState(read)) expect(read.changed || !read.settled).toBe(true)
    expect(reads.some((read) => read.changed)).toBe(true)
  })

  it('replacing is read as one of its states', async () => {
    const { reads, refusals } = split(await readsDuring('replace', 1000, (all) => statesIn(all) === 2))
    expect(refusals).toEqual(new Set())
    expect(reads.every(isState)).toBe(true)
    expect(new Set(reads.map(({ bytes }) => bytes[0])).size).toBe(2)
  })

  it('taking away is read as one of its states, or missing', async () => {
    const { reads, refusals } = split(await readsDuring('vanish', 2000, (all) => all.includes('missing')))
    expect(refusals).toEqual(new Set(['missing']))
    expect(reads.every(isState)).toBe(true)
  })

  it('appending to is read up to some point, and the version is that of the bytes', async () => {
    const { reads, refusals } = split(await readsDuring('append', 10_000, ({ length }) => length > 0))
    expect(refusals).toEqual(new Set())
    for (const { bytes, version, changed } of reads) {
      expect('a line of text\n'.repeat(Math.ceil(bytes.length / 15)).startsWith(textOf(bytes))).toBe(true)
      if (!changed) expect(version.size).toBe(bytes.length)
    }
  })
})
