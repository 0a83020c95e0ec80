import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { SILENT } from '../../../src/core/flow.ts'
import { runsOn } from '../../../src/core/node-version.ts'
import { checkMachine, type DoctorConfig } from '../../../src/engine/doctor/doctor.ts'
import type { DoctorAnswer } from '../../../src/engine/engine.ts'
import { ROOT } from '../../source-files.ts'

const NAMES = (
  'node | ambit | configuration | home | git | place | packages | confinement | document readers | ' +
  'temporary files | clock'
).split(' | ')

/** Whether readers of documents may use the network is a matter of the kernel: see test/ingest/extract/sandbox.test.ts. */
const isWrong = ({ name, status }: DoctorAnswer['checks'][number]) => status !== 'ok' && name !== 'document readers'

let base: string
let project: string
let config: DoctorConfig

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-doctor-test-')))
  project = join(base, 'project')
  for (const name of ['project/.git', 'project/.context', 'bare/.git', 'rules/.git', 'home/.ambit', 'nobody', 'tmp']) {
    mkdirSync(join(base, name), { recursive: true })
  }
  for (const name of ['CONSTITUTION.md', 'TASKS.md', 'DECISIONS.md']) {
    writeFileSync(join(project, '.context', name), '# Title\n\nIt cites `src/gone.ts`.\n')
  }
  for (const name of ['project', 'rules']) writeFileSync(join(base, name, 'AGENTS.md'), 'Read `docs/gone.md`.\n')
  writeFileSync(join(base, 'config.yaml'), 'home: /\n')
  config = { home: join(base, 'home'), file: join(base, 'none.yaml'), unknown: [] }
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

interface Surroundings {
  readonly cwd?: string
  readonly config?: Partial<DoctorConfig>
  readonly env?: NodeJS.ProcessEnv
}

/** The checks by name, made in a process that has these surroundings. */
async function checksIn({
  cwd = project,
  config: changed,
  env,
}: Surroundings): Promise<Record<string, DoctorAnswer['checks'][number]>> {
  const code = `
    const { checkMachine } = await import(${JSON.stringify(join(ROOT, 'src/engine/doctor/doctor.ts'))})
    const { checks } = await checkMachine(${JSON.stringify({ ...config, ...changed })}, { emit() {} })
    console.log(JSON.stringify(checks))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd,
    env: { ...process.env, TMPDIR: join(base, 'tmp'), ...env },
  })
  const checks: DoctorAnswer['checks'][number][] = JSON.parse(stdout)
  return Object.fromEntries(checks.map((check) => [check.name, check]))
}

const ODD = { file: 'config.yaml', unknown: ['hom', 'x'] }

describe('the doctor', () => {
  it('finds nothing wrong where all is well, whatever has become stale', async () => {
    const checks = await checksIn({})
    expect(Object.keys(checks)).toEqual(NAMES)
    expect(Object.values(checks).filter(isWrong)).toEqual([])
    for (const { message } of Object.values(checks)) expect(message).toMatch(/[^.]\.$/)
  })

  it('tells the values', async () => {
    const checks = await checksIn({})
    expect(checks.node?.message).toContain(process.versions.node)
    expect(checks.ambit?.message).toBe(`Version ${packageJson.version}, in ${ROOT}.`)
    expect(checks.home?.message).toContain(join(base, 'home/.ambit'))
    expect(checks.git?.message).toMatch(/^git version \d/)
    expect(checks.place?.message).toBe(`${join(project, '.context')} has 3 files; 1 instruction file found.`)
    const packages = 'Installed: @aws-sdk/client-s3, pg, @ai-sdk/amazon-bedrock, ajv.'
    expect(checks.packages).toEqual({ name: 'packages', status: 'ok', message: packages })
  })

  it.each<[string, string, Surroundings, DoctorAnswer['checks'][number]['status'], RegExp]>([
    ['no directory', 'place', { cwd: 'bare' }, 'warning', /^There is no \.context directory in .*bare; 0 instr/],
    [
      'instruction files alone',
      'place',
      { cwd: 'rules' },
      'ok',
      /^There is no \.context directory in .*; 1 instruction f/,
    ],
    ['a context directory that lacks files', 'place', { cwd: 'empty' }, 'warning', /lacks CONSTITUTION\.md, TASKS\.md/],
    ['a configuration file', 'configuration', { config: { file: 'config.yaml' } }, 'ok', /^It is in .*config\.yaml\.$/],
    [
      'names that mean nothing',
      'configuration',
      { config: ODD },
      'warning',
      /config\.yaml has unknown names: hom, x\.$/,
    ],
    ['a home without folders', 'home', { config: { home: 'nobody' } }, 'ok', /neither .*\.ambit nor .*\.kodelet\.$/],
    ['a home that is not there', 'home', { config: { home: 'gone' } }, 'warning', /gone is not a directory\.$/],
    ['no git', 'git', { env: { PATH: '/nowhere' } }, 'warning', /^git does not run/],
    ['no place for temporary files', 'temporary files', { env: { TMPDIR: '/nowhere' } }, 'failed', /ENOENT.*\/nowhere/],
  ])(
    'notices %s, and goes on',
    async (_, name, { cwd = 'project', config: changed = {}, env = {} }, status, message) => {
      mkdirSync(join(base, 'empty/.context'), { recursive: true })
      mkdirSync(join(base, 'empty/.git'), { recursive: true })
      const { home, file, unknown } = changed
      const full = {
        ...(typeof home === 'string' && { home: join(base, home) }),
        ...(file !== undefined && { file: join(base, file) }),
        ...(unknown && { unknown }),
      }
      const checks = await checksIn({ cwd: join(base, cwd), config: full, env })
      expect(Object.keys(checks)).toEqual(NAMES)
      expect(checks[name]).toMatchObject({ status, message: expect.stringMatching(message) })
      if (status === 'warning') expect(checks[name]?.hint).toMatch(/[^.]\.$/)
      const bad = Object.values(checks).filter((check) => isWrong(check) && check.name !== name)
      expect(bad.map((check) => check.name)).toEqual(name === 'temporary files' ? ['clock'] : [])
    },
  )

  it('tells of a check that throws what is known of it, with the hint', async () => {
    const { place } = await checksIn({ cwd: '/etc' })
    expect(place).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('/etc'),
      hint: expect.any(String),
    })
  })

  it('says a failure of several checks once', async () => {
    const fails = (message: string) => () => Promise.reject(new Error(message))
    const others = { one: fails('Old tables.'), two: fails('Old tables.'), three: fails('Other tables.') }
    const { checks } = await checkMachine(config, SILENT, others)
    expect(checks.slice(-3).map(({ message }) => message)).toEqual([
      'Old tables.',
      'It fails for the same reason: see one.',
      'Other tables.',
    ])
  })

  it('leaves nothing behind', async () => {
    await checksIn({})
    expect(readdirSync(join(base, 'tmp'))).toEqual([])
  })

  it('stops when it is told to', async () => {
    const run = { ...SILENT, signal: AbortSignal.abort() }
    await expect(checkMachine(config, run)).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('a version', () => {
  it.each([
    ['22.22.0', true],
    ['22.21.9', false],
    ['22.100.0', true],
    ['23.11.0', false],
    ['24.10.9', false],
    ['24.11.0', true],
    ['24.11.0-nightly', true],
    ['30.0.0', true],
    ['8.99.0', false],
  ])('%s is in the range of package.json: %s', (version, expected) => {
    expect(packageJson.engines.node).toBe('^22.22.0 || >=24.11.0')
    expect(runsOn(version)).toBe(expected)
  })
})
