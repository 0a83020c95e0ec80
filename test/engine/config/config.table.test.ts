/** What the environment and the configuration file make of each setting; the environment wins. */

import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  type Config,
  isDebugging,
  isPlainOutput,
  readConfig,
  readModel,
  uploadPlaceOf,
} from '../../../src/engine/config.ts'
import { openWith } from '../../../src/open.ts'
import { FILE, homeWith } from './home.ts'

type Environment = Readonly<Record<string, string>>

async function configOf(environment: Environment, file = '', mode?: number) {
  using at = homeWith(file, mode)
  return { ...(await readConfig({ HOME: at.base, ...environment })), base: at.base }
}

const LOCAL = 'http://127.0.0.1:1/v1'
const SERVER = 'postgres://ambit@db.example/ambit'
const WITH_PASSWORD = 'postgres://ambit:s3same@db.example/ambit'
const EMBEDDING = { AMBIT_EMBEDDING_MODEL: 'nomic', AMBIT_EMBEDDING_URL: LOCAL }
const NOMIC = { model: 'nomic', url: LOCAL }
const RERANK = { AMBIT_RERANK_MODEL: 'BAAI/bge', AMBIT_RERANK_URL: LOCAL }
const BGE = { model: 'BAAI/bge', url: LOCAL }
const BRAVE = 'search: brave\nsearchKey: filed\n'
const FILED = `embedding:\n  model: filed\n  url: ${LOCAL}\n  dimensions: 64\n  queryPrefix: "q: "\n`
const EMBEDDING_FILED = { model: 'filed', url: LOCAL, dimensions: 64, queryPrefix: 'q: ' }
const BUCKETS = `s3:\n  endpoint: ${LOCAL}\n  region: eu\n  profile: lab\n  pathStyle: true\n  anonymous: false\n`
const REQUESTS =
  'model: openai/m\nmodelOutput: 9\nmodelContext: 99\nmodelHeaders: { X-Title: mine }\nmodelBody: { top_k: 3 }\n'
const SAID = { output: 9, contextTokens: 99, headers: { 'X-Title': 'mine' }, body: { top_k: 3 } }
const AZURE = 'https://r.openai.azure.com'

type Row = readonly [what: string, environment: Environment, file: string, expected: unknown]

/** Models by their names, with what else the environment says, and what comes of that. */
const NAMED: readonly (readonly [
  what: string,
  name: string,
  environment: Environment,
  more?: Partial<Config['model']>,
])[] = [
  ['the built-in one', 'local/extractive', {}],
  ['with slashes in its name', 'openai-compatible/org/qwen3', { AMBIT_MODEL_URL: LOCAL }, { url: LOCAL }],
  ['with the key of its provider', 'anthropic/m', { ANTHROPIC_API_KEY: 'own', OPENAI_API_KEY: 'a' }, { key: 'own' }],
  ['with a key of its own first', 'openai/m', { OPENAI_API_KEY: 'own', AMBIT_MODEL_KEY: 'mine' }, { key: 'mine' }],
  ['elsewhere, without that key', 'openai/m', { OPENAI_API_KEY: 'own', AMBIT_MODEL_URL: LOCAL }, { url: LOCAL }],
  ['of Google', 'google/gemini', { GEMINI_API_KEY: 'own' }, { key: 'own' }],
  ['through OpenRouter', 'openrouter/q/qwen3', { OPENROUTER_API_KEY: 'own' }, { key: 'own' }],
  ['with an effort', 'openai/m', { AMBIT_MODEL_EFFORT: 'high' }, { effort: 'high' }],
  ['of Azure', 'azure/d', { AZURE_OPENAI_ENDPOINT: AZURE, AZURE_OPENAI_API_KEY: 'own' }, { url: AZURE, key: 'own' }],
  ['of no Azure', 'azure/d', { AMBIT_MODEL_URL: `${AZURE}.x`, AZURE_OPENAI_API_KEY: 'own' }, { url: `${AZURE}.x` }],
  ['of Ollama elsewhere', 'ollama/q', { OLLAMA_HOST: '0.0.0.0:11500' }, { url: 'http://127.0.0.1:11500' }],
  ['of Ollama at an address', 'ollama/q', { OLLAMA_HOST: 'https://o.example' }, { url: 'https://o.example' }],
  ['of Ollama at a port', 'ollama/q', { OLLAMA_HOST: 'http://0.0.0.0:8/' }, { url: 'http://127.0.0.1:8' }],
  ['of Ollama at an address of http', 'ollama/q', { OLLAMA_HOST: 'http://box' }, { url: 'http://box' }],
  ['of Ollama at port 80', 'ollama/q', { OLLAMA_HOST: 'box:80' }, { url: 'http://box' }],
  ['of Ollama by its name', 'ollama/q', { OLLAMA_HOST: 'box' }, { url: 'http://box:11434' }],
  ['of Ollama', 'ollama/qwen3', {}],
]

const SETTINGS: Partial<Record<keyof Config, readonly Row[]>> = {
  database: [
    ['none where no server is set', {}, '', undefined],
    ['none where the file says nothing', {}, '# Nothing.\n', undefined],
    ['none where the setting is empty', { AMBIT_DATABASE_URL: '' }, 'databaseUrl: ""\n', undefined],
    ['of the file', {}, `databaseUrl: ${WITH_PASSWORD}\n`, { url: WITH_PASSWORD }],
    ['of the environment', { AMBIT_DATABASE_URL: SERVER }, `databaseUrl: ${WITH_PASSWORD}\n`, { url: SERVER }],
  ],
  heartbeatMs: [
    ['none', {}, '', undefined],
    ['in seconds', {}, 'heartbeat: 30\n', 30_000],
    ['in parts of them', { AMBIT_HEARTBEAT: '2.5' }, 'heartbeat: 30\n', 2_500],
    ['the least', {}, 'heartbeat: 1\n', 1_000],
    ['the most', {}, 'heartbeat: 600\n', 600_000],
  ],
  embedding: [
    ['none', {}, '', undefined],
    ['none where only its place is', { AMBIT_EMBEDDING_URL: LOCAL }, '', undefined],
    ['of a service, not told the key of OpenAI', { ...EMBEDDING, OPENAI_API_KEY: 'own' }, '', NOMIC],
    ['by its kind', { ...EMBEDDING, AMBIT_EMBEDDING_MODEL: 'openai-compatible/nomic' }, '', NOMIC],
    ['with a key of its own', { ...EMBEDDING, AMBIT_EMBEDDING_KEY: 'own' }, '', { ...NOMIC, key: 'own' }],
    [
      'of OpenAI, with the key that is there',
      { AMBIT_EMBEDDING_MODEL: 'openai/e', OPENAI_API_KEY: 'own' },
      '',
      { model: 'e', url: 'https://api.openai.com/v1', key: 'own' },
    ],
    ['none by name', { AMBIT_EMBEDDING_MODEL: 'none' }, FILED, false],
    ['of a folder', { AMBIT_EMBEDDING_MODEL: '/srv/m' }, FILED, { folder: '/srv/m' }],
    ['of the file', {}, FILED, EMBEDDING_FILED],
    ['of the file, in lines of their own', {}, `embeddingModel: nomic\nembeddingUrl: ${LOCAL}\n`, NOMIC],
    ['of the environment', EMBEDDING, FILED, { ...EMBEDDING_FILED, ...NOMIC }],
  ],
  rerank: [
    ['none', {}, FILED, undefined],
    ['none where only its place is', { AMBIT_RERANK_URL: LOCAL }, '', undefined],
    ['not told the keys of others', { ...RERANK, OPENAI_API_KEY: 'a', AMBIT_EMBEDDING_KEY: 'b' }, '', BGE],
    ['with a key', { ...RERANK, AMBIT_RERANK_KEY: 'own' }, '', { ...BGE, key: 'own' }],
    ['called like a company', { ...RERANK, AMBIT_RERANK_MODEL: 'openai/j' }, '', { ...BGE, model: 'openai/j' }],
    ['a language model, without a place', { AMBIT_RERANK_MODEL: 'openai/m' }, '', { model: 'openai/m' }],
    [
      'a language model of the environment, without the place of the file',
      { AMBIT_RERANK_MODEL: 'google/m' },
      `rerank:\n  model: filed\n  url: ${LOCAL}\n`,
      { model: 'google/m' },
    ],
    ['a language model of the file', {}, 'rerankModel: google/m\n', { model: 'google/m' }],
    ['of the file', {}, `rerank:\n  model: filed\n  url: ${LOCAL}\n`, { model: 'filed', url: LOCAL }],
    ['of the environment', RERANK, 'rerank:\n  model: filed\n  url: http://127.0.0.1:2\n', BGE],
  ],
  search: [
    ['none', {}, '', undefined],
    ['none where only its key is', { AMBIT_SEARCH_KEY: 'k' }, '', undefined],
    ['with a key', { AMBIT_SEARCH: 'tavily', AMBIT_SEARCH_KEY: 'k' }, '', { provider: 'tavily', key: 'k' }],
    ['at a place', { AMBIT_SEARCH_URL: LOCAL }, '', { provider: 'searxng', url: LOCAL }],
    ['of the file', {}, BRAVE, { provider: 'brave', key: 'filed' }],
    ['of the environment', { AMBIT_SEARCH: 'exa', AMBIT_SEARCH_KEY: 'k' }, BRAVE, { provider: 'exa', key: 'k' }],
  ],
  allowLoopback: [
    ['not said', {}, '', undefined],
    ['said', { AMBIT_ALLOW_LOOPBACK: '1' }, '', true],
    ['said otherwise', { AMBIT_ALLOW_LOOPBACK: 'true' }, '', undefined],
  ],
  s3: [
    ['as AWS has it', { AWS_REGION: '', AMBIT_S3_ANONYMOUS: '' }, '', undefined],
    [
      'by the variables of AWS',
      { AWS_ENDPOINT_URL_S3: LOCAL, AWS_ENDPOINT_URL: 'http://other', AWS_REGION: 'eu' },
      '',
      { endpoint: LOCAL, region: 'eu' },
    ],
    ['by that of all services', { AWS_ENDPOINT_URL: LOCAL }, '', { endpoint: LOCAL }],
    ['not by ignored ones', { AWS_ENDPOINT_URL_S3: LOCAL, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }, '', undefined],
    ['by path', { AMBIT_S3_PATH_STYLE: '1' }, '', { pathStyle: true }],
    ['nobody', { AMBIT_S3_PATH_STYLE: 'false', AMBIT_S3_ANONYMOUS: 'true' }, '', { pathStyle: false, anonymous: true }],
    ['of the file', {}, BUCKETS, { endpoint: LOCAL, region: 'eu', profile: 'lab', pathStyle: true, anonymous: false }],
    [
      'of the environment',
      { AWS_ENDPOINT_URL_S3: 'http://other', AWS_REGION: 'us', AMBIT_S3_PATH_STYLE: '0', AMBIT_S3_ANONYMOUS: '1' },
      BUCKETS,
      { endpoint: 'http://other', region: 'us', profile: 'lab', pathStyle: false, anonymous: true },
    ],
    [
      'of single buckets',
      {},
      's3:\n  region: eu\n  buckets:\n    mine:\n    theirs: { profile: partner, requesterPays: true }\n',
      { region: 'eu', buckets: { mine: {}, theirs: { profile: 'partner', requesterPays: true } } },
    ],
  ],
  model: [
    ['none', {}, '', undefined],
    ...NAMED.map(([what, name, environment, more]): Row => {
      const [provider, ...model] = name.split('/')
      return [what, { AMBIT_MODEL: name, ...environment }, '', { provider, model: model.join('/'), ...more }]
    }),
    [
      'of the file',
      {},
      `model: anthropic/m\nmodelUrl: ${LOCAL}\nmodelKey: written\n`,
      { provider: 'anthropic', model: 'm', url: LOCAL, key: 'written' },
    ],
    ['of the environment', { AMBIT_MODEL: 'bedrock/b' }, 'model: anthropic/m\n', { provider: 'bedrock', model: 'b' }],
    ['without images', {}, 'model: openai/m\nmodelImages: false', { provider: 'openai', model: 'm', canSee: false }],
    [
      'that sees them',
      { AMBIT_MODEL_IMAGES: '1' },
      'model: openai/m\nmodelImages: false',
      { provider: 'openai', model: 'm', canSee: true },
    ],
    ['with what its requests have', {}, REQUESTS, { provider: 'openai', model: 'm', ...SAID }],
    ['with less of it', { AMBIT_MODEL_OUTPUT: '7' }, REQUESTS, { provider: 'openai', model: 'm', ...SAID, output: 7 }],
  ],
  costLimit: [
    ['none', {}, '', undefined],
    ['of the file', {}, 'costLimit: 0.5', 0.5],
    ['of the environment', { AMBIT_COST_LIMIT: '2' }, 'costLimit: 0.5', 2],
  ],
  prices: [
    [
      'by their names',
      {},
      'prices: { o/q: { input: 0.1, output: 0.4, cached: 0 } }',
      { 'o/q': { input: 0.1, output: 0.4, cached: 0 } },
    ],
  ],
  trusted: [
    [
      'addresses',
      {},
      'trusted: [s3://a/, "quilt+s3://a#package=b/c", ambit://d]',
      ['s3://a', 'quilt+s3://a#package=b/c', 'ambit://d'],
    ],
  ],
}

describe.each(Object.entries(SETTINGS))('%s', (name, rows) => {
  it.each(rows)('is %s', async (_, environment, file, expected) => {
    const config = await configOf(environment, file)
    expect([config[name as keyof Config], config.unknown]).toEqual([expected, []])
  })
})

const [REFUSED_RERANK, REFUSED_SEARCH] = [{ AMBIT_RERANK_MODEL: 'x' }, { AMBIT_SEARCH: 'searxng' }]
const OPENAI = { AMBIT_MODEL: 'openai/m' }
const price = (text: string) => `prices: { a/b: ${text} }`

/** A configuration that is refused, with what is said. */
type Refused = [environment: Environment, file: string, message: string, mode?: number]

it.each<Refused>([
  [{}, 'databaseUrl: 5\n', '"databaseUrl"'],
  [{}, '- a\n', 'cannot be used: It is not a list of names and values.'],
  [{}, 'a: [\nb', 'cannot be used: Flow sequence in block collection must be'],
  [{}, 'taskRewrite: maybe\n', '"taskRewrite" is neither true nor false.'],
  ...[
    ...['[]', '{ budget: [] }', '{ quota: { bytes: 0 } }', '{ contextInQueries: 1 }', '{ unheard: 1 }'],
    ...[
      '{ models: { unheard: m } }',
      '{ models: { report: 1 } }',
      '{ budget: { calls: 0 } }',
      '{ quota: { sessions: many } }',
    ],
  ].map((told): Refused => [{}, `research: ${told}\n`, '"research" in the configuration file']),
  ...['0', '0.9', '601', 'often', '-5'].map((told): Refused => [{ AMBIT_HEARTBEAT: told }, '', told]),
  [{ AMBIT_EMBEDDING_MODEL: 'x' }, '', 'The embedding model "x" has no URL.'],
  [{ ...EMBEDDING, AMBIT_EMBEDDING_URL: 'localhost:11434' }, '', '"localhost:11434" as its URL'],
  [{}, `embedding:\n  model: x\n  url: ${LOCAL}\n  key: s3same\n`, '"key" of "embedding"'],
  [{}, `embedding:\n  model: x\n  url: ${LOCAL}\n  dimensions: many\n`, '"dimensions" of "embedding"'],
  [{}, 'embedding: nomic\n', '"embedding" of "embedding"'],
  [REFUSED_RERANK, '', 'The reranking model "x" has no URL.'],
  [{ AMBIT_RERANK_MODEL: 'BAAI/bge' }, '', 'The reranking model "BAAI/bge" has no URL.'],
  [{ AMBIT_RERANK_MODEL: 'local/extractive' }, '', 'The reranking model "local/extractive" has no URL.'],
  [{ ...REFUSED_RERANK, AMBIT_RERANK_URL: 'localhost:1' }, '', 'The reranking model "x" has "localhost:1" as its URL.'],
  [{ ...RERANK, AMBIT_RERANK_URL: 'file:///etc' }, '', 'as its URL'],
  [{ ...RERANK, AMBIT_RERANK_URL: 'http://me:s3same@host' }, '', 'with a password in it'],
  [{ ...RERANK, AMBIT_RERANK_URL: 'ftp://me:s3same@host' }, '', '"…@host"'],
  [{ ...RERANK, AMBIT_RERANK_KEY: 's3same\n' }, '', 'a key that cannot be sent'],
  [{}, `rerank:\n  model: x\n  url: ${LOCAL}\n  key: s3same\n`, '"key" of "rerank"'],
  [{}, 'rerank:\n  dimensions: 64\n', 'the fields are model, url.'],
  [{}, 'rerank: judge\n', '"rerank" of "rerank"'],
  [{ AMBIT_SEARCH: 'google' }, '', 'is "google", which is not valid'],
  [{ AMBIT_SEARCH: 'serper' }, '', 'serper has no key'],
  [{}, BRAVE, 'brave has no key', 0o644],
  [REFUSED_SEARCH, '', 'searxng has no URL'],
  [{ ...REFUSED_SEARCH, AMBIT_SEARCH_URL: 'localhost:8' }, '', '"localhost:8" as its URL'],
  [{ ...REFUSED_SEARCH, AMBIT_SEARCH_URL: 'http://me:s3same@h' }, '', 'a password in it'],
  [{ AMBIT_SEARCH: 'exa', AMBIT_SEARCH_KEY: 's3same\n' }, '', 'cannot be sent'],
  [{}, 'search: 7\n', '"search" must be a text'],
  [{}, 's3:\n  buckets: { a: { secretAccessKey: s3same } }\n', '"secretAccessKey" of "s3" is not'],
  [{}, 's3:\n  buckets: [a]\n', '"buckets" of "s3" has no names of buckets'],
  [{}, 's3:\n  secretAccessKey: s3same\n', '"secretAccessKey" of "s3" is not valid'],
  [{}, 's3:\n  pathStyle: "yes"\n', '"pathStyle" of "s3" is not valid'],
  [{}, 's3: http://127.0.0.1:9000\n', '"s3" of "s3" is not valid'],
  [{ AMBIT_S3_PATH_STYLE: 'yes' }, '', 'AMBIT_S3_PATH_STYLE is "yes".'],
  [{ AMBIT_S3_ANONYMOUS: '2' }, '', 'AMBIT_S3_ANONYMOUS is "2".'],
  [{ AMBIT_MODEL: 'gpt' }, '', '"gpt", which is not valid'],
  [{ AMBIT_MODEL: 'acme/gpt' }, '', 'which is not valid'],
  [{ AMBIT_MODEL: 'local/llama' }, '', 'which is not valid'],
  [{ AMBIT_MODEL: 'openai-compatible/m' }, '', 'has no URL'],
  [{ AMBIT_MODEL: 'azure/m' }, '', 'has no URL'],
  [{ ...OPENAI, AMBIT_MODEL_EFFORT: 'much' }, '', 'as its effort'],
  [{ ...OPENAI, AMBIT_MODEL_URL: 'there' }, '', 'as its URL'],
  [{ AMBIT_MODEL: 'ollama/q', OLLAMA_HOST: 'a b' }, '', '"http://a b" as its URL'],
  [{ ...OPENAI, AMBIT_MODEL_URL: 'http://a:s3same@c' }, '', 'with a password'],
  [{ ...OPENAI, AMBIT_MODEL_KEY: 'a b' }, '', 'cannot be sent in a header'],
  [OPENAI, 'modelImages: maybe', 'as its setting for images'],
  [OPENAI, 'modelOutput: many', 'modelOutput'],
  [OPENAI, 'modelHeaders: { X: 1 }', 'headers'],
  [OPENAI, 'modelHeaders: x', 'headers'],
  [OPENAI, 'modelBody: [1]', 'body'],
  [{}, REQUESTS, 'headers in a file that others may read', 0o644],
  [{}, 'objects: 7\n', '"objects"'],
  ...['http://u:s3same@127.0.0.1/b', 'https://s3.example/b', 'file:///srv', 'GS://b'].map(
    (address): Refused => [{ AMBIT_OBJECTS: address }, '', `kept at an address of ${address.split(':')[0]}.`],
  ),
  [{}, 'prices: [1]', '"prices"'],
  ...['{ input: 1 }', '{ input: "1", output: 1 }', '{ input: -1, output: 1 }', '{ input: .nan, output: 1 }'].map(
    (text): Refused => [{}, price(text), 'The price of "a/b"'],
  ),
  [{}, price('{ input: 1, output: 1, day: 2 }'), 'its fields are input'],
  [{}, price('3'), 'The price of "a/b"'],
  ...['0', 'much', '[1]'].map((value): Refused => [{}, `costLimit: ${value}`, '"costLimit"']),
  ...['-1', 'Infinity'].map((told): Refused => [{ AMBIT_COST_LIMIT: told }, '', 'AMBIT_COST_LIMIT']),
  [{}, 'trusted: [a]', '"trusted"'],
  [{}, 'trusted: s3://a', '"trusted"'],
  [{}, 'untrusted: [a]', '"untrusted"'],
])('%j and %j are refused, and no secret is shown: %s', async (environment, file, message, mode) => {
  const error = await configOf(environment, file, mode).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining(message),
    hint: expect.stringMatching('.'),
  })
  expect(String(error)).not.toContain('s3same')
})

it.each([WITH_PASSWORD, `${SERVER}?password=s3same`, 'ambit:s3same@db'])(
  'a database is not opened with a password of a file that others may read: %s',
  async (url) => {
    const opening = openWith(await configOf({}, `databaseUrl: "${url}"\n`, 0o644)).library()
    await expect(opening).rejects.toMatchObject({ code: 'denied', hint: expect.stringContaining('chmod 600') })
    await expect(opening).rejects.not.toThrow('s3same')
    expect((await configOf({}, `databaseUrl: ${SERVER}\n`, 0o644)).database).toEqual({ url: SERVER })
  },
)

describe('the place of uploads', () => {
  const POSTGRES = { AMBIT_DATABASE_URL: SERVER }

  it.each<[string, Environment, string | undefined, boolean?]>([
    ['beside the database of the user', {}, '~/.local/share/ambit/ambit.db.objects'],
    ['beside another database', { AMBIT_DB: '/srv/a.db' }, '/srv/a.db.objects'],
    ['with the data of the user', { XDG_DATA_HOME: '/srv/data' }, '/srv/data/ambit/ambit.db.objects'],
    ['a directory', { AMBIT_OBJECTS: '/srv/objects' }, '/srv/objects'],
    ['a directory in the home of the user', { AMBIT_OBJECTS: '~/objects' }, `${homedir()}/objects`],
    ['a bucket', { AMBIT_OBJECTS: 's3://bucket/of/ambit' }, 's3://bucket/of/ambit'],
    ['of this machine alone beside PostgreSQL', POSTGRES, '~/.local/share/ambit/objects', true],
    ['a bucket beside PostgreSQL', { ...POSTGRES, AMBIT_OBJECTS: 's3://bucket' }, 's3://bucket'],
    ['a directory that all share', { ...POSTGRES, AMBIT_OBJECTS: '/mnt/shared' }, '/mnt/shared'],
    ['beside the other one', { ...POSTGRES, AMBIT_DB: ':memory:' }, '~/.local/share/ambit/objects', true],
    ['none for a database in memory', { AMBIT_DB: ':memory:' }, undefined],
    ['none for it, whatever else is said', { AMBIT_DB: ':memory:', AMBIT_OBJECTS: 's3://bucket' }, undefined],
  ])('is %s', async (_, environment, root, isLocalOnly = false) => {
    const { base, ...config } = await configOf(environment)
    const place = uploadPlaceOf(config)
    const shown = place && { ...place, root: place.root.replace(base, '~') }
    expect(shown).toEqual(root === undefined ? undefined : { root, isLocalOnly })
  })

  it('is in the file, unless the environment says another', async () => {
    const file = 'objects: s3://filed/a\n'
    expect(await configOf({}, file)).toMatchObject({ objects: 's3://filed/a', unknown: [] })
    expect(await configOf({ AMBIT_OBJECTS: '/srv/told' }, file)).toMatchObject({ objects: '/srv/told' })
  })
})

it('pages of this machine are not read by a word in the file', async () => {
  expect(await configOf({}, 'allowLoopback: true\n')).toMatchObject({ unknown: ['allowLoopback'] })
})

describe('a language model', () => {
  it('has no key of a file that others may read, and says so when it is asked for', async () => {
    const { model } = await configOf({}, 'model: anthropic/m\nmodelKey: written\n', 0o644)
    expect(model).toEqual({ provider: 'anthropic', model: 'm', openFile: expect.stringContaining(FILE) })
    const engine = openWith({ model: { provider: 'anthropic', model: 'm', openFile: '/x' }, file: '/x', unknown: [] })
    await expect(engine.language()).rejects.toMatchObject({ code: 'denied', hint: 'Run "chmod 600 /x".' })
  })

  it('may be another for a while, without the URL and the key of the first', async () => {
    const environment = { HOME: '/nowhere', ...OPENAI, AMBIT_MODEL_URL: LOCAL, AMBIT_MODEL_KEY: 'k' }
    expect(await readModel('openai/n', environment)).toMatchObject({ model: 'n', url: LOCAL, key: 'k' })
    expect(await readModel('anthropic/n', environment)).toEqual({ provider: 'anthropic', model: 'n' })
  })

  it('is needed with a key where its provider asks for one', async () => {
    const engine = openWith({ model: { provider: 'anthropic', model: 'm' }, file: undefined, unknown: [] })
    await expect(engine.language()).rejects.toMatchObject({
      code: 'denied',
      hint: 'Set AMBIT_MODEL_KEY or ANTHROPIC_API_KEY.',
    })
    expect((await openWith({ file: undefined, unknown: [] }).language()).name).toBe('local/extractive')
  })
})

it.each([
  [{}, false, false],
  [{ AMBIT_DEBUG: '1', NO_COLOR: '1' }, true, true],
  [{ AMBIT_DEBUG: '0', TERM: 'dumb' }, false, true],
  [{ NO_COLOR: '', TERM: 'xterm' }, false, false],
])('the environment %j prints stack traces: %j; prints without colour: %j', (environment, debug, plain) =>
  expect([isDebugging(environment), isPlainOutput(environment)]).toEqual([debug, plain]),
)

it('a reranking model without a URL is told of language models, an embedding model is not', async () => {
  const hintOf = (environment: Record<string, string>) => configOf(environment, '').catch(({ hint }) => hint)
  expect(await hintOf({ AMBIT_RERANK_MODEL: 'gpt-5' })).toMatch(
    / A language model, such as anthropic\/NAME, needs none\.$/,
  )
  expect(await hintOf({ AMBIT_EMBEDDING_MODEL: 'gpt-5' })).not.toContain('language model')
})
