import type { Corpus } from './support.ts'

const README = `# The handbook

How the **relay** is run, and why it is as it is. Start with [the install guide](guides/install.md); what goes wrong is in
[errors](api/errors.md).

| part | what it is |
| --- | --- |
| \`guides/\` | how to do things, step by step |
| \`api/\` | what the interface promises |
| \`decisions/\` | what was decided, and when |

## First steps

1. Install the relay.
2. Give it a token.
3. Send a message:

\`\`\`sh
relay send --to ops "disk is full"
\`\`\`

> A message that is not acknowledged within 30 seconds is sent again, twice.

- [x] Delivery in order
- [ ] Delivery across regions
`

const ERRORS = `# Errors

Every error has a code that a program can act on, and a hint that a person can.

## Timeouts and retries

After a timeout a request is sent again, twice, with a pause of 200 ms and then of 800 ms. A request that writes is only
sent again when it carries an \`Idempotency-Key\`: without one, the relay cannot know whether the first attempt was done.

## Codes

| code | status | what to do |
| --- | --: | --- |
| \`not-found\` | 404 | look at the place again |
| \`conflict\` | 409 | read, merge, write |
| \`over-limit\` | 413 | ask for less |
| \`unavailable\` | 503 | try again in a moment |

## Why not exceptions

Because a timeout is not exceptional. See [the decision](../decisions/2026-03-02-errors-are-data.md).
`

const INSTALL = `# Install

The relay is one binary. It needs no database.

## On Linux

\`\`\`sh
curl -fsSO https://relay.example/install.sh
sh install.sh --prefix ~/.local
\`\`\`

## After a timeout

If the installer stops with a timeout, run it again: it goes on where it was.
`

const SERVER_TS = `import { createServer, type IncomingMessage } from 'node:http'

/** How long a request may take, in milliseconds. */
const TIMEOUT = 30_000

export interface Relay {
  readonly url: string
  close(): Promise<void>
}

/** Starts the relay on a port of its own. */
export async function start(port = 0): Promise<Relay> {
  const server = createServer(async (request, response) => {
    const body = await read(request)
    response.writeHead(202, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ accepted: body.length }))
  })
  server.requestTimeout = TIMEOUT
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: \`http://127.0.0.1:\${address.port}\`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
`

function latencies(): string {
  const regions = ['eu-central', 'us-east', 'ap-south', 'sa-east']
  const rows = Array.from({ length: 240 }, (_, hour) => {
    const region = regions[hour % regions.length]
    return `2026-10-${String(1 + Math.floor(hour / 24)).padStart(2, '0')}T${String(hour % 24).padStart(2, '0')}:00Z,${region},${120 + ((hour * 37) % 90)},${300 + ((hour * 53) % 400)},${hour % 17 === 0 ? 'yes' : 'no'}`
  })
  return `hour,region,p50 ms,p99 ms,incident\n${rows.join('\n')}\n`
}

const SETTINGS = JSON.stringify(
  {
    name: 'relay',
    regions: [
      { name: 'eu-central', hosts: 12, primary: true },
      { name: 'us-east', hosts: 9, primary: false },
    ],
    retry: { times: 2, pauses: [200, 800], jitter: null },
    limits: { bodyBytes: 1048576, timeoutMs: 30000 },
  },
  null,
  2,
)

const GUIDES = [
  'Acknowledge a message',
  'Add a region',
  'Back up and restore',
  'Rotate tokens',
  'Watch the queue',
  'Upgrade',
]

function slug(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

/** What a team might have: a handbook, a service, figures. */
export const TEAM: Corpus = {
  files: {
    'handbook/README.md': README,
    'handbook/api/errors.md': ERRORS,
    'handbook/api/messages.md': '# Messages\n\nA message has a body, a topic and at most 16 labels.\n',
    'handbook/api/v2/streams.md': '# Streams\n\nA stream is closed after a timeout of 90 seconds without a message.\n',
    'handbook/guides/install.md': INSTALL,
    ...Object.fromEntries(
      GUIDES.map((title) => [
        `handbook/guides/${slug(title)}.md`,
        `# ${title}\n\nWhat to do, and what to look at after.\n\n## Before\n\nRead [errors](../api/errors.md).\n\n## Steps\n\nOne after the other.\n`,
      ]),
    ),
    'handbook/decisions/2026-03-02-errors-are-data.md': '# Errors are data\n\nA timeout is an answer like any other.\n',
    'handbook/decisions/2026-05-19-one-writer-and-many-readers-of-the-queue-on-every-machine.md':
      '# One writer\n\nSo that nobody waits.\n',
    'service/src/server.ts': SERVER_TS,
    'service/src/queue.ts': 'export class Queue<Item> {\n  readonly #items: Item[] = []\n}\n',
    'service/test/server.test.ts': "import { start } from '../src/server.ts'\n\n// A timeout must not be a failure.\n",
    'service/package.json': '{\n  "name": "relay",\n  "version": "2.4.0",\n  "type": "module"\n}\n',
    'service/README.md': '# relay\n\nThe service itself. `npm test` runs its tests.\n',
    'figures/latency.csv': latencies(),
    'figures/settings.json': SETTINGS,
    'figures/notes.txt': 'The p99 of ap-south doubled after the timeout was raised.\n',
    'AGENTS.md': '# The relay\n\nRead `handbook/api/errors.md` first, then `handbook/api/limits.md`.\n',
    'notes/2026-11-02.md': '# Monday\n\nTalked about timeouts.\n',
  },
  collections: { handbook: 'handbook', service: 'service', figures: 'figures', notes: 'notes' },
  contexts: {
    '/': 'All of this is about the relay, a service that passes messages on.',
    handbook: 'The manual of the relay, for those who run it.',
    'handbook/api': 'What the interface promises. Version 2 is current; what is here outlasts it.',
    'handbook/guides': 'Step by step, each of them tried in the last quarter.',
    service: 'The source of the relay, in TypeScript.',
  },
}
