/**
 * The rows of group O, and those of A and C that are about the process. test/reliability/README.md has the list.
 *
 * @module-tag long
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { inChild } from '../reliability/child.ts'
import { SETTINGS } from '../reliability/settings.ts'
import { ROOT } from '../source-files.ts'
import { NOBODY, nodeIn } from '../support/nobody.ts'
import { copyForAll } from '../support/nobody-run.ts'
import { ambit, BIN, onTerminal, SHARED_ENV, startAmbit } from '../support/program.ts'
import { SOON } from '../support/soon.ts'
import { type Shape, tree } from '../support/tree.ts'
import { withNobody } from '../support/with-nobody.ts'

const LINUX = process.platform === 'linux'
const IS_ROOT = process.getuid?.() === 0
/** Commands about a place on disk, and the doctor: those of collections need arguments. */
const NAMES = operations.slice(0, 7).map(({ name }) => (name === 'task' ? 'task words' : name))
const PROJECT: Shape = { '.git/': '', 'AGENTS.md': '# Rules\n', '.context/TASKS.md': '# Tasks\n\n- [ ] a\n' }
const STACK = /\n\s+at |This is a bug/

interface Running {
  readonly cwd: string
  /** All of it, but for the PATH. */
  readonly env: Readonly<Record<string, string>>
  /** Needs `copy`, unless all may enter the repository. */
  readonly uid?: number
  /** A copy of the program and its Node. */
  readonly copy?: string
}

/** Runs the program in an environment that holds nothing but what is given. */
function bare(args: readonly string[], { cwd, env, uid, copy }: Running) {
  const user = uid === undefined ? {} : { uid, gid: uid }
  const [node, program] = copy === undefined ? [process.execPath, BIN] : [nodeIn(copy), join(copy, relative(ROOT, BIN))]
  const { status, signal, stdout, stderr } = spawnSync(node, [program, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
    timeout: 120_000,
    ...user,
  })
  return { status, signal, stdout, stderr }
}

/** A line of a shell in which `$0` is the interpreter and `$1` the program. */
function shell(line: string, cwd: string, before: readonly string[] = []) {
  const [program = 'sh', ...words] = [...before, 'sh', '-c', line, process.execPath, BIN]
  const env = { ...SHARED_ENV, HOME: cwd }
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', env, timeout: 120_000 })
  return { status, stdout, stderr }
}

describe('O1 on a terminal', () => {
  const HOSTILE = [
    ['a title', '\u001b]0;owned\u0007'],
    ['a link', '\u001b]8;;http://example.org\u001b\\text\u001b]8;;\u001b\\'],
    ['a clipboard', '\u001b]52;c;ZXZpbA==\u0007'],
    ['a cleared screen', '\u001b[2J\u001b[H'],
    ['a control sequence of one byte', '\u009b31m'],
    ['letters from right to left', '\u202egpj.exe'],
  ] as const

  it.each(HOSTILE)('O1 %s does nothing, in a name, in an argument, in content, in JSON', (_, sequence) => {
    const cited = `# Rules ${sequence}\n\nSee \`src/${sequence}gone.ts\` and [it](#${sequence}).\n`
    using at = tree({ [`${sequence}/.git/`]: '', [`${sequence}/AGENTS.md`]: cited, [`${sequence}/src/`]: '' })
    const cwd = at.at(sequence)
    for (const args of [
      ['load', '--json'],
      ['explain', '--why-not', `${sequence}.md`],
      ['init', '--write'],
      ['load', `nowhere${sequence}`],
      ['load', '--profile', sequence],
      ['load', `--${sequence}`],
      [sequence],
    ]) {
      const { screen } = onTerminal(args, { cwd, env: { NO_COLOR: '1', HOME: at.base } })
      expect(screen, args.join(' ')).not.toMatch(/[\u001b\u009b\u0007\u202e]/)
      expect(screen).not.toBe('')
    }
  })
})

function isWhole(json: string): boolean {
  try {
    return typeof JSON.parse(json) === 'object'
  } catch {
    return false
  }
}

describe('O3 Ctrl-C', () => {
  const MOMENTS = 20

  it('O3 at any moment ends the program at once, without a stack trace, and no half of an answer passes for a whole one', {
    tags: 'long',
  }, async () => {
    const numbers = Array.from({ length: 1500 }, (_, index) => index)
    const files = numbers.map((number) => [`${number % 40}/${number}/AGENTS.md`, '# Rules\n\nSee `src/gone.ts`.\n'])
    using at = tree({ ...PROJECT, ...Object.fromEntries(files) })
    const touched = numbers.slice(0, 300).flatMap((number) => ['--touched', `${number % 40}/${number}/x.ts`])
    const commands = [
      ['check', '--json'],
      ['load', '--json', ...touched],
      ['explain', '--json', ...touched],
    ]
    for (let moment = 0; moment < MOMENTS; moment++) {
      const afterMs = Math.round((moment / MOMENTS + Math.random() / MOMENTS) * 600)
      const { child, ended } = startAmbit(commands[moment % 3] ?? [], { cwd: at.base })
      await setTimeout(afterMs)
      const began = performance.now()
      child.kill('SIGINT')
      const { stdout, stderr } = await ended
      const told = `after ${afterMs} ms: ${stderr}`
      expect(performance.now() - began, told).toBeLessThan(SOON)
      expect(stderr, told).not.toMatch(/\bat |Error|bug/)
      expect([child.signalCode, isWhole(stdout)], told).toContainEqual(child.signalCode === 'SIGINT' ? 'SIGINT' : true)
    }
  })

  it('O3 leaves no file half written, and the next run writes the rest', async () => {
    using at = tree({ 'whole/.git/': '' })
    ambit(['init', '--write'], { cwd: at.at('whole') })
    const written = (directory: string) =>
      Object.fromEntries(
        globSync('{AGENTS.md,.context/**/*.md}', { cwd: directory }).map((name) => [
          name,
          readFileSync(`${directory}/${name}`, 'utf8'),
        ]),
      )
    const whole = written(at.at('whole'))
    expect(Object.keys(whole).length).toBeGreaterThan(5)
    for (let moment = 0; moment < MOMENTS; moment++) {
      const directory = at.at(`${moment}`)
      mkdirSync(`${directory}/.git`, { recursive: true })
      const { child, ended } = startAmbit(['init', '--write'], { cwd: directory, env: { HOME: at.base } })
      await setTimeout(20 + Math.random() * 60)
      child.kill('SIGINT')
      await ended
      const half = written(directory)
      expect(whole).toMatchObject(half)
      if (moment % 5 > 0) continue
      expect(ambit(['init', '--write'], { cwd: directory }).status).toBe(0)
      expect(written(directory)).toEqual(whole)
    }
  })
})

describe('O4 a home directory that is none', () => {
  const EVIL: Shape = {
    ...PROJECT,
    '.ambit/AGENTS.md': 'EVIL',
    'home/.ambit/AGENTS.md': 'EVIL',
    '.config/ambit/config.yaml': 'home: ./home\n',
    'home/.config/ambit/config.yaml': 'home: ./home\n',
  }

  it.each<[what: string, env: Record<string, string>]>([
    ['empty', { HOME: '' }],
    ['the current directory', { HOME: '.' }],
    ['relative', { HOME: 'home' }],
    ['absent', { HOME: '/nonexistent/home' }],
    ['of the system', { HOME: '/proc' }],
    ['no directory', { HOME: '/dev/null' }],
    ['empty, with relative settings', { HOME: '', XDG_CONFIG_HOME: '.config' }],
    ['absent, with relative settings', { HOME: '/nonexistent', XDG_CONFIG_HOME: 'home/.config' }],
  ])('O4 is not looked for in the project, and nothing is written there: %s', (_, env) => {
    using at = tree(EVIL)
    const before = readdirSync(at.base, { recursive: true }).length
    for (const args of [['load', '--json'], ['check'], ['doctor']]) {
      const { status, stdout, stderr } = bare(args, { cwd: at.base, env })
      expect([args, stderr, [0, 1].includes(status ?? -1)]).toEqual([args, '', true])
      if (args[0] === 'load') expect(JSON.parse(stdout).text).not.toContain('EVIL')
    }
    expect(readdirSync(at.base, { recursive: true })).toHaveLength(before)
  })

  it('O4 is told by doctor, and by a place that begins with ~', () => {
    using at = tree(PROJECT)
    expect(bare(['doctor'], { cwd: at.base, env: { HOME: '' } }).stdout).toMatch(/^warning\thome\tThere is no home/m)
    const { status, stderr } = bare(['load', '~/project'], { cwd: at.base, env: { HOME: '' } })
    expect([status, stderr]).toEqual([1, 'ambit: There is no home directory.\nSet HOME to an absolute path.\n'])
  })

  withNobody('O4 of another user (only root can become one)', () => {
    let copy: string

    beforeAll(() => {
      copy = copyForAll(['package.json', 'assets', 'dist/cli'])
    })

    afterAll(() => rmSync(copy, { recursive: true }))

    it.runIf(IS_ROOT && LINUX)('O4 is no trouble for a user whom the system does not know, as in a container', () => {
      using at = tree(PROJECT)
      for (const args of [['load'], ['explain'], ['check'], ['diff'], ['doctor']]) {
        const { status, stderr, stdout } = bare(args, { cwd: at.base, env: {}, uid: 54_321, copy })
        expect([args, stderr, status]).toEqual([args, '', args[0] === 'check' ? 1 : 0])
        expect(stdout).not.toBe('')
      }
    })

    it.runIf(IS_ROOT && LINUX)('O4 may be read-only', () => {
      using at = tree({ ...PROJECT, 'home/.ambit/AGENTS.md': 'mine' })
      chmodSync(at.at('home'), 0o555)
      const env = { HOME: at.at('home') }
      const { status, stdout, stderr } = bare(['load'], { cwd: at.base, env, uid: NOBODY, copy })
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout).toContain('## ~/.ambit/AGENTS.md')
      expect(existsSync(at.at('home/.cache'))).toBe(false)
    })
  })

  it.each<[what: string, shape: Shape]>([
    ['a directory', { 'h/.config/ambit/config.yaml/': '' }],
    ['no YAML', { 'h/.config/ambit/config.yaml': 'a: [' }],
    ['a list', { 'h/.config/ambit/config.yaml': '- a' }],
    ['a home that is a number', { 'h/.config/ambit/config.yaml': 'home: 1' }],
    [
      'a bomb',
      { 'h/.config/ambit/config.yaml': `a: &a [${'x,'.repeat(99)}]\n${'b: [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n'}home: [` },
    ],
  ])('O4 with settings that cannot be read is a clear message: %s', (_, shape) => {
    using at = tree({ ...PROJECT, ...shape })
    const { status, stdout, stderr } = ambit(['load'], { cwd: at.base, env: { HOME: at.at('h') } })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^ambit: The configuration file .*config\.yaml cannot be used: .*\n.*\n$/)
  })
})

describe.runIf(LINUX)('O4 a disk that is full', () => {
  it.each([...NAMES.map((one) => `${one} --json`), 'load', 'check --sarif', '--help', '--version', 'completion bash'])(
    'O4 is a clear message: ambit %s > /dev/full',
    (args) => {
      using at = tree(PROJECT)
      const { status, stderr } = shell(`"$0" "$1" ${args} > /dev/full`, at.base)
      expect(status).toBe(1)
      expect(stderr).toMatch(/^ambit: the output cannot be written: .*ENOSPC.*\n$/)
    },
  )

  it('O4 ends the program also where nobody can be told', () => {
    using at = tree(PROJECT)
    expect(shell('"$0" "$1" load nowhere 2> /dev/full', at.base)).toEqual({ status: 1, stdout: '', stderr: '' })
    expect(shell('"$0" "$1" load > /dev/full 2>&1', at.base)).toEqual({ status: 1, stdout: '', stderr: '' })
    expect(shell('"$0" "$1" load >&- 2>&-', at.base)).toMatchObject({ stdout: '', stderr: '' })
  })

  const own = ['unshare', '-Urm']
  const canMount = LINUX && shell('mount -t tmpfs none /mnt', '/', own).status === 0

  it.runIf(canMount)('O4 leaves no half of a file, and the next run goes on', () => {
    using at = tree({ 'disk/': '' })
    const line = `mount -t tmpfs -o size=64k none disk && cd disk && mkdir .git && head -c 57344 /dev/zero > fill
      "$0" "$1" init --write; echo "status $?"; wc -c .context/*; rm fill; "$0" "$1" init --write; echo "status $?"`
    const { stdout, stderr } = shell(line, at.base, own)
    expect(stderr).toMatch(/^ambit: .* cannot be reached or written \(ENOSPC\)\.\n.*disk is not full\.\n$/)
    expect(stdout.match(/^status \d$/gm)).toEqual(['status 1', 'status 0'])
    expect(stdout).not.toMatch(/^ *0 /m)
    expect(stdout.match(/^exists: /gm)?.length).toBeGreaterThan(0)
    expect(stdout.match(/^written: /gm)?.length).toBeGreaterThan(0)
  })
})

describe('O6 names that begin with a dash', () => {
  it.each(NAMES.filter((name) => name !== 'doctor'))('O6 are places after --: ambit %s -- -odd', (name) => {
    using at = tree({ '-odd/.git/': '', '-odd/AGENTS.md': 'odd rules' })
    const { stderr, stdout } = ambit([...name.split(' '), '--json', '--', '-odd'], { cwd: at.base })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).place).toBe(at.at('-odd'))
  })

  it('O6 are values after an equals sign', () => {
    using at = tree({ ...PROJECT, '-odd/AGENTS.md': 'odd rules', '-x.md': '' })
    expect(ambit(['load', '--touched=-odd/-x.ts'], { cwd: at.base }).stdout).toContain('odd rules')
    const { whyNot } = JSON.parse(ambit(['explain', '--json', '--why-not=-x.md'], { cwd: at.base }).stdout)
    expect(whyNot.path).toBe(at.at('-x.md'))
  })
})

describe.runIf(LINUX)('A18 a current directory', () => {
  it.each(NAMES.filter((name) => name !== 'doctor'))('A18 that is gone is a clear message: ambit %s', (name) => {
    using at = tree({ 'gone/': '' })
    const { status, stdout, stderr } = shell(`cd gone && rmdir ../gone && "$0" "$1" ${name} --json`, at.base)
    expect([status, stdout]).toEqual([1, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not-found', hint: expect.any(String) } })
  })

  it('A18 with a path of more than 4,096 bytes is a clear message, and no place that is named hangs on it', async () => {
    using at = tree(PROJECT)
    await inChild('dig', { place: at.base, levels: 600 })
    const down = 'i=0; while [ $i -lt 600 ]; do cd -P directory 2> /dev/null || cd directory; i=$((i+1)); done'
    const deep = shell(`${down}; "$0" "$1" load`, at.base)
    expect(deep.status).toBe(1)
    expect(deep.stderr).not.toMatch(STACK)
    expect(shell(`${down}; "$0" "$1" load "$HOME"`, at.base)).toMatchObject({ status: 0, stderr: '' })
  })
})

it('C13 settings that a project holds C13 change nothing that the program prints, and start nothing', () => {
  using at = tree({ 'p/.git/': '', 'p/AGENTS.md': '# Rules', 'p/.context/TASKS.md': '- [ ] a', 'home/': '' })
  const ask = () =>
    ['load', 'explain', 'diff --profile ambit,claude,codex', 'doctor', 'load --format xml', 'check'].map((args) => {
      const { status, stdout, stderr } = ambit(args.split(' '), { cwd: at.at('p'), env: { HOME: at.at('home') } })
      // A verdict names the AGENTS.md in a folder, as it should; what counts is what is loaded.
      const loaded = stdout.replace(/^[\s\S]*?\n\n(?=file\t)/, '')
      return { status, stdout: loaded.replace(/in \d+ files?$/m, ''), stderr }
    })
  const before = ask()
  for (const [name, text] of Object.entries(SETTINGS)) at.plant({ [`p/${name}`]: text })
  expect(ask()).toEqual(before)
  expect(existsSync(at.at('p/executed'))).toBe(false)
  rmSync(at.at('p/.config'), { recursive: true })
  writeFileSync(at.at('p/package.json'), '{ "ambit": { "home": "./evil" }, "type": "module", "main": "./evil.cjs" }')
  expect(ask()).toEqual(before)
})
