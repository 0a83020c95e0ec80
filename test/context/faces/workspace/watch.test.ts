import { execFile } from 'node:child_process'
import { unlinkSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Shape } from '../../../support/tree.ts'
import { type Look, open, type Project, project } from '../../../support/workspace.ts'

/** Longer than any burst is waited for. */
const QUIET_MS = 300
const PATIENCE_MS = 60_000

/** Waits until the condition holds, or patience ends. */
async function until(condition: () => boolean): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS
  while (!condition() && performance.now() < end) await setTimeout(10)
  return condition()
}

async function watching(
  shape: Shape,
  looking: Look,
  use: (planted: Project, calls: () => number, close: () => Promise<void>) => Promise<void>,
) {
  using planted = project({ 'AGENTS.md': 'root', 'a/x.ts': '', ...shape })
  const workspace = await open(planted, looking)
  let calls = 0
  const watcher = await workspace.watch(() => calls++)
  try {
    await use(
      planted,
      () => calls,
      () => watcher.close(),
    )
  } finally {
    await watcher.close()
  }
}

describe('watching calls back', () => {
  it.each<[string, Shape, Look, (planted: Project) => void]>([
    ['an edit', {}, {}, (planted) => planted.plant({ 'AGENTS.md': 'other' })],
    ['a deletion', {}, {}, (planted) => unlinkSync(planted.file('AGENTS.md'))],
    ['a file beside a touched one', {}, { touched: ['a/x.ts'] }, (planted) => planted.plant({ 'a/AGENTS.md': 'a' })],
    ['an edit at home', { '~/.ambit/AGENTS.md': 'h' }, {}, (planted) => planted.plant({ '~/.ambit/AGENTS.md': 'i' })],
    ['import', { 'AGENTS.md': '@docs/x.md', 'docs/x.md': 'x' }, {}, (planted) => planted.plant({ 'docs/x.md': 'y' })],
    ['a new .gitignore', {}, {}, (planted) => planted.plant({ '.gitignore': '*' })],
    [
      'a new rule',
      { '.claude/rules/x.md': 'x' },
      { profile: 'claude' },
      (planted) => planted.plant({ '.claude/rules/y.md': 'y' }),
    ],
  ])('after %s', (_, shape, looking, change) =>
    watching(shape, looking, async (planted, calls) => {
      expect(calls()).toBe(0)
      change(planted)
      expect(await until(() => calls() > 0)).toBe(true)
    }),
  )

  it('though a prompt has seen the change first', async () => {
    using planted = project({ 'AGENTS.md': 'root' })
    const workspace = await open(planted)
    let calls = 0
    const watcher = await workspace.watch(() => calls++)
    planted.plant({ 'AGENTS.md': 'other' })
    await workspace.prompt()
    expect(await until(() => calls > 0)).toBe(true)
    await watcher.close()
  })

  it('not after changes of no concern', () =>
    watching({ 'b/x.ts': '' }, { touched: ['a/x.ts'] }, async (planted, calls) => {
      await setTimeout(QUIET_MS)
      planted.plant({ 'b/AGENTS.md': 'b', 'b/y.ts': 'y', 'a/x.ts': 'x', 'new.ts': 'n' })
      await setTimeout(QUIET_MS)
      expect(calls()).toBe(0)
    }))

  it('no more after it was closed, also twice', () =>
    watching({}, {}, async (planted, calls, close) => {
      planted.plant({ 'AGENTS.md': 'other' })
      await close()
      planted.plant({ 'AGENTS.md': 'another' })
      await setTimeout(QUIET_MS)
      expect(calls()).toBe(0)
      await close()
    }))

  it('once for a burst, or a few times', () =>
    watching({}, {}, async (planted, calls) => {
      for (let edit = 0; edit < 100; edit++) planted.plant({ 'AGENTS.md': `${edit}` })
      expect(await until(() => calls() > 0)).toBe(true)
      await setTimeout(QUIET_MS)
      expect(calls()).toBeLessThan(5)
    }))
})

it('a program ends by itself once its watchers are closed', async () => {
  using planted = project({ 'AGENTS.md': 'root' })
  const source = fileURLToPath(new URL('../../../../src/context/workspace/workspace.ts', import.meta.url))
  const program = `
    const { Workspace } = await import(${JSON.stringify(source)})
    const workspace = await Workspace.open({ cwd: ${JSON.stringify(planted.root)}, home: false })
    const watcher = await workspace.watch(() => {})
    await watcher.close()
    console.log('closed')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 60_000,
  })
  expect(stdout).toBe('closed\n')
})

it('where the system has no watches left, it looks again and again', async () => {
  using planted = project({ 'AGENTS.md': 'root' })
  const source = fileURLToPath(new URL('../../../../src/context/workspace/workspace.ts', import.meta.url))
  const program = `
    const { default: fs } = await import('node:fs')
    let refused = 0
    fs.watch = () => {
      refused += 1
      throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' })
    }
    const { syncBuiltinESMExports } = await import('node:module')
    syncBuiltinESMExports()
    const { Workspace } = await import(${JSON.stringify(source)})
    const workspace = await Workspace.open({ cwd: ${JSON.stringify(planted.root)}, home: false })
    const changed = Promise.withResolvers()
    const watcher = await workspace.watch(changed.resolve)
    fs.writeFileSync(${JSON.stringify(planted.file('AGENTS.md'))}, 'other')
    await changed.promise
    await watcher.close()
    console.log(refused > 0 ? 'seen' : 'not refused')`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 60_000 })
  expect((await run).stdout).toBe('seen\n')
})
