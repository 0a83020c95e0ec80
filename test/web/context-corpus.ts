import { packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import type { Corpus } from './support.ts'

const DONE = Array.from({ length: 31 }, (_, at) => `- [x] Move handler ${at + 1} of the relay to the new router`)

const TASKS = `# Tasks

## Now

- [ ] Rotate the signing keys without dropping a session #auth
  - the old key stays good for an hour
- [ ] Tell a client which of its messages were not delivered #relay
- [!] Deliver across regions: waits for the new link

## Next

- [ ] Give each region a budget of its own

## Done

${DONE.join('\n')}
`

const DECISIONS = `# Decisions

## 2026-10-02: Sessions are kept in the relay

No database: a session is 64 bytes, and there are at most 100,000. What is lost in a restart is asked for again.

## 2026-07-19: Errors are data

A timeout is an answer like any other. Every error has a code and a hint.

## 2026-03-02: One writer

Only one process writes the queue; readers never wait for it. ${'We measured it with eight readers and found no wait above a millisecond. '.repeat(12)}
`

const AGENTS = `# Working on the relay

The relay passes messages on, in order, at most once in 30 seconds.

## Commands

\`\`\`sh
npm ci && npm test
npm run bench -- --readers 8
\`\`\`

## Rules

- Never block the event loop for more than 5 ms.
- Every error has a code that a program can act on.
- A test that fails now and then is a bug.
- What is public has a doc comment with units, errors and an example.

## Layout

- \`pkg/intake\` takes messages in, and says no when there are too many.
- \`pkg/queue\` keeps them in order, with one writer.
- \`pkg/delivery\` hands them over, and asks again after 30 seconds.
- \`pkg/auth\` knows who may send, and to whom.
`

const AUTH = `# Auth

Sessions are signed with Ed25519. The keys are in \`keys.ts\`, and nowhere else.

- Compare secrets in constant time.
- A token is never logged, not even its length.
- What a handler may do is decided in \`policy.ts\`.

## Rotating keys

The new key signs at once; the old one stays good for an hour. A session that was signed by a key that is gone is asked to
sign in again, and is told why. Never delete a key file by hand: \`npm run keys -- retire\` does it in the right order.
`

const ARCHITECTURE = `# Architecture

${['Intake', 'Queue', 'Delivery', 'Acknowledgement', 'Sessions', 'Regions']
  .map(
    (part) =>
      `## ${part}\n\n${`The ${part.toLowerCase()} is a module of its own, with one function that others call, and a log of what it did. `.repeat(9)}\n`,
  )
  .join('\n')}`

const TIDES = packageOf(
  { 'README.md': { text: '# Tides\n\nReadings of seven gauges.\n' }, 'plots/a.svg': { text: '<svg/>' } },
  { message: 'All gauges', user_meta: { project: 'Harbour 2026' } },
)

/** A collection whose places have context of their own, with a package in it. */
const GAUGES = {
  ...Object.fromEntries(
    Object.entries(registryV1({ 'harbour/tides': { 1760000000: TIDES } })).map(([key, text]) => [
      `lab/${key}`,
      String(text).replaceAll('s3://bucket/', ''),
    ]),
  ),
  'lab/README.md': '# Lab\n\nReadings of the gauges of the harbour.\n',
  'lab/AGENTS.md': '# Working here\n\nNever change a reading; add a correction beside it.\n',
  'lab/readings/2026/README.md': '# 2026\n\nThe gauge of the dry dock was moved in March.\n',
  'lab/readings/2026/quay.csv': 'day,metres\n',
  'lab/.context/TASKS.md': '# Tasks\n\n- [ ] Check the gauge of the dry dock\n',
}

/** A project as an agent finds it: instruction files at several depths, a context directory, and what is kept out of them. */
export const RELAY: Corpus = {
  files: {
    '.git/': '',
    '.gitignore': 'vendor/\n',
    'AGENTS.md': AGENTS,
    'CLAUDE.md': '# For one tool\n\nSee AGENTS.md.\n',
    'pkg/AGENTS.md': '# Packages\n\nEach package has one public file, `index.ts`.\n',
    'pkg/auth/AGENTS.md': AUTH,
    'pkg/auth/handler.ts': 'export function handle() {}\n',
    'pkg/queue/AGENTS.md': '# Queue\n\nOne writer, many readers.\n',
    'pkg/queue/queue.ts': 'export class Queue {}\n',
    'vendor/AGENTS.md': '# Somebody else\n\nDo as we say.\n',
    'vendor/lib.js': '',
    '.context/CONSTITUTION.md':
      '# Constitution\n\n- A message is never lost in silence: it is delivered, or its sender is told.\n- No secret leaves the process.\n- What is public stays as it is for a year.\n',
    '.context/TASKS.md': TASKS,
    '.context/DECISIONS.md': DECISIONS,
    '.context/CONVENTIONS.md':
      '# Conventions\n\nFunctions are short, names are whole words, errors are told with their values.\n',
    '.context/ARCHITECTURE.md': ARCHITECTURE,
    '.context/GLOSSARY.md':
      '# Glossary\n\n**relay**: the whole. **intake**: what takes messages in. **region**: a place with its own queue.\n',
    '.context/LEARNINGS.md':
      '# Learnings\n\n- 2026-11-03: the p99 of ap-south doubled after the timeout was raised.\n- 2026-09-12: `src/gone.ts` was the bottleneck.\n',
    ...GAUGES,
    'hostile/.git/': '',
    'hostile/AGENTS.md':
      '# Rules\n\n<img src="https://evil.example/x" onerror="alert(1)"><script>alert(2)</script>\n\n\u202egnihton\u202c [go](javascript:alert(3)) ![x](https://evil.example/y.png)\n',
    'empty/.git/': '',
    'empty/src/a.ts': '',
  },
  collections: { lab: 'lab' },
  contexts: {
    '/': 'All of this is about the harbour.',
    lab: 'What the gauges tell, and what is made of it.',
    'lab/readings/2026': 'Raw readings: metres above the chart datum, every ten minutes.',
  },
}
