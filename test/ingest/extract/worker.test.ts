import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Extractor } from '../../../src/ingest/extractor.ts'
import { ROOT } from '../../source-files.ts'

const LINUX = existsSync('/proc/self/task')
const MODULE = join(ROOT, 'src/ingest/extractor.ts')

let started: ChildProcess | undefined

afterEach(() => {
  started?.kill('SIGKILL')
})

/** A program with an `extractor`. */
function program(text: string): ChildProcess {
  const source = `import { Extractor } from ${JSON.stringify(MODULE)}
    const extractor = new Extractor()
    const read = (page) => extractor.extract('a.html', Buffer.from(page))
    ${text}`
  started = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  return started
}

/** What a program prints, once it has ended well. */
async function outputOf(text: string): Promise<string> {
  const running = program(text)
  const output: Buffer[] = []
  running.stdout?.on('data', (data: Buffer) => output.push(data))
  expect(await once(running, 'close')).toEqual([0, null])
  return Buffer.concat(output).toString()
}

/** The processes that a process has started and that are there. */
function childrenOf(pid: number | undefined): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
}

async function until(holds: () => boolean): Promise<void> {
  for (let rest = 1200; rest > 0 && !holds(); rest--) await delay(50)
  expect(holds()).toBe(true)
}

describe('the process of a worker', () => {
  it('does not keep alive the program that started it', async () => {
    expect(await outputOf(`console.log((await read('<p>Text')).text)`)).toBe('Text\n')
  })

  it('is waited for when it is ended in the middle of a file', async () => {
    const text = `const code = read('<div>'.repeat(3e6)).catch(({ code }) => code)
      setTimeout(async () => {
        await extractor.close()
        console.log(await code)
      }, 200)`
    expect(await outputOf(text)).toBe('cancelled\n')
  })

  it.runIf(LINUX)('is replaced when it ended by itself', async () => {
    const extractor = new Extractor({ workers: 1 })
    const before = childrenOf(process.pid)
    const page = () => extractor.extract('a.html', Buffer.from('<p>Text'))
    expect(await page()).toMatchObject({ ok: true })
    const [child] = childrenOf(process.pid).filter((pid) => !before.includes(pid))
    process.kill(Number(child), 'SIGKILL')
    await until(() => !existsSync(`/proc/${child}`))
    expect(await page()).toMatchObject({ ok: true })
    const [other] = childrenOf(process.pid).filter((pid) => !before.includes(pid))
    await extractor.close()
    await until(() => !existsSync(`/proc/${other}`))
  })

  it.runIf(LINUX)('is ended when that program is killed, though it is busy', async () => {
    const parent = program(`await read('<div>'.repeat(3e6))`)
    await until(() => childrenOf(parent.pid).length > 0)
    const [child] = childrenOf(parent.pid)
    // It has begun by then, or is ended as it begins.
    await delay(1000)
    parent.kill('SIGKILL')
    await until(() => !existsSync(`/proc/${child}`))
  })
})
