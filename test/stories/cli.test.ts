import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { ambit, BIN, onTerminal } from '../support/program.ts'
import { type Shape, tree } from '../support/tree.ts'

const PROJECT: Shape = {
  '.git/': '',
  'AGENTS.md': '# Root\n\nTests first.\n',
  'pkg/api/AGENTS.md': '# API\n\nCheck the token.\n',
  'pkg/api/server.ts': '',
  '.context/CONSTITUTION.md': '# Constitution\n\n- Never log a password.\n',
  '.context/TASKS.md': '# Tasks\n\n- [x] Parse\n- [ ] Measure\n',
}

const kept = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../docs/schemas/${name}.schema.json`, import.meta.url), 'utf8'))

describe('ambit load', () => {
  it('prints the context of the current directory: constitution, instructions, context directory', () => {
    using at = tree(PROJECT)
    const { status, stdout, stderr } = ambit(['load'], { cwd: at.base })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/^## .*$/gm)).toEqual(['## Constitution', '## AGENTS.md', '## Current Tasks'])
    expect(stdout).toMatch(
      /^# Project Context\n\n## Constitution\nSource: \.context\/CONSTITUTION\.md\n\n# Constitution/,
    )
  })

  it('says in JSON what it prints: text is the Markdown, summary the part of the context directory', () => {
    using at = tree(PROJECT)
    const markdown = ambit(['load'], { cwd: at.base }).stdout
    const answer = JSON.parse(ambit(['load', '--json'], { cwd: at.base }).stdout)
    expect(answer.text).toBe(markdown)
    expect(answer.summary.match(/^## .*$/gm)).toEqual(['## Constitution', '## Current Tasks'])
    expect(answer.tokenCount).toBe(Math.ceil(Buffer.byteLength(markdown) / 4))
    const ledgered = answer.ledger.reduce((sum: number, row: { tokensAfter: number }) => sum + row.tokensAfter, 0)
    expect(answer.frameTokens).toBe(answer.tokenCount - ledgered)
    expect(answer.missing).toContain('DECISIONS.md')
    expect(answer.missingRequired).toEqual(['DECISIONS.md'])
    expect(answer.contextDir).toEqual({ path: at.at('.context'), levels: 0 })
  })

  it.each([
    ['load', ['load', '--json', '--touched', 'pkg/api/server.ts']],
    ['load', ['load', '--json', '--no-full', '--budget', '40']],
    ['explain', ['explain', '--json', '--why-not', 'pkg/api/AGENTS.md']],
    ['check', ['check', '--json']],
    ['diff', ['diff', '--json']],
    ['doctor', ['doctor', '--json']],
    ['init', ['init', '--json', '--agent', 'claude']],
  ])('answers %s by the schema in docs/schemas', (name, args) => {
    using at = tree(PROJECT)
    const { stdout } = ambit(args, { cwd: at.base })
    const validate = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(kept(name))
    expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each(operations.map(({ name }) => name))('keeps docs/schemas/%s.schema.json true (npm run schemas)', (name) => {
    const output = operations.find((operation) => operation.name === name)?.output()
    expect(kept(name)).toMatchObject(JSON.parse(JSON.stringify(output)))
  })

  it('leaves the instruction files out for agents that read them by themselves', () => {
    using at = tree(PROJECT)
    const { stdout } = ambit(['load', '--no-instructions', '--touched', 'pkg/api/server.ts'], { cwd: at.base })
    expect(stdout.match(/^## .*$/gm)).toEqual(['## Constitution', '## Current Tasks'])
  })

  it('prints XML with the absolute path of each file', () => {
    using at = tree(PROJECT)
    const { stdout } = ambit(['load', '--format', 'xml', '--touched', 'pkg/api/server.ts'], { cwd: at.base })
    expect(stdout.match(/^<context filename=".*">$/gm)).toEqual([
      `<context filename="${at.at('.context/CONSTITUTION.md')}">`,
      `<context filename="${at.at('pkg/api/AGENTS.md')}">`,
      `<context filename="${at.at('AGENTS.md')}">`,
      `<context filename="${at.at('.context/TASKS.md')}">`,
    ])
    const { text } = JSON.parse(ambit(['load', '--format', 'xml', '--json'], { cwd: at.base }).stdout)
    expect(text).toBe(ambit(['load', '--format', 'xml'], { cwd: at.base }).stdout)
  })

  it('counts in a warning what XML cannot hold', () => {
    using at = tree({ '.git/': '', 'AGENTS.md': 'a\u0007b\u001b' })
    const { text, warnings } = JSON.parse(ambit(['load', '--format', 'xml', '--json'], { cwd: at.base }).stdout)
    expect(text).toContain('a\ufffdb\ufffd')
    expect(warnings).toEqual([{ path: at.at('AGENTS.md'), message: expect.stringMatching(/U\+FFFD: 2\.$/) }])
  })

  it('never cuts the constitution, under whatever name it comes first', () => {
    const constitution = '# Constitution\n\n'.padEnd(2000, 'Never. ')
    using at = tree({
      '.git/': '',
      '.context/CONSTITUTION.md': constitution,
      'AGENTS.md -> .context/CONSTITUTION.md': '',
    })
    const { ledger, overBudget } = JSON.parse(ambit(['load', '--budget', '100', '--json'], { cwd: at.base }).stdout)
    expect(overBudget).toBe(true)
    expect(ledger[0]).toMatchObject({ title: 'AGENTS.md', decision: 'kept', tokensAfter: 500 })
  })

  it('takes a file as a place: its directory, touched at that file', () => {
    using at = tree(PROJECT)
    const answer = JSON.parse(ambit(['load', 'pkg/api/server.ts', '--json'], { cwd: at.base }).stdout)
    expect(answer.place).toBe(at.at('pkg/api'))
    expect(answer.root).toBe(at.base)
    expect(answer.contexts.map(({ path }: { path: string }) => path)).toEqual([
      at.at('pkg/api/AGENTS.md'),
      at.at('AGENTS.md'),
    ])
    expect(answer.contextDir).toEqual({ path: at.at('.context'), levels: 2 })
  })

  it('leaves a context directory that is a file, and loads the rest', () => {
    using at = tree({ '.git/': '', '.context': 'not a directory', 'AGENTS.md': 'rules' })
    const { status, stdout } = ambit(['load', '--json'], { cwd: at.base })
    const { ledger, contextDir } = JSON.parse(stdout)
    expect([status, contextDir]).toEqual([0, null])
    expect(ledger).toMatchObject([
      { title: 'AGENTS.md', decision: 'kept' },
      { title: '.context', decision: 'left' },
    ])
  })

  it('draws the ledger on stderr with --explain, and leaves stdout as it is', () => {
    using at = tree(PROJECT)
    const { stdout, stderr } = ambit(['load', '--explain'], { cwd: at.base })
    expect(stdout).toBe(ambit(['load'], { cwd: at.base }).stdout)
    expect(stderr).toMatch(/● kept +Constitution +\d+/)
    expect(stderr).toMatch(/░ \d+ of 8,000 tokens \(\d+ %\), \d+ for headings and tags/)
  })

  it.each([
    [
      'general first, the root before what is below it',
      ['--order', 'general-first'],
      ['AGENTS.md', 'pkg/api/AGENTS.md'],
    ],
    ['specific first by default', [], ['pkg/api/AGENTS.md', 'AGENTS.md']],
    ['as another tool sees it', ['--profile', 'gemini'], []],
  ])('prints instruction files %s', (_, args, titles) => {
    using at = tree(PROJECT)
    const { stdout } = ambit(['load', '--touched', 'pkg/api/server.ts', ...args], { cwd: at.base })
    expect(stdout.match(/^## .*AGENTS\.md$/gm) ?? []).toEqual(titles.map((title) => `## ${title}`))
  })

  it('reads the files of the home directory, unless told not to, or told of another home', () => {
    using at = tree({ ...PROJECT, 'h/.kodelet/AGENTS.md': 'mine', 'h2/.ambit/AGENTS.md': 'other' })
    const titles = (env: Record<string, string>, ...args: string[]) =>
      ambit(['load', ...args], { cwd: at.base, env }).stdout.match(/^## ~.*$/gm) ?? []
    expect(titles({ HOME: at.at('h') })).toEqual(['## ~/.kodelet/AGENTS.md'])
    expect(titles({ HOME: at.at('h') }, '--no-home')).toEqual([])
    expect(titles({ HOME: at.at('h'), AMBIT_HOME: at.at('h2') })).toEqual(['## ~/.ambit/AGENTS.md'])
  })

  it('works without a home, and with one that cannot be written to', () => {
    using at = tree(PROJECT)
    expect(ambit(['load'], { cwd: at.base, env: { HOME: '/nonexistent' } }).status).toBe(0)
    expect(ambit(['load'], { cwd: at.base, env: { HOME: '/proc' } }).status).toBe(0)
  })

  it('counts with the exact tokenizer when asked', () => {
    using at = tree(PROJECT)
    const { status, stdout } = ambit(['load', '--tokens', 'o200k', '--json'], { cwd: at.base })
    expect(status).toBe(0)
    expect(JSON.parse(stdout).tokenCount).toBeGreaterThan(20)
  })
})

describe('the command line', () => {
  it.each([
    ['a budget of nothing', ['load', '--budget', '0'], /--budget must be at least 1/],
    ['a budget below nothing', ['load', '--budget=-5'], /--budget must be at least 1/],
    ['a budget that is no number', ['load', '--budget', 'lots'], /--budget is "lots", and must be a whole number/],
    ['a budget that is not whole', ['load', '--budget', '1.5'], /--budget/],
    ['an empty budget', ['load', '--budget', ''], /must be a whole number/],
    ['a budget in another notation', ['load', '--budget', '1e3'], /must be a whole number/],
    ['a hexadecimal budget', ['load', '--budget', '0x10'], /must be a whole number/],
    ['a profile that is not there', ['load', '--profile', 'nobody'], /must be one of ambit, codex, claude/],
    ['an empty profile', ['check', '--profile', ''], /must be one of/],
    ['an option that is not there', ['load', '--bugdet', '5'], /'--bugdet'/],
    ['a format that is not there', ['load', '--format', 'pdf'], /must be one of markdown, xml/],
    ['an argument too many', ['load', 'a', 'b'], /"b" is one argument too many/],
    ['a command that is not there', ['lod'], /no command "lod"/],
    ['a shell that is not there', ['completion', 'tcsh'], /not for "tcsh"/],
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
    ['a collection that is not there', ['load', 'ambit://docs/a'], 'invalid-input'],
  ])('fails for %s with exit code 1, and says so in one line of JSON when asked', (_, args, code) => {
    using at = tree(PROJECT)
    expect(ambit(args, { cwd: at.base })).toMatchObject({ status: 1, stdout: '' })
    const { status, stdout, stderr } = ambit([...args, '--json'], { cwd: at.base })
    expect([status, stdout]).toEqual([1, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code, message: expect.any(String), hint: expect.any(String) } })
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each(operations.map(({ name }) => name))(
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
    ['is a list', '- home', /It is no list of names and values/],
    ['has a home that is no path', 'home: 42', /"home" is 42, and must be a path/],
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

  it.each(operations.map(({ name }) => name))(
    'helps with %s: every option, and an example that is a command line',
    (name) => {
      using at = tree(PROJECT)
      const { status, stdout } = ambit([name, '--help'], { cwd: at.base })
      expect(status).toBe(0)
      expect(stdout).toContain(`ambit ${name}`)
      expect(stdout).toMatch(/Examples?\n +# /)
    },
  )

  it('answers --version, --help and no argument at all', () => {
    using at = tree(PROJECT)
    expect(ambit(['--version'], { cwd: at.base }).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(ambit([], { cwd: at.base })).toMatchObject({ status: 0, stderr: '' })
    expect(ambit(['--help'], { cwd: at.base }).stdout).toContain('Commands')
  })

  it('completes commands, options and values in bash', () => {
    using at = tree(PROJECT)
    const complete = (...words: string[]) => {
      const script = `eval "$('${process.execPath}' '${BIN}' completion bash)"
        COMP_WORDS=(ambit ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _ambit; printf '%s\\n' "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', script], { cwd: at.base, encoding: 'utf8' }).stdout.trim().split('\n')
    }
    expect(complete('ex')).toEqual(['explain'])
    expect(complete('load', '--bu')).toEqual(['--budget'])
    expect(complete('load', '--format', 'x')).toEqual(['xml'])
    expect(complete('load', 'AG')).toEqual(['AGENTS.md'])
  })

  it.each(['zsh', 'fish'])('writes completions for %s that name every command', (shell) => {
    using at = tree(PROJECT)
    const { stdout } = ambit(['completion', shell], { cwd: at.base })
    for (const { name } of operations) expect(stdout).toContain(name)
  })
})

describe('what a text cannot say', () => {
  it('is said on stderr when nothing applies, and with --json in the answer only', () => {
    using at = tree({ '.git/': '' })
    expect(ambit(['load', '--no-home'], { cwd: at.base })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/^There is no context here\. /),
    })
    const { stdout, stderr } = ambit(['load', '--no-home', '--json'], { cwd: at.base })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ missing: expect.any(Array), ledger: expect.any(Array) })
    expect(JSON.parse(stdout).ledger.map(({ why }: { why: string }) => why)).toEqual(Array(10).fill('missing'))
  })

  it('is said on stderr when the constitution is more than the budget', () => {
    using at = tree({ '.git/': '', '.context/CONSTITUTION.md': 'A rule that holds.\n'.repeat(50) })
    const { status, stderr } = ambit(['load', '--budget', '20'], { cwd: at.base })
    expect([status, stderr]).toEqual([0, expect.stringMatching(/tokens, the budget 20: the constitution is never cut/)])
    expect(ambit(['load'], { cwd: at.base }).stderr).toBe('')
  })

  it('is said on stderr when files that are there cannot be loaded', () => {
    using at = tree({ 'p/.git/': '', 'p/.context/TASKS.md': 'a\0b', 'p/AGENTS.md': 'x\n' })
    const { status, stdout, stderr } = ambit(['load', '--no-home'], { cwd: at.at('p') })
    expect([status, stderr]).toEqual([0, '1 file not loaded: Current Tasks; see "ambit explain".\n'])
    expect(stdout).toContain('x')
  })

  it('is said on stderr of links that lead out of the project, and not of paths that were touched there', () => {
    using at = tree({
      'p/.git/': '',
      'p/.context/CONSTITUTION.md': 'rule\n',
      'p/.context/TASKS.md -> ../../TASKS.md': '',
      'p/AGENTS.md -> ../AGENTS.md': '',
      'TASKS.md': 'outside',
      'AGENTS.md': 'outside',
    })
    const { stdout, stderr } = ambit(['load', '--no-home', '--touched', '../x.ts'], { cwd: at.at('p') })
    expect(stderr).toBe('2 files not loaded: AGENTS.md, Current Tasks; see "ambit explain".\n')
    expect(stdout).not.toContain('outside')
  })

  it('is help for the completions', () => {
    using at = tree({})
    expect(ambit(['completion', '--help'], { cwd: at.base })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/ambit completion bash/),
    })
  })
})

describe('on a terminal', () => {
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
    expect(stdout).toMatch(/Nothing is written yet: --write does it\.\n$/)
    expect(readFileSync(at.at('.claude/settings.json'), 'utf8')).toBe('{"mine":1}')
    expect(ambit(['init', '--agent', 'claude', '--write'], { cwd: at.base }).stdout).toMatch(/^merged: /)
    expect(JSON.parse(readFileSync(at.at('.claude/settings.json'), 'utf8'))).toMatchObject({ mine: 1 })
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
