/** Changes that somebody thought of: each takes away one protection, and some test must notice. */

interface Edit {
  readonly path: string
  /** Stands in the file once. */
  readonly before: string
  readonly after: string
}

export interface HandMadeChange {
  /** In words. */
  readonly change: string
  readonly edits: readonly Edit[]
  /** The files of tests that should notice. */
  readonly tests: readonly string[]
}

const CANARY = ['test/surfaces/canary.test.ts']
const UNSEEN = ['test/surfaces/http/unseen.test.ts']
const DURABILITY = ['test/reliability/durability.test.ts']

const STREAM: Edit = {
  path: 'src/surfaces/cli/streams.ts',
  before: 'const seen = neutralise(text).text\n      if (!terminal)',
  after: 'const seen = text\n      if (!terminal)',
}

const EXITS: readonly HandMadeChange[] = [
  {
    change: 'exit of HTTP answers taken away',
    edits: [{ path: 'src/surfaces/http/body.ts', before: 'serializeVisibly(answer)', after: 'JSON.stringify(answer)' }],
    tests: CANARY,
  },
  {
    change: 'exit of HTTP errors taken away',
    edits: [
      { path: 'src/surfaces/http/problem.ts', before: 'serializeVisibly(problem)', after: 'JSON.stringify(problem)' },
    ],
    tests: CANARY,
  },
  {
    change: 'exit of events taken away',
    edits: [
      {
        path: 'src/surfaces/http/events/run-log.ts',
        before: 'serializeVisibly(data)',
        after: 'JSON.stringify(data)',
      },
    ],
    tests: CANARY,
  },
  { change: 'exit of the command line taken away', edits: [STREAM], tests: CANARY },
  {
    change: 'control sequences let through to a terminal',
    edits: [{ path: STREAM.path, before: 'shownLines(stripControls(seen),', after: 'shownLines(seen,' }],
    tests: CANARY,
  },
  {
    change: 'exit of `--json` taken away, and that of the stream behind it',
    edits: [
      STREAM,
      { path: 'src/surfaces/cli/cli.ts', before: 'serializeVisibly(output)', after: 'JSON.stringify(output)' },
    ],
    tests: CANARY,
  },
  {
    change: 'exit of MCP taken away',
    edits: [
      {
        path: 'src/surfaces/mcp/exit.ts',
        before: "return neutralise(text.replace(CONTROLS, '')).text",
        after: 'return text',
      },
    ],
    tests: CANARY,
  },
  {
    change: 'exit of the chat taken away',
    edits: [
      {
        path: 'src/surfaces/http/chat/running.ts',
        before: 'serializeVisibly(chunk)',
        after: 'JSON.stringify(chunk)',
      },
    ],
    tests: UNSEEN,
  },
  {
    change: 'exit of conversations and research sessions taken away',
    edits: [{ path: 'src/surfaces/http/body.ts', before: 'serializeVisibly(value)', after: 'JSON.stringify(value)' }],
    tests: UNSEEN,
  },
  {
    change: 'exit of the events of a session taken away',
    edits: [
      { path: 'src/surfaces/http/sessions/stream.ts', before: 'serializeVisibly(data)', after: 'JSON.stringify(data)' },
    ],
    tests: UNSEEN,
  },
  {
    change: 'exit of exported reports taken away',
    edits: [
      {
        path: 'src/research/export/formats.ts',
        before: 'const { text } = neutralise(await textAs(report, format, day))',
        after: 'const text = await textAs(report, format, day)',
      },
    ],
    tests: UNSEEN,
  },
]

const DURABLE: readonly HandMadeChange[] = [
  {
    change: '`synchronous = OFF` in place of `NORMAL`',
    edits: [{ path: 'src/stores/sqlite/database.ts', before: 'synchronous = NORMAL', after: 'synchronous = OFF' }],
    tests: DURABILITY,
  },
  {
    change: 'the log of a research run not at `synchronous = FULL`',
    edits: [{ path: 'src/stores/sqlite/sql.ts', before: 'synchronous = FULL', after: 'synchronous = NORMAL' }],
    tests: DURABILITY,
  },
  {
    change: 'no fsync of an uploaded object',
    edits: [{ path: 'src/files/disk/directory-put.ts', before: 'await syncing(fd)', after: '' }],
    tests: DURABILITY,
  },
  {
    change: 'no fsync of its directory',
    edits: [
      {
        path: 'src/files/disk/directory-put.ts',
        before: 'if (directory.isPrivate) await syncing(parent.fd)',
        after: '',
      },
    ],
    tests: DURABILITY,
  },
  {
    change: 'no fsync of a directory in which one was made',
    edits: [
      { path: 'src/files/disk/directory-put.ts', before: 'if (directory.isPrivate) fsyncSync(parent.fd)', after: '' },
    ],
    tests: DURABILITY,
  },
  {
    change: 'no fsync of the directory above all objects',
    edits: [{ path: 'src/files/disk/blobs-directory.ts', before: 'fsyncSync(fd)', after: '' }],
    tests: DURABILITY,
  },
  {
    change: '`O_NONBLOCK` left out',
    edits: [{ path: 'src/files/confine.ts', before: ' | (constants.O_NONBLOCK ?? 0)', after: '' }],
    tests: DURABILITY,
  },
]

export const HAND_MADE: readonly HandMadeChange[] = [
  ...EXITS,
  ...DURABLE,
  {
    change: 'no second look at a path after an operation has run',
    edits: [
      {
        path: 'src/surfaces/http/confinement/confine.ts',
        before: 'for (const { path, real } of paths) if (realOf(path) !== real) throw outsideRoots(path)',
        after: '',
      },
    ],
    tests: ['test/surfaces/http/confinement/paths.test.ts'],
  },
  {
    change: 'no `assertHeld` when an answer begins',
    edits: [
      {
        path: 'src/stores/statements/conversations.ts',
        before: 'yield* lease.assertHeld()\n    yield* execute(FORGET_WORDS',
        after: 'yield* execute(FORGET_WORDS',
      },
    ],
    tests: ['test/stores/fence.test.ts'],
  },
]
