/** Changes that people chose. Each takes away one protection, and a test must notice it. */

/** Replaces the text `before`, which occurs once in the file, by `after`. */
type Edit = readonly [path: string, before: string, after: string]

export interface HandMadeChange {
  /** The change in words. */
  readonly change: string
  readonly edits: readonly Edit[]
  /** The test file that should notice the change. */
  readonly test: string
}

const CANARY = 'test/surfaces/canary.test.ts'
const UNSEEN = 'test/surfaces/http/unseen.test.ts'
const DURABILITY = 'test/reliability/durability.test.ts'

const made = (test: string, change: string, ...edits: readonly Edit[]): HandMadeChange => ({ change, edits, test })

/** Sends a value without making its invisible characters visible. */
const withoutNeutralising = (path: string, value: string): Edit => [
  path,
  `serializeVisibly(${value})`,
  `JSON.stringify(${value})`,
]

const STREAMS = 'src/surfaces/cli/streams.ts'
const STREAM: Edit = [
  STREAMS,
  'const visible = neutralise(text).text\n      if (!terminal)',
  'const visible = text\n      if (!terminal)',
]
const PUT = 'src/files/disk/directory-put.ts'

export const HAND_MADE: readonly HandMadeChange[] = [
  made(CANARY, 'exit of HTTP answers taken away', withoutNeutralising('src/surfaces/http/body.ts', 'answer')),
  made(
    CANARY,
    'exit of HTTP errors taken away',
    withoutNeutralising('src/surfaces/http/problem.ts', 'problemOf(refusal)'),
  ),
  made(CANARY, 'exit of events taken away', withoutNeutralising('src/surfaces/http/events/run-log.ts', 'data')),
  made(CANARY, 'exit of the command line taken away', STREAM),
  made(CANARY, 'control sequences let through to a terminal', [
    STREAMS,
    'isTerminal ? stripControls(visible) : visible',
    'visible',
  ]),
  made(
    CANARY,
    'exit of `--json` taken away, and that of the stream behind it',
    STREAM,
    withoutNeutralising('src/surfaces/cli/cli.ts', 'output'),
  ),
  made(CANARY, 'exit of MCP taken away', [
    'src/surfaces/mcp/guarded-server.ts',
    "return neutralise(text.replace(CONTROLS, '')).text",
    'return text',
  ]),
  made(UNSEEN, 'exit of the chat taken away', withoutNeutralising('src/surfaces/http/chat/running.ts', 'chunk')),
  made(
    UNSEEN,
    'exit of conversations and research sessions taken away',
    withoutNeutralising('src/surfaces/http/body.ts', 'value'),
  ),
  made(
    UNSEEN,
    'exit of the events of a session taken away',
    withoutNeutralising('src/surfaces/http/sessions/stream.ts', 'data'),
  ),
  made(UNSEEN, 'exit of exported reports taken away', [
    'src/research/export/formats.ts',
    'const { text } = neutralise(await toText(report, format, at.slice(0, 10)))',
    'const text = await toText(report, format, at.slice(0, 10))',
  ]),
  made(DURABILITY, '`synchronous = OFF` in place of `NORMAL`', [
    'src/stores/sqlite/database.ts',
    'synchronous = NORMAL',
    'synchronous = OFF',
  ]),
  made(DURABILITY, 'the log of a research run not at `synchronous = FULL`', [
    'src/stores/sqlite/sql.ts',
    'synchronous = FULL',
    'synchronous = NORMAL',
  ]),
  made(DURABILITY, 'no fsync of an uploaded object', [PUT, 'await syncFd(fd)', '']),
  made(DURABILITY, 'no fsync of its directory', [PUT, 'if (directory.isPrivate) await syncFd(parent.fd)', '']),
  made(DURABILITY, 'no fsync of a directory in which one was made', [
    PUT,
    'if (isCreated && directory.isPrivate) fsyncSync(parent.fd)',
    '',
  ]),
  made(DURABILITY, 'no fsync of the directory above all objects', [
    'src/files/disk/private-directory.ts',
    'fsyncSync(fd)',
    '',
  ]),
  made(DURABILITY, '`O_NONBLOCK` left out', ['src/files/confine.ts', ' | constants.O_NONBLOCK', '']),
  made('test/surfaces/http/confinement/paths.test.ts', 'no second look at a path after an operation has run', [
    'src/surfaces/http/confinement/confine.ts',
    'for (const { path, real } of paths) if (realOf(path) !== real) throw outsideRootsError(path)',
    '',
  ]),
  made('test/stores/fence.test.ts', 'no `assertHeld` before a write under a lease', [
    'src/stores/statements/lease.ts',
    'yield* assertThisHeld()',
    '',
  ]),
]
