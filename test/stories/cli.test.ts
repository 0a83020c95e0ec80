import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { commandWords } from '../../src/operations/schema.ts'
import { ambit, ambitInTurn, BIN, onTerminal, PROJECT } from '../support/program.ts'
import { type Tree, tree } from '../support/tree.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

describe('the command line', () => {
  /** Runs lines in a project, in turn. */
  const inProject = (lines: readonly (readonly string[])[]) => {
    using at = tree(PROJECT)
    return ambitInTurn(lines, { cwd: at.base })
  }

  it('refuses what is used wrongly with exit code 2 and a hint', () => {
    using at = tree(PROJECT)
    const told = /--budget is "0", and must be 1 or more/
    const { status, stdout, stderr } = ambit(['load', '--budget', '0'], { cwd: at.base })
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(told)])
  })

  it('takes --format json for --json, before and after the command, and explains what has a ledger', () => {
    const names = ['load', 'explain', 'check', 'diff', 'init', 'doctor']
    const ways = (name: string) => [
      [name, '--format', 'json'],
      [name, '--json'],
      ['--json', name],
      [name, '--explain'],
    ]
    // The first init writes.
    const [, ...answers] = inProject([['init'], ...names.flatMap(ways)])
    for (const [at, name] of names.entries()) {
      const [format, json, before, explained] = answers.slice(4 * at, 4 * at + 4)
      expect([name, json?.stdout, before?.stdout]).toEqual([name, format?.stdout, format?.stdout])
      expect(() => JSON.parse(json?.stdout ?? ''), name).not.toThrow()
      expect(explained?.stderr).toMatch(name === 'load' ? /● kept/ : /Unknown option '--explain'/)
    }
  })

  it('takes the home directory from the configuration file, and from the environment before it', () => {
    using at = tree({ 'h1/.ambit/AGENTS.md': 'one', 'h2/.ambit/AGENTS.md': 'two', 'p/.git/': '' })
    at.plant({ 'h/.config/ambit/config.yaml': `home: ${at.at('h1')}\n` })
    const load = (env: Record<string, string>) =>
      ambit(['load'], { cwd: at.at('p'), env: { HOME: at.at('h'), ...env } })
    expect(load({}).stdout).toContain('one')
    expect(load({ AMBIT_HOME: at.at('h2') }).stdout).toContain('two')
  })

  it('takes the options of every command before it, too', () => {
    using at = tree(PROJECT)
    const lines = [
      ['--db', 'x.db', '--json', 'status'],
      ['--db', 'x.db', 'serve', '--port', 'x'],
    ]
    const [before, server] = ambitInTurn(lines, { cwd: at.base })
    expect(before).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(before?.stdout ?? '').database).toBe(at.at('x.db'))
    expect(server).toMatchObject({ status: 2, stderr: expect.stringContaining('--port is "x"') })
  })

  it('shows a stack trace only when asked to', () => {
    using at = tree(PROJECT)
    expect(ambit(['load', 'nowhere'], { cwd: at.base, env: { AMBIT_DEBUG: '1' } }).stderr).toMatch(/\n\s+at /)
  })

  it('ends quietly when its reader goes away', () => {
    using at = tree({ 'AGENTS.md': 'a line of text\n'.repeat(50_000) })
    const line = `'${process.execPath}' '${BIN}' load --budget 900000 | head -1`
    const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: at.base, encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['# Project Context\n', ''])
  })

  it('says so when the output cannot be written', () => {
    using at = tree(PROJECT)
    const line = `'${process.execPath}' '${BIN}' load > /dev/full`
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: at.base, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^ambit: the output cannot be written: .*ENOSPC/)])
  })

  it('answers --version, --help and no argument at all', () => {
    const [version, nothing, help] = inProject([['--version'], [], ['--help']])
    expect(version?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(nothing).toMatchObject({ status: 0, stderr: '', stdout: help?.stdout })
    expect(help?.stdout).toContain('Ask and research')
  })
})

describe('completion, in the shells themselves', () => {
  let at: Tree
  beforeAll(() => {
    at = tree({ ...PROJECT, 'functions/': '', 'bin/': '' })
    writeFileSync(at.at('bin/ambit'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 })
    const add = ['pelicans', 'walruses'].map((name) => ['collection', 'add', name, 'pkg'])
    const scripts = ambitInTurn([...SHELLS.map((shell) => ['completion', shell]), ...add], { cwd: at.base })
    for (const [index, file] of ['ambit.bash', 'functions/_ambit', 'ambit.fish'].entries())
      writeFileSync(at.at(file), scripts[index]?.stdout ?? '')
    // Some ids begin as options do.
    do ambit(['chat'], { cwd: at.base, input: 'What of a password?\n' })
    while (!/^\w/.test(lastConversation()))
  })
  afterAll(() => at[Symbol.dispose]())

  const lastConversation = (): string =>
    JSON.parse(ambit(['conversation', 'list', '--json'], { cwd: at.base }).stdout).conversations[0].id
  const env = () => ({ PATH: `${at.at('bin')}:${process.env.PATH}`, HOME: at.base, TERM: 'xterm' })
  const run = (command: string, args: readonly string[], input = '') =>
    spawnSync(command, args, { cwd: at.base, env: env(), encoding: 'utf8', input, timeout: 60_000 }).stdout
  const offered = {
    bash: (line: string) => {
      const words = line.split(' ')
      const script = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _ambit; echo "\${COMPREPLY[@]}"`
      return run('bash', ['-c', `source ambit.bash; ${script}`])
    },
    fish: (line: string) => run('fish', ['-c', `source ambit.fish; complete -C ${JSON.stringify(line)}`]),
    // It completes only where somebody types; what was completed is then seen, and not run.
    zsh: (line: string) => {
      const start = `path=(${at.at('bin')} $path); fpath=(${at.at('functions')} $fpath); autoload -U compinit; compinit -D -u`
      return run(
        'script',
        ['-qec', 'zsh -f -i', '/dev/null'],
        `PS1=; ${start}; setopt nobeep\n${line}\t\u0001: \u0005\nexit\n`,
      )
    },
  }
  const lacks = (shell: string) => spawnSync(shell, ['-c', 'true']).status !== 0

  it('offers commands, options, values and files in bash', () => {
    const rows = [
      ['ex', 'explain export'],
      ['load --bu', '--budget'],
      ['load --format x', 'xml'],
      ['load AG', 'AGENTS.md'],
      ['load --d', '--db'],
      ['col', 'collection'],
      ['collection re', 'remove rename'],
      ['collection add --ex', '--exclude'],
      ['context check --s', '--strict'],
      ['doctor --r', '--repair --report'],
      ['search a --mode v', 'vector'],
    ] as const
    const lines = rows.map(([words]) => {
      const count = words.split(' ').length
      return `COMP_WORDS=(ambit ${words}); COMP_CWORD=${count}; _ambit; echo "\${COMPREPLY[@]}"`
    })
    const told = run('bash', ['-c', ['source ambit.bash', ...lines].join('\n')])
    const sorted = told.split('\n').map((line) => line.trim().split(' ').sort().join(' '))
    expect(sorted.slice(0, -1)).toEqual(rows.map(([, found]) => found))
  })

  it.each(SHELLS)('has every command in the script for %s', (shell) => {
    const text = readFileSync(at.at({ bash: 'ambit.bash', zsh: 'functions/_ambit', fish: 'ambit.fish' }[shell]), 'utf8')
    for (const operation of operations) {
      const [first, second] = commandWords(operation)
      expect(text).toMatch(new RegExp(second === undefined ? `\\t${first}\\t` : `^${first}\\t${second}\\t`, 'm'))
    }
    expect(text).not.toMatch(/\b(collections|contexts)\./)
  })

  it('has the names of models', () => {
    expect(ambit(['completion', 'names', 'models'], { cwd: at.base }).stdout).toContain('local/extractive\n')
  })

  it.for(SHELLS)('offers names of collections and ids of conversations in %s', (shell, context) => {
    if (lacks(shell)) return context.skip(`${shell} is not installed here: its completions were not tried`)
    const id = lastConversation()
    expect(offered[shell]('ambit collection show wal')).toContain('walruses')
    expect(offered[shell]('ambit search password --collection pel')).toContain('pelicans')
    expect(offered[shell](`ambit conversation show ${id.slice(0, 6)}`)).toContain(id)
  })
})

describe('on a terminal', () => {
  it('wraps what it says at words', () => {
    using at = tree(PROJECT)
    const words = `${process.execPath} ${BIN} completion tcsh`
    const typed = `stty cols 40; ${words}\nexit\n`
    const { stdout } = spawnSync('script', ['-qec', 'sh', '/dev/null'], {
      cwd: at.base,
      encoding: 'utf8',
      input: typed,
    })
    const said = stdout.replaceAll('\r', '').split('\n')
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/ambit: There is no completion for$/),
        '"tcsh"; shells are bash, zsh, fish.',
      ]),
    )
  })

  it('draws the ledger in colour, and without colour when NO_COLOR is set', () => {
    using at = tree(PROJECT)
    expect(onTerminal(['explain'], { cwd: at.base }).screen).toMatch(/\u001b\[32m● kept/)
    const { screen } = onTerminal(['explain'], { cwd: at.base, env: { NO_COLOR: '1' } })
    expect(screen).toMatch(/^ *●? ?.*● kept/m)
    expect(screen).not.toContain('\u001b[3')
  })

  it('says how many warnings it does not show', () => {
    const hidden = Object.fromEntries(Array.from({ length: 13 }, (_, each) => [`.context/F${each}.md`, 'a\u202eb\n']))
    using at = tree({ '.git/': '', ...hidden })
    const { screen } = onTerminal(['explain', '--no-home'], { cwd: at.base, env: { NO_COLOR: '1' } })
    expect(screen).toContain('! and 3 more warnings: --json shows all')
    expect(screen.match(/^! .*F\d+\.md: /gm)).toHaveLength(10)
  })

  it('lets no control sequence of a file or its name through', () => {
    const hostile = '\u001b]0;owned\u0007\u001b[2J\u001b]52;c;ZXZpbA==\u0007text\u009b31m'
    using at = tree({ '.git/': '', 'AGENTS.md': hostile, '.context/A\u001b[31mB.md': hostile })
    for (const args of [['load'], ['explain'], ['load', '--explain'], ['diff'], ['check']]) {
      const { screen } = onTerminal(args, { cwd: at.base, env: { NO_COLOR: '1' } })
      expect(screen, args.join(' ')).not.toMatch(/[\u001b\u009b\u0007]/)
    }
  })

  it('gives a pipe the bytes as they are', () => {
    using at = tree({ '.git/': '', 'AGENTS.md': 'a\u001b[31mred' })
    expect(ambit(['load'], { cwd: at.base }).stdout).toContain('a\u001b[31mred')
  })
})

describe('ambit init', () => {
  it('asks a person first, and says when nothing was written', () => {
    using at = tree({ '.git/': '' })
    const { screen } = onTerminal(['init', '--agent', 'claude'], { cwd: at.base, input: 'n\n' })
    expect(screen).toMatch(/Write this\? \[y\/N\]/)
    expect(screen).toContain('Nothing was written.')
    // The question is the way to write it.
    expect(screen).not.toContain('--write')
    onTerminal(['init', '--agent', 'claude'], { cwd: at.base, input: 'y\n' })
    expect(JSON.parse(readFileSync(at.at('.claude/settings.json'), 'utf8'))).toHaveProperty('hooks.SessionStart')
    const again = onTerminal(['init', '--agent', 'claude'], { cwd: at.base, input: 'y\n' })
    expect(again.screen).toContain('Ambit is set up here already')
    expect(again.screen).not.toContain('[y/N]')
  })

  it('says without a terminal how to write', () => {
    using at = tree({ '.git/': '' })
    const { stdout, stderr } = ambit(['init', '--agent', 'claude'], { cwd: at.base })
    expect(stdout).toMatch(/^would-write: /)
    expect(stderr).toBe('Nothing is changed yet. Add --write to make these changes.\n')
  })
})
