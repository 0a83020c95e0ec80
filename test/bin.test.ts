import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { compiledFolder } from '../src/start.ts'
import { ROOT } from './source-files.ts'

const home = mkdtempSync(join(tmpdir(), 'ambit-bin-'))

afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(home, { recursive: true }))

/** Runs the stub on a Node that says it is `version`. */
function runOn(version: string, env: Readonly<Record<string, string>> = {}) {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const disguise = `${versions}; Object.defineProperty(process, 'version', { value: 'v${version}' })`
  const preload = `data:text/javascript,${encodeURIComponent(disguise)}`
  const script = ['--import', preload, join(ROOT, 'src/bin.ts'), '--version']
  return spawnSync(process.execPath, script, { encoding: 'utf8', env: { ...process.env, HOME: home, ...env } })
}

describe('the program', () => {
  it.each(['14.21.3', '24.10.0'])('says in one line what it needs, on Node %s', (version) => {
    const { status, stdout, stderr } = runOn(version)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^ambit needs Node\.js 24\.11 or newer .*; this is v[\d.]+\. Install .*\n$/)
    expect(stderr).toContain(`v${version}`)
  })

  it('starts elsewhere, and keeps its compiled code in the home', () => {
    const { status, stdout, stderr } = runOn('27.0.0', { XDG_CACHE_HOME: '' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(readdirSync(join(home, '.cache/ambit/compiled'))).not.toEqual([])
  })

  it('starts where there is no home', () => {
    expect(runOn('27.0.0', { HOME: '/proc', XDG_CACHE_HOME: '' })).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('the place of compiled code', () => {
  /** Where it is, with these variables; as if nothing had been made before. */
  const placeWith = (env: Readonly<Record<string, string>>) => {
    const own = { HOME: home, XDG_CACHE_HOME: '', NODE_DISABLE_COMPILE_CACHE: '', ...env }
    for (const [name, value] of Object.entries(own)) vi.stubEnv(name, value)
    return compiledFolder()
  }

  it.each([
    ['in the home', {}, '.cache'],
    ['in the home where XDG_CACHE_HOME is relative', { XDG_CACHE_HOME: 'own' }, '.cache'],
    ['in XDG_CACHE_HOME, which is made', { XDG_CACHE_HOME: join(home, 'own') }, 'own'],
  ])('is %s', (_, env, folder) => {
    expect(placeWith(env)).toBe(join(home, folder, 'ambit/compiled'))
    expect(existsSync(join(home, folder, 'ambit/compiled'))).toBe(true)
  })

  it.each(['/proc', '/dev/null', join(home, 'absent')])('is nowhere in the home %s, which is not made', (place) => {
    expect(placeWith({ HOME: place })).toBeUndefined()
    expect(existsSync(join(home, 'absent'))).toBe(false)
  })

  it('is nowhere where Node is told to keep none', () => {
    const folder = join(home, 'without')
    mkdirSync(folder)
    expect(placeWith({ HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
  })

  it.runIf(process.getuid?.() === 0)('is nowhere in the home of another user', () => {
    const compiled = join(home, 'other/.cache/ambit/compiled')
    mkdirSync(compiled, { recursive: true })
    chownSync(compiled, 65_534, 65_534)
    expect(placeWith({ HOME: join(home, 'other') })).toBeUndefined()
  })
})

describe('the library', () => {
  it('opens no database on a Node that is too old, and says what it needs', () => {
    const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
    const open = `const { open } = await import('${pathToFileURL(join(ROOT, 'src/index.ts'))}')
      await open({ db: ':memory:' }).catch((error) => console.log(error.code, error.message))`
    const script = ['--input-type=module', '--eval', `${versions}\n${open}`]
    const { stdout } = spawnSync(process.execPath, script, { encoding: 'utf8', env: { ...process.env, HOME: home } })
    expect(stdout).toMatch(/^unavailable A database needs Node\.js 24\.11 or newer/)
  })
})
