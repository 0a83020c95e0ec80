import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { ambit, BIN, onTerminal, PROJECT } from '../support/program.ts'
import { type Tree, tree } from '../support/tree.ts'

describe('the command line', () => {
  it.each([
    ['a budget of nothing', ['load', '--budget', '0'], /--budget is "0", and must be 1 or more/],
    ['a budget below nothing', ['load', '--budget=-5'], /--budget is "-5", and must be 1 or more/],
    ['a budget that is not a number', ['load', '--budget', 'lots'], /--budget is "lots", and must be a whole number/],
    ['a budget that is not whole', ['load', '--budget', '1.5'], /--budget/],
    ['an empty budget', ['load', '--budget', ''], /must be a whole number/],
    ['a limit that is not a number', ['search', 'x', '--limit', 'abc'], /For example: --limit 10\.$/m],
    ['an option that is nearly one', ['load', '--bugdet', '3'], /Did you mean --budget\?/],
    ['a budget in another notation', ['load', '--budget', '1e3'], /must be a whole number/],
    ['a hexadecimal budget', ['load', '--budget', '0x10'], /must be a whole number/],
    ['a profile that is not there', ['load', '--profile', 'nobody'], /must be one of ambit, codex, claude/],
    ['an empty profile', ['check', '--profile', ''], /must be one of/],
    ['an option that is not there', ['load', '--bugdet', '5'], /'--bugdet'/],
    [
      'a format that is not there',
      ['load', '--format', 'pdf'],
      /--format is "pdf", and must be one of markdown, xml, json\./,
    ],
    [
      'a format of what has none',
      ['status', '--format', 'pdf'],
      /--format is "pdf", and must be json, or be left out\./,
    ],
    ['a budget below 0', ['load', '--budget', '-5'], /--budget is "-5", and must be 1 or more\./],
    ['a score above 1', ['search', 'x', '--min-score', '7'], /--min-score is "7", and must be from 0 to 1\./],
    ['an argument too many', ['load', 'a', 'b'], /"b" is one argument too many/],
    ['a command that is not there', ['lod'], /no command "lod"/],
    ['a shell that is not there', ['completion', 'tcsh'], /no completion for "tcsh"/],
    ['a day that is none', ['search', 'a', '--after', 'zz'], /--after is "zz", and must be written like 2026-/],
    ['a condition that is none', ['search', 'a', '--where', 'zz'], /--where is "zz", and must be written like/],
    ['lines that are none', ['get', 'docs/a.md', '--lines', 'zz'], /--lines is "zz", and must be written like/],
    ['a price that is none', ['research', 'x?', '--price', 'abc'], /--price is "abc", and must be written like 3\/15/],
    ['a query that begins with a dash', ['search', '-timeout'], /put -- before it: ambit search -- -timeout/],
    ['the beginning of a command', ['context'], /needs a second word.*\n.*context add, context list, /],
    ['a second word that is not there', ['context', 'frob'], /no command "context frob"/],
    ['a scope that is none', ['token', 'create', 'bob', '--scope', 'foo'], /--scope .*must be one of read, write/],
    ['a database before no command', ['--db', 'x.db'], /The command is missing/],
  ])('refuses %s with exit code 2 and a hint', (_, args, message) => {
    using at = tree(PROJECT)
    const { status, stdout, stderr } = ambit(args, { cwd: at.base })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(2)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it.each([
    ['a place that is not there', ['load', 'nowhere'], 'not-found'],
    ['a profile to compare that is not there', ['diff', '--profile', 'claude,nobody'], 'invalid-input'],
    ['a directory of the system', ['load', '/etc'], 'denied'],
    ['a collection that is not there', ['load', 'ambit://docs/a'], 'not-found'],
  ])('fails for %s with exit code 1, and says so in one line of JSON when asked', (_, args, code) => {
    using at = tree(PROJECT)
    expect(ambit(args, { cwd: at.base })).toMatchObject({ status: 1, stdout: '' })
    const { status, stdout, stderr } = ambit([...args, '--json'], { cwd: at.base })
    expect([status, stdout]).toEqual([1, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code, message: expect.any(String), hint: expect.any(String) } })
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each(['load', 'explain', 'check', 'diff', 'init', 'doctor'])(
    'takes --format json for --json, and explains what has a ledger: %s',
    (name) => {
      using at = tree(PROJECT)
      // It writes the first time.
      if (name === 'init') ambit([name], { cwd: at.base })
      const plain = ambit([name, '--format', 'json'], { cwd: at.base })
      expect(plain.stdout).toBe(ambit([name, '--json'], { cwd: at.base }).stdout)
      expect(plain.stdout).toBe(ambit(['--json', name], { cwd: at.base }).stdout)
      expect(() => JSON.parse(plain.stdout)).not.toThrow()
      const explained = ambit([name, '--explain'], { cwd: at.base })
      expect(explained.stderr).toMatch(name === 'load' ? /● kept/ : /Unknown option '--explain'/)
    },
  )

  it('answers a wrong command line in JSON where JSON is asked for, however it is written', () => {
    using at = tree(PROJECT)
    for (const args of [
      ['load', '--format=json'],
      ['load', '--format', 'json'],
      ['load', '--json'],
    ]) {
      const { status, stderr } = ambit([...args, '--nonsense'], { cwd: at.base })
      expect([status, JSON.parse(stderr).error.code]).toEqual([2, 'invalid-input'])
    }
  })

  it.each([
    ['is not YAML', 'home: [', /config\.yaml cannot be used: .+\./],
    ['is a list', '- home', /It is not a list of names and values/],
    ['has a home that is not a path', 'home: 42', /"home" must be a text/],
  ])('says what is wrong with a configuration file that %s', (_, config, message) => {
    using at = tree({ ...PROJECT, '.config/ambit/config.yaml': config })
    const { status, stderr } = ambit(['load'], { cwd: at.base })
    expect([status, stderr.split('\n')]).toEqual([1, [expect.stringMatching(message), expect.any(String), '']])
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
    const before = ambit(['--db', 'x.db', '--json', 'status'], { cwd: at.base })
    expect(before).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(before.stdout).database).toBe(at.at('x.db'))
    const server = ambit(['--db', 'x.db', 'serve', '--port', 'x'], { cwd: at.base })
    expect([server.status, server.stderr]).toEqual([2, expect.stringContaining('--port is "x"')])
  })

  it('shows a stack trace only when asked to', () => {
    using at = tree(PROJECT)
    expect(ambit(['load', 'nowhere'], { cwd: at.base, env: { AMBIT_DEBUG: '1' } }).stderr).toMatch(/\n\s+at /)
  })

  it('takes a name that begins with a dash after --', () => {
    using at = tree({ '-odd/AGENTS.md': 'odd rules' })
    expect(ambit(['load', '--', '-odd'], { cwd: at.base }).stdout).toContain('odd rules')
  })

  it('ends quietly when its reader goes away', () => {
    using at = tree({ 'AGENTS.md': 'a line of text\n'.repeat(50_000) })
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', `'${process.execPath}' '${BIN}' load --budget 900000 | head -1`],
      {
        cwd: at.base,
        encoding: 'utf8',
      },
    )
    expect([stdout, stderr]).toEqual(['# Project Context\n', ''])
  })

  it('says so when the output cannot be written', () => {
    using at = tree(PROJECT)
    const { status, stderr } = spawnSync('sh', ['-c', `'${process.execPath}' '${BIN}' load > /dev/full`], {
      cwd: at.base,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^ambit: the output cannot be written: .*ENOSPC/)
  })

  it('answers --version, --help and no argument at all', () => {
    using at = tree(PROJECT)
    expect(ambit(['--version'], { cwd: at.base }).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(ambit([], { cwd: at.base })).toMatchObject({ status: 0, stderr: '' })
    expect(ambit(['--help'], { cwd: at.base }).stdout).toContain('Ask and research')
  })

  it('completes commands, options and values in bash', () => {
    using at = tree(PROJECT)
    const complete = (...words: string[]) => {
      const script = `eval "$('${process.execPath}' '${BIN}' completion bash)"
        COMP_WORDS=(ambit ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _ambit; printf '%s\\n' "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', script], { cwd: at.base, encoding: 'utf8' }).stdout.trim().split('\n')
    }
    expect(complete('ex')).toEqual(['explain', 'export'])
    expect(complete('load', '--bu')).toEqual(['--budget'])
    expect(complete('load', '--format', 'x')).toEqual(['xml'])
    expect(complete('load', 'AG')).toEqual(['AGENTS.md'])
    expect(complete('load', '--d')).toEqual(['--db'])
    expect(complete('col')).toEqual(['collection'])
    expect(complete('collection', 're')).toEqual(['rename', 'remove'])
    expect(complete('collection', 'add', '--ex')).toEqual(['--exclude'])
    expect(complete('context', 'check', '--s')).toEqual(['--strict'])
    expect(complete('doctor', '--r').toSorted()).toEqual(['--repair', '--report'])
    expect(complete('search', 'a', '--mode', 'v')).toEqual(['vector'])
  })

  it.each(['bash', 'zsh', 'fish'])('writes completions for %s that name every command', (shell) => {
    using at = tree(PROJECT)
    const { stdout } = ambit(['completion', shell], { cwd: at.base })
    for (const { name, command = name.replace('.', ' ') } of operations) {
      const [first, second] = command.split(' ')
      expect(stdout).toMatch(new RegExp(second === undefined ? `\\t${first}\\t` : `^${first}\\t${second}\\t`, 'm'))
    }
    expect(stdout).not.toMatch(/\b(collections|contexts)\./)
  })
})

describe('completion of names, in the shells themselves', () => {
  let at: Tree
  beforeAll(() => {
    at = tree({ ...PROJECT, 'functions/': '', 'bin/': '' })
    writeFileSync(at.at('bin/ambit'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 })
    for (const name of ['pelicans', 'walruses']) ambit(['collection', 'add', name, 'pkg'], { cwd: at.base })
    // Some ids begin as options do.
    for (let count = 0; count < 4; count++) ambit(['chat'], { cwd: at.base, input: 'What of a password?\n' })
    const files = { bash: 'ambit.bash', zsh: 'functions/_ambit', fish: 'ambit.fish' }
    for (const [shell, file] of Object.entries(files))
      writeFileSync(at.at(file), ambit(['completion', shell], { cwd: at.base }).stdout)
  })
  afterAll(() => at[Symbol.dispose]())

  const env = () => ({ PATH: `${at.at('bin')}:${process.env.PATH}`, HOME: at.base, TERM: 'xterm' })
  const run = (command: string, args: readonly string[], input = '') =>
    spawnSync(command, args, { cwd: at.base, env: env(), encoding: 'utf8', input, timeout: 60_000 }).stdout
  const offered = {
    bash: (line: string) => {
      const words = `${line}`.split(' ')
      const script = `COMP_WORDS=(${words.join(' ')}); [ "\${line: -1}" != ' ' ]; COMP_CWORD=${words.length - 1}; _ambit; echo "\${COMPREPLY[@]}"`
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

  describe.each(['bash', 'fish', 'zsh'] as const)('%s', (shell) => {
    it.for([
      ['ambit collection show wal', 'walruses'],
      ['ambit search password --collection pel', 'pelicans'],
      ['ambit research --model loc', 'local/extractive'],
      ['ambit collection remove pel', 'pelicans'],
    ])('%s', ([line = '', name], context) => {
      if (lacks(shell)) return context.skip(`${shell} is not installed here: its completions were not tried`)
      expect(offered[shell](line)).toContain(name)
    })

    it('offers conversations by their ids', (context) => {
      if (lacks(shell)) return context.skip(`${shell} is not installed here: its completions were not tried`)
      const list = ambit(['conversation', 'list', '--json'], { cwd: at.base }).stdout
      const ids: string[] = JSON.parse(list).conversations.map(({ id }: { id: string }) => id)
      const id = ids.find((one) => /^\w/.test(one)) ?? ''
      expect(offered[shell](`ambit conversation show ${id.slice(0, 6)}`)).toContain(id)
    })
  })

  it('says no names where the kind is none', () => {
    expect(ambit(['completion', 'names', 'walruses'], { cwd: at.base })).toMatchObject({ status: 2, stdout: '' })
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
    expect(onTerminal(['explain'], { cwd: at.base, env: { NO_COLOR: '1' } }).screen).toMatch(/^ *●? ?.*● kept/m)
    expect(onTerminal(['explain'], { cwd: at.base, env: { NO_COLOR: '1' } }).screen).not.toContain('\u001b[3')
  })

  it('says how many warnings it does not show', () => {
    const hidden = Object.fromEntries(Array.from({ length: 13 }, (_, each) => [`.context/F${each}.md`, 'a\u202eb\n']))
    using at = tree({ '.git/': '', ...hidden })
    const { screen } = onTerminal(['explain', '--no-home'], { cwd: at.base, env: { NO_COLOR: '1' } })
    expect(screen).toContain('! and 3 warnings more: --json has all')
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
  it('writes skeletons, unless told not to, and never over an existing file', () => {
    using at = tree({ '.git/': '', '.context/TASKS.md': 'mine' })
    const shown = ambit(['init', '--no-write', '--json'], { cwd: at.base })
    expect(JSON.parse(shown.stdout).files.every(({ state }: { state: string }) => /would|exists/.test(state))).toBe(
      true,
    )
    const { stdout } = ambit(['init'], { cwd: at.base })
    expect(stdout).toMatch(/^written: .*CONSTITUTION\.md$/m)
    expect(stdout).toMatch(/^exists: .*TASKS\.md/m)
    expect(readFileSync(at.at('.context/TASKS.md'), 'utf8')).toBe('mine')
    expect(ambit(['load'], { cwd: at.base }).stdout).toContain('## Constitution')
  })

  it('shows what it would do to the settings of an agent, and does it when told to', () => {
    using at = tree({ '.git/': '', '.claude/settings.json': '{"mine":1}' })
    const { stdout } = ambit(['init', '--agent', 'claude'], { cwd: at.base })
    expect(stdout).toMatch(/^would-merge: /)
    expect(stdout).not.toContain('.context')
    const { stdout: more } = ambit(['init', '--agent', 'claude', '--skeletons'], { cwd: at.base })
    expect(more).toMatch(/^would-write: .*\.context\/TASKS\.md$/m)
    expect(more).not.toContain('# Tasks')
    expect(stdout).toMatch(/Nothing is written yet. Add --write to write it\.\n$/)
    expect(readFileSync(at.at('.claude/settings.json'), 'utf8')).toBe('{"mine":1}')
    expect(ambit(['init', '--agent', 'claude', '--write'], { cwd: at.base }).stdout).toMatch(/^merged: /)
    expect(JSON.parse(readFileSync(at.at('.claude/settings.json'), 'utf8'))).toMatchObject({ mine: 1 })
    expect(ambit(['init', '--agent', 'claude', '--remove', '--write'], { cwd: at.base }).stdout).toMatch(/^removed: /)
    expect(readFileSync(at.at('.claude/settings.json'), 'utf8')).toBe('{"mine":1}')
  })

  it('asks a person first, and says when nothing was written', () => {
    using at = tree({ '.git/': '' })
    const { screen } = onTerminal(['init', '--agent', 'claude'], { cwd: at.base, input: 'n\n' })
    expect(screen).toMatch(/Write this\? \[y\/N\]/)
    expect(screen).toContain('Nothing was written.')
    onTerminal(['init', '--agent', 'claude'], { cwd: at.base, input: 'y\n' })
    expect(JSON.parse(readFileSync(at.at('.claude/settings.json'), 'utf8'))).toHaveProperty('hooks.SessionStart')
  })
})
