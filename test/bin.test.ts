import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from './source-files.ts'

const home = mkdtempSync(join(tmpdir(), 'ambit-bin-'))

afterAll(() => rmSync(home, { recursive: true }))

/** Runs the stub on a Node that says it is `version`. */
function runOn(version: string, ...args: string[]) {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const disguise = `${versions}; Object.defineProperty(process, 'version', { value: 'v${version}' })`
  const script = ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, join(ROOT, 'src/bin.ts'), ...args]
  return spawnSync(process.execPath, script, { encoding: 'utf8', env: { ...process.env, HOME: home } })
}

describe('the program', () => {
  it.each(['14.21.3', '18.20.8', '20.20.2', '22.21.1', '23.11.1', '24.10.0'])(
    'says in one line what it needs, on Node %s',
    (version) => {
      const { status, stdout, stderr } = runOn(version, '--version')
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^ambit needs Node\.js 24\.11 or newer .*; this is v[\d.]+\. Install .*\n$/)
      expect(stderr).toContain(`v${version}`)
    },
  )

  it.each(['22.22.0', '22.30.1', '24.11.0', '26.10.0', '27.0.0'])('starts on Node %s', (version) => {
    const { status, stdout, stderr } = runOn(version, '--version')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each(['/proc', '/dev/null', join(home, 'absent')])('starts in the home %s, and makes none', (place) => {
    const env = { ...process.env, HOME: place, XDG_CACHE_HOME: '' }
    const program = [join(ROOT, 'src/bin.ts'), '--version']
    const { status, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8', env, timeout: 60_000 })
    expect([status, stderr, existsSync(join(home, 'absent'))]).toEqual([0, '', false])
  })

  it.each([
    ['in the home', '', '.cache'],
    ['in the home where XDG_CACHE_HOME is relative', 'own', '.cache'],
    ['in XDG_CACHE_HOME, which is made', join(home, 'own'), 'own'],
  ])('keeps its compiled code %s', (_, XDG_CACHE_HOME, folder) => {
    rmSync(join(home, '.cache'), { recursive: true, force: true })
    const env = { ...process.env, HOME: home, XDG_CACHE_HOME }
    spawnSync(process.execPath, [join(ROOT, 'src/bin.ts'), '--version'], { env, cwd: home })
    const found = ['.cache', 'own'].filter((name) => existsSync(join(home, name, 'ambit/compiled')))
    expect(found).toEqual([folder])
  })

  it('keeps none where Node is told to keep none', () => {
    const folder = join(home, 'without')
    mkdirSync(folder)
    const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: '', NODE_DISABLE_COMPILE_CACHE: '1' }
    const { status } = spawnSync(process.execPath, [join(ROOT, 'src/bin.ts'), '--version'], { env })
    expect([status, readdirSync(folder)]).toEqual([0, []])
  })

  it.runIf(process.getuid?.() === 0)('keeps none in the home of another user, and takes none from there', () => {
    const compiled = join(home, 'other/.cache/ambit/compiled')
    mkdirSync(compiled, { recursive: true })
    chownSync(compiled, 65_534, 65_534)
    const env = { ...process.env, HOME: join(home, 'other'), XDG_CACHE_HOME: '' }
    const { status } = spawnSync(process.execPath, [join(ROOT, 'src/bin.ts'), '--version'], { env })
    expect([status, readdirSync(compiled)]).toEqual([0, []])
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
