import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDERS } from '../agent/answering.ts'
import { type LanguageServer, languageServer, type Script, SPEECHES } from '../support/language-server.ts'
import { ambit, ambitInTurn, onTerminal, PROJECT, startAmbit } from '../support/program.ts'
import { PNG, type Tree, tree } from '../support/tree.ts'

let at: Tree
beforeAll(() => {
  at = tree({ ...PROJECT, 'docs/errors.md': '# Errors\n\nAfter a timeout a request is sent again, twice.\n' })
  const server = `{ command: ${process.execPath}, args: ${FIXTURE}, trustReadOnly: true }`
  at.plant({ 'settings/ambit/config.yaml': `mcpServers: { fix: ${server} }\n` })
  ambitInTurn([['collection', 'add', 'docs', 'docs'], ['index']], { cwd: at.base })
})
afterAll(() => at[Symbol.dispose]())

const run = (args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) =>
  ambit(args, { cwd: at.base, input, env })
const FIXTURE = JSON.stringify([fileURLToPath(new URL('../support/mcp-fixture.ts', import.meta.url))])
const QUESTION = 'what happens after a timeout?'

/** What is said to lines that read no stdin. */
const inTurn = (...lines: readonly (readonly string[])[]) => ambitInTurn(lines, { cwd: at.base })

describe('ambit ask', () => {
  it('answers without a network and a key: the answer on stdout, a line for each tool on stderr', () => {
    const { status, stdout, stderr } = run(['ask', QUESTION])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^> After a timeout .* twice\.\n\n\[\d\] ambit:\/\/docs\/errors\.md:3, under “Errors”\n/)
    expect(stdout).toMatch(/local\/extractive.*Set AMBIT_MODEL=/)
    expect(stderr).toBe(`✓ search ${QUESTION}\n✓ read ambit://docs/errors.md 1-303\n`)
  })

  it('answers of the place that it is asked about, indexed or not, and from elsewhere where that has nothing', () => {
    using two = tree({
      'mine/.git/': '',
      'mine/LICENSE': 'The licence of this program is the MIT licence.\n',
      'mine/node_modules/x/LICENSE': 'The licence of this program is the BSD licence.\n',
      'other/LICENSE': 'The licence of this program is the Apache licence.\n',
      'other/whales.md': '# Whales\n\nThe blue whale weighs 150 tonnes.\n',
    })
    const licence = 'what is the licence of this program?'
    const lines = [
      ['collection', 'add', 'other', 'other'],
      ['index'],
      ['ask', licence, './mine'],
      ['ask', licence, 'ambit://other'],
      ['ask', 'how much does the blue whale weigh?', './mine'],
    ]
    const [, , ...answers] = ambitInTurn(lines, { cwd: two.base })
    expect(answers.map(({ stdout }) => stdout)).toEqual([
      expect.stringMatching(/^> The licence .* MIT licence/),
      expect.stringMatching(/Apache/),
      expect.stringMatching(/^> .*150 tonnes\.\n\n\[\d\] ambit:\/\/other\/whales\.md:3, under “Whales”\n/),
    ])
  })

  it('reads the file on disk that it found, and quotes it once', () => {
    using mine = tree({ '.git/': '', 'blue whales.md': '# Whales\n\nThe blue whale weighs 150 tonnes.\n' })
    const asked = ambit(['ask', 'how much does the blue whale weigh?', '--json'], { cwd: mine.base })
    const { answer, steps } = JSON.parse(asked.stdout)
    expect(steps.map(({ tool, status }: { tool: string; status: string }) => [tool, status])).toEqual([
      ['search', 'done'],
      ['read', 'done'],
    ])
    expect(answer.match(/150 tonnes/g)).toHaveLength(1)
  })

  it('quotes what applies at the place where nothing else is found, and says what to do where nothing is', () => {
    using empty = tree({ '.git/': '', 'AGENTS.md': 'Tests come first.\n' })
    const lines = ['what of tests?', 'what of whales?'].map((question) => ['ask', question])
    expect(ambitInTurn(lines, { cwd: empty.base }).map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining('> Tests come first.'),
      expect.stringContaining('ambit collection add'),
    ])
  })

  it('streams on a terminal, with faint lines for the tools', () => {
    const { status, screen } = onTerminal(['ask', QUESTION], { cwd: at.base })
    expect(status).toBe(0)
    expect(screen).toContain(`\u001b[2m✓ search ${QUESTION}\u001b[22m\n`)
    expect(screen).toMatch(/> After a timeout a request is sent again, twice\./)
  })
})

/** The program beside a server in this process. */
function beside(
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
) {
  const started = startAmbit(args, { cwd: at.base, env })
  started.child.stdin.end(input)
  return started
}

describe.each(SPEECHES)('with a model that speaks %s, ambit', { tags: 'long' }, (speech) => {
  const KEY = 'sk-canary-77aa'
  const withModel = async (
    script: Script,
    work: (server: LanguageServer, env: Record<string, string>) => Promise<void>,
  ) => {
    await using server = await languageServer(speech, script)
    await work(server, { AMBIT_MODEL: `${PROVIDERS[speech]}/m`, AMBIT_MODEL_URL: server.url, AMBIT_MODEL_KEY: KEY })
    expect(server.problems).toEqual([])
  }

  it('ask tells its answer, and the places that it cites', () =>
    withModel(
      [{ calls: [{ tool: 'search', input: { query: 'timeout' } }] }, { text: ['It is sent ', 'again [4].'] }],
      async (_, env) => {
        const { status, stdout, stderr } = await beside(['ask', QUESTION], { env }).ended
        expect([status, stdout, stderr]).toEqual([
          0,
          'It is sent again [1].\n\n[1] ambit://docs/errors.md:3\n',
          '✓ search timeout\n',
        ])
      },
    ))

  it('ask says what went wrong, and never the key', () =>
    withModel([{ fault: { status: 401, body: `{"error":{"message":"no ${KEY}"}}` } }], async (_, env) => {
      const { status, stdout, stderr } = await beside(['ask', QUESTION, '--json'], { env }).ended
      expect([status, stdout]).toEqual([1, ''])
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'denied', hint: 'Set AMBIT_MODEL_KEY.' } })
      expect(stderr).not.toContain(KEY)
    }))

  it('ask is stopped by Ctrl-C, and closes its request', () =>
    withModel([{ text: 'It', finish: null, end: 'hang' }], async (server, env) => {
      const { child, ended } = beside(['ask', QUESTION], { env })
      await expect.poll(() => server.asked.length).toBe(1)
      child.kill('SIGINT')
      expect(await ended).toMatchObject({ status: 130, stderr: expect.stringContaining('was stopped') })
      await expect.poll(() => server.closed).toBe(1)
    }))

  it('chat ends the answer, not itself, on the first Ctrl-C', () =>
    withModel([{ text: 'It', finish: null, end: 'hang' }, { text: 'Two.' }], async (server, env) => {
      const { child, ended } = beside(['chat'], { env, input: 'One?\nTwo?\n' })
      await expect.poll(() => server.asked.length).toBe(1)
      child.kill('SIGINT')
      expect(await ended).toMatchObject({ status: 0, stdout: 'It\nTwo.\n' })
    }))

  it('chat goes on where it was, and tells what applies once', () =>
    withModel([{ text: 'One.' }, { text: 'Two.' }], async (server, env) => {
      const { status, stdout } = await beside(['chat'], { env, input: 'One?\nTwo?\n' }).ended
      expect([status, stdout]).toEqual([0, 'One.\nTwo.\n'])
      expect(JSON.stringify(server.asked[1]?.body).split('Tests first.')).toHaveLength(2)
    }))

  it('chat tells with the next exchange what applies to the files that were read and written through tools', () =>
    withModel(
      [
        { calls: [{ tool: 'read', input: { path: './pkg/api/server.ts' } }] },
        { text: 'Empty.' },
        { calls: [{ tool: 'find_tools', input: { query: 'write' } }] },
        ({ messages }) => {
          const path = /file (\/\S+?)\b\./.exec(JSON.stringify(messages))?.[1]
          return { calls: [{ tool: 'fix__echo', input: { path: `${path}.ts` } }] }
        },
        { text: 'Written.' },
      ],
      async (server, env) => {
        at.plant({ 'lib/AGENTS.md': 'In lib be quick.\n' })
        const input = `What is in the server?\nNow the file ${at.at('lib/new')}.\n/tools\n`
        const { stdout, stderr } = await beside(['chat'], {
          env: { ...env, XDG_CONFIG_HOME: at.at('settings') },
          input,
        }).ended
        expect(stdout).toBe('Empty.\nWritten.\n')
        const bodies = server.asked.map(({ body }) => JSON.stringify(body))
        expect(bodies.map((body) => body.includes('Check the token.'))).toEqual([false, true, true, true, true])
        expect(bodies.map((body) => body.includes('In lib be quick.'))).toEqual([false, false, false, false, true])
        expect(stderr).toMatch(/✓ read \.\/pkg\/api\/server\.ts\n.*tokens in, \d+ out\n/)
        expect(stderr).toMatch(
          /Tools of Ambit\n.* {2}set_path_context \(you are asked each time\)\n.*fix \(MCP\), ready\n {2}fix__echo\n/s,
        )
        expect(stderr).toMatch(/ {2}not offered: bad name!/)
      },
    ))

  it('chat that is killed within an answer goes on without the part of it that came', () =>
    withModel([{ text: 'Half an', finish: null, end: 'hang' }, { text: 'Whole.' }], async (server, env) => {
      const { child, ended } = beside(['chat'], { env, input: 'One?\n' })
      await expect.poll(() => server.asked.length).toBe(1)
      const kept = () =>
        run(['conversation', 'export', JSON.parse(run(['conversation', 'list', '--json']).stdout).conversations[0].id])
      await expect.poll(() => kept().stdout, { interval: 300 }).toContain('Half an')
      child.kill('SIGKILL')
      await ended
      const again = await beside(['chat', '--resume'], { env, input: 'Two?\n' }).ended
      expect([again.status, again.stdout]).toEqual([0, 'Whole.\n'])
      const sent = JSON.stringify(server.asked[1]?.body)
      expect([sent.includes('One?'), sent.includes('Two?'), sent.includes('Half an')]).toEqual([true, true, false])
    }))

  it('control sequences of an answer reach no pipe and no file', () =>
    withModel([{ text: 'a\u001b[31mb \u001b]0;c\u0007d' }], async (_, env) => {
      const file = `sequences-${process.pid}-${speech}.md`
      const { stdout } = await beside(['chat'], { env, input: `One?\n/save ${file}\n` }).ended
      expect(stdout).toBe('ab d\n')
      expect(readFileSync(at.at(file), 'utf8')).toContain('ab d')
      expect(readFileSync(at.at(file), 'utf8')).not.toContain('\u001b')
    }))

  it('ask and chat send files with a question, or say that they cannot', () =>
    withModel([{ text: 'A dot.' }, { text: 'Notes.' }], async (server, env) => {
      const seeing = { ...env, AMBIT_MODEL_IMAGES: '1' }
      at.plant({ 'dot.png': PNG, 'plan.md': '# Plan\n\nShip on Monday.\n' })
      const asked = await beside(['ask', 'What is on it?', '--file', 'dot.png'], { env: seeing }).ended
      expect([asked.status, asked.stdout]).toEqual([0, 'A dot.\n'])
      expect(JSON.stringify(server.asked[0]?.body)).toContain(PNG.toString('base64'))
      const input = '/attach nowhere.md\n/attach plan.md\nWhen?\n'
      const talked = await beside(['chat'], { env: seeing, input }).ended
      expect(talked.stderr).toMatch(/ambit: .*nowhere\.md.*\n.*With the next question: plan\.md\n/s)
      expect(JSON.stringify(server.asked[1]?.body)).toContain('Ship on Monday.')
      const blind = await beside(['ask', 'What is on it?', '--file', 'dot.png'], {
        env: { ...env, AMBIT_MODEL_IMAGES: '0' },
      }).ended
      expect([blind.status, blind.stderr]).toEqual([1, expect.stringContaining('not known to look at pictures')])
      expect(server.asked).toHaveLength(2)
    }))

  it('an answer cites the text files that were sent with the question', () => {
    const answer = (body: object) => {
      const [, number] = /\[(\d+)\] attachment:plan b\.md/.exec(JSON.stringify(body)) ?? []
      return { text: `“Ship on Monday.” [${number}] It costs 7,777 [${number}].` }
    }
    return withModel([answer], async (_, env) => {
      at.plant({ 'plan b.md': '# Plan\n\nShip on Monday.\n' })
      const { stdout } = await beside(['ask', 'When?', '--file', 'plan b.md', '--json'], { env }).ended
      expect(JSON.parse(stdout)).toMatchObject({
        found: true,
        citations: [{ number: 1, place: 'attachment:plan b.md', line: 3, heading: 'Plan' }],
        claims: [{ verdict: 'supported' }, { verdict: 'unsupported' }],
      })
    })
  })

  it('doctor tests it', () =>
    withModel([{ text: 'Ready.' }], async (_, env) => {
      const { stdout } = await beside(['doctor', '--json'], { env }).ended
      const { checks } = JSON.parse(stdout)
      const named = env.AMBIT_MODEL
      expect(checks).toContainEqual({ name: 'model', status: 'ok', message: `${named} answers.` })
      const wrong = await beside(['doctor', '--json'], { env: { ...env, AMBIT_MODEL_URL: 'http://127.0.0.1:1' } }).ended
      expect(JSON.parse(wrong.stdout).checks).toContainEqual(
        expect.objectContaining({ name: 'model', status: 'failed' }),
      )
    }))
})

it('ambit doctor looks at the MCP servers', () => {
  const checkOf = (file: string) => {
    using home = tree({ 'ambit/config.yaml': file })
    const { stdout } = run(['doctor', '--json'], '', { XDG_CONFIG_HOME: home.base })
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'MCP servers')
  }
  expect(checkOf('')).toMatchObject({ status: 'ok', message: expect.stringContaining('None are set') })
  const fix = `fix: { command: ${process.execPath}, args: ${FIXTURE} }`
  expect(checkOf(`mcpServers: { ${fix}, gone: { command: /nowhere } }`)).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/^fix: 14 tools\. gone: .*ENOENT/),
  })
})

describe('ambit chat', () => {
  it('answers line by line, and knows its commands', () => {
    const file = `talk-${process.pid}.md`
    const lines = [
      QUESTION,
      '/context',
      '/model',
      `/save ${file}`,
      `/save ${file}`,
      '/nonsense',
      '/attach',
      '/save',
      '/sign-in x',
      '/help',
      '/quit',
      'never',
    ]
    const { status, stdout, stderr } = run(['chat'], `${lines.join('\n')}\n`)
    expect(status).toBe(0)
    expect(stdout).toContain('sent again, twice')
    expect(stdout).not.toContain('never')
    expect(stderr).toMatch(/3 parts, \d+ tokens:\n(?: {2}context .*\n)*? {2}context .*AGENTS\.md {2}\d+ tokens\n/)
    expect(stderr).toContain('\nlocal/extractive\n')
    expect(stderr).toMatch(/Written: .*\nambit: .*(is|already)/)
    expect(stderr).toContain('There is no command /nonsense.')
    for (const line of ['/attach plan.pdf', '/save talk.md'])
      expect(stderr).toContain(`ambit: The file is missing.\nFor example: ${line}\n`)
    expect(stderr).toContain('ambit: No MCP servers are set.\n')
    expect(stderr).toContain('/quit: ends the chat')
    const saved = readFileSync(at.at(file), 'utf8')
    expect(saved).toMatch(/^# what happens after a timeout\?\n\n## You\n\nwhat happens.*\n\n## Ambit\n\n- `search /)
    expect(saved.match(/## Ambit/g)).toHaveLength(1)
  })

  it('goes on after a question that failed, and tells a script when the last one did', () => {
    const named = run(['chat'], '/model acme/x\n')
    expect([named.status, named.stderr]).toEqual([1, expect.stringContaining('which is not valid')])
    expect(run(['chat'], `/model acme/x\n${QUESTION}\n`).status).toBe(0)
  })

  it('is kept, and goes on where it was, from the last one or by its id', () => {
    run(['chat', 'docs'], 'what of timeouts?\n')
    const [{ id }] = JSON.parse(run(['conversation', 'list', '--json']).stdout).conversations
    expect(run(['chat', '--resume', id], `${QUESTION}\n/context\n`).stdout).toContain('sent again, twice')
    const last = run(['chat', '--resume'], 'and then?\n/context\n')
    expect([last.status, last.stderr.match(/AGENTS\.md/g)?.length]).toEqual([0, 1])
    const [listed, shown, exported, removed] = inTurn(
      ['conversation', 'list', '--json'],
      ...['show', 'export', 'remove'].map((word) => ['conversation', word, id]),
    )
    const [newest] = JSON.parse(listed?.stdout ?? '').conversations
    expect(newest).toMatchObject({ id, title: 'what of timeouts?', exchanges: 3 })
    expect(shown?.stdout.match(/^You:$/gm)).toHaveLength(3)
    expect(exported?.stdout).toContain(`## You\n\n${QUESTION}\n`)
    expect(removed?.status).toBe(0)
    const gone = run(['chat', '--resume', id], 'hello\n')
    expect([gone.status, gone.stderr]).toEqual([1, expect.stringContaining('There is no conversation')])
  })

  it('waits for the MCP servers, and asks by their prompts', () => {
    const input = '/tools\n/prompts\n/fix:review a.ts dead code\n/fix:nothing\n'
    const { status, stderr } = run(['chat'], input, { XDG_CONFIG_HOME: at.at('settings') })
    expect(status).toBe(1)
    expect(stderr).toMatch(/fix \(MCP\), ready\n {2}fix__echo\n.* {2}1 resource to read\n/s)
    expect(stderr).toContain('/fix:review file [about]: Looks it through.\n')
    expect(stderr).toContain('The MCP server fix has no prompt nothing.\nIts prompts: review.\n')
    const [{ id }] = JSON.parse(run(['conversation', 'list', '--json']).stdout).conversations
    expect(run(['conversation', 'show', id]).stdout).toContain('Review a.ts.\n\nLook for dead code.')
  })

  it('shows again on a terminal what was said before, when it goes on', () => {
    run(['chat', 'docs'], `${QUESTION}\n`)
    const { screen } = onTerminal(['chat', '--resume'], { cwd: at.base, input: '/quit\r' })
    expect(screen).toMatch(/> what happens after a timeout\?[\s\S]*sent again,\s+twice/)
  })

  it('is a prompt on a terminal', () => {
    const { screen } = onTerminal(['chat'], { cwd: at.base, input: `${QUESTION}\r/quit\r` })
    expect(screen).toContain('local/extractive at ')
    expect(screen).toContain('sent again, twice')
  })
})
