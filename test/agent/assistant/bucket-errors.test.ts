/** What goes wrong with a bucket, as a person and as a model see it: the page docs/guides/bucket-errors.md is made here. */

import { expect, it } from 'vitest'
import { Assistant } from '../../../src/agent/assistant.ts'
import { ContextError } from '../../../src/core/errors.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { S3Settings } from '../../../src/files/s3/s3.ts'
import { languageModel } from '../../../src/models/language-providers.ts'
import { operations } from '../../../src/operations/index.ts'
import { assistantTools } from '../../../src/operations/tools.ts'
import { elementsOf } from '../../../src/text/elements.ts'
import { type BucketLab, inBucket } from '../../context/catalog/labs.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { languageServer } from '../../support/language-server.ts'
import { S3Fault } from '../../support/s3/fault.ts'
import { KEY, type S3Server, SECRET } from '../../support/s3/server.ts'
import { tree } from '../../support/tree.ts'

const made = packageOf({ 'README.md': { text: '# The data\n' } })
const HELD = {
  ...registryV1({ 'team/data': { '1700000000': made } }),
  'README.md': '# The bucket\n',
  'notes/README.md': '# Notes\n',
}
const NO_SSO = Object.assign(new Error('The SSO session associated with this profile has expired: aws sso login.'), {
  name: 'CredentialsProviderError',
})

interface Fault {
  readonly what: string
  readonly settings?: Partial<S3Settings>
  /** What is looked at. Default: a directory of the bucket, and the README in it. */
  readonly place?: string
  readonly file?: string
  spoil?(lab: BucketLab): void
}

const answers = (fault: S3Fault) => (lab: { readonly server: S3Server }) =>
  void lab.server.troubles.push({ answer: fault, times: 1000 })

/** What is said of objects alone: the bucket is listed as ever. */
const answersOfObjects = (answer: S3Fault, of: (key: string) => boolean = () => true) => ({
  spoil: ({ server }: BucketLab) =>
    void server.troubles.push({
      answer,
      times: 1000,
      of: ({ key, method }) => key !== '' && method === 'GET' && of(key),
    }),
})
const KMS = new S3Fault(403, 'AccessDenied', 'User: me is not authorized to perform: kms:Decrypt on the resource')
const ARCHIVED = new S3Fault(403, 'InvalidObjectState', "The operation is not valid for the object's storage class")

const FAULTS: readonly Fault[] = [
  {
    what: '403',
    spoil: ({ server }) => {
      server.refuses = () => true
    },
  },
  {
    what: '403, of one file',
    spoil: ({ server }) => {
      server.refuses = ({ key }) => key === 'notes/README.md'
    },
  },
  { what: 'KMS', ...answersOfObjects(KMS) },
  { what: 'KMS, of one file', ...answersOfObjects(KMS, (key) => key === 'notes/README.md') },
  { what: 'Archive (Glacier)', ...answersOfObjects(ARCHIVED) },
  { what: 'Archive, of one file', ...answersOfObjects(ARCHIVED, (key) => key === 'notes/README.md') },
  {
    what: 'Requester pays',
    spoil: ({ server }) => {
      server.refuses = ({ headers }) => headers['x-amz-request-payer'] !== 'requester'
    },
  },
  { what: 'Expired', spoil: ({ server }) => void server.users.set(KEY, { secret: SECRET, isExpired: true }) },
  { what: 'SSO', settings: { credentials: (() => Promise.reject(NO_SSO)) as never } },
  { what: 'Wrong region', spoil: answers(new S3Fault(301, 'PermanentRedirect', 'Elsewhere.')) },
  { what: 'Slow down', spoil: answers(new S3Fault(503, 'SlowDown', 'Please reduce your request rate.')) },
  { what: 'Missing', place: 'lab/nots', file: 'lab/nots/README.md' },
  { what: 'No such bucket', spoil: ({ server }) => server.buckets.clear() },
  {
    what: 'Tampered',
    place: 'lab/team/data',
    file: 'lab/team/data/README.md',
    spoil: (lab) => lab.put({ 'data/README.md': '# The dada\n' }),
  },
]

/** What `ambit load` prints: on stderr. */
async function seenByPerson(engine: Engine, place: string): Promise<string> {
  try {
    const { warnings } = await engine.load({ place }, SILENT)
    return warnings.map(({ path, message }) => `${path}: ${message}`).join('\n')
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return [`ambit: ${error.message}`, error.hint].filter(Boolean).join('\n')
  }
}

/** What the tools give that look at the place, and read the file. */
async function seenByModel(engine: Engine, place: string, file: string): Promise<string[]> {
  using home = tree({ '.git/': '' })
  const calls = [
    { tool: 'context_for', input: { place } },
    { tool: 'read', input: { path: file } },
  ]
  await using server = await languageServer('chat', [{ calls }, { text: 'So it is.' }])
  const model = await languageModel({ provider: 'openai-compatible', model: 'm', url: server.url, key: 'k' })
  const host: Engine = Object.assign(Object.create(engine), { language: async () => model })
  const assistant = new Assistant({ engine: host, makeTools: assistantTools(host, operations), place: home.base })
  await assistant.ask('What is there?', { emit: () => {} })
  return assistant.messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .map(({ text }) => text)
}

/** Of a context what is said of its gaps. */
function noticesIn(text: string): string {
  const notices = elementsOf(text).filter(({ tag }) => tag === 'notice')
  return notices.length === 0 ? text : notices.map(({ whole }) => whole).join('')
}

/** Without what is of this run: the address of the server. */
function plain(text: string, server: S3Server): string {
  return text.replaceAll(new URL(server.url).host, 's3.example.org').trim()
}

function cell(text: string): string {
  const lines = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').split('\n')
  return lines.join('<br>') || '–'
}

const HEAD = `# When a bucket does not answer

The context of a bucket lacks a file, or a search finds nothing new. \`ambit load PLACE\` says on stderr what is missing, why, and what to do:

| cause | what it says |
| --- | --- |
`

const END = `
## What it costs, and what it does not do

Ambit repairs no access, and prints no key. It shows what it can read. The assistant's model gets the same messages as
you.
`

it('What goes wrong with a bucket is told to the person and to the model, never in silence, and without a key', async () => {
  const rows: string[] = []
  const toModel: string[] = []
  for (const { what, settings = {}, place = 'lab/notes', file = 'lab/notes/README.md', spoil } of FAULTS) {
    await using lab = await inBucket(HELD, settings)
    spoil?.(lab)
    const person = plain(await seenByPerson(lab.engine, place), lab.server)
    const model = (await seenByModel(lab.engine, place, file)).map((text) => plain(noticesIn(text), lab.server))
    expect([what, person === '', model.length]).toEqual([what, false, 2])
    for (const text of [person, ...model]) expect(text).not.toMatch(new RegExp(`${KEY}|${SECRET}`))
    // What was told before, of this or of the other file, is not repeated.
    const told = model.map((text, at) => {
      const before = [person, model[at - 1]?.replaceAll('AGENTS.md', 'README.md')]
      return before.includes(text.replace(/^<notice>\n|\n<\/notice>$/g, '')) ? '=' : cell(text)
    })
    if (!what.endsWith('of one file')) rows.push(`| ${what} | ${cell(person.replaceAll('\n', ' '))} |\n`)
    toModel.push(`| ${[what, cell(person), ...told].join(' | ')} |\n`)
  }
  await expect(HEAD + rows.join('') + END).toMatchFileSnapshot('../../../docs/guides/bucket-errors.md')
  await expect(toModel.join('')).toMatchFileSnapshot('bucket-errors.md')
})
