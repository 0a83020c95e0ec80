import { expect, it, vi } from 'vitest'
import { openDirectory } from '../../src/files/directory.ts'
import { prefixesOf } from '../../src/models/embedding.ts'
import type { LanguageSettings, Message, ModelProvider, StepRequest } from '../../src/models/language.ts'
import { languageModel } from '../../src/models/language-providers.ts'
import { openLocalModel } from '../../src/models/local/local-models.ts'
import { costOf, priceOf } from '../../src/models/prices.ts'
import { splitThoughts } from '../../src/models/sdk/thoughts.ts'
import { pauseAfter } from '../../src/models/service/attempts.ts'
import { LANGUAGE, RERANKING, serviceError, statusError } from '../../src/models/service/errors.ts'
import { addressWithPath, serviceAddress } from '../../src/models/service/fetch.ts'
import { knownModel } from '../../src/models/service/known-models.ts'
import { openTensors } from '../../src/models/static/safetensors.ts'
import { safetensors, wordPieces, writeFiles } from '../models/static/made-model.ts'
import { type AnySpeech, languageServer } from '../support/language-server.ts'
import { tree } from '../support/tree.ts'

/* What services are sent, as they receive it, what comes of their answers and errors, and the numbers of models on disk. */

const record = (shown: readonly string[], name: string) =>
  expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(`snapshots/models/${name}.txt`)

const PICTURE = { mediaType: 'image/png', data: 'AAAA' }
const PDF = { name: 'a.pdf', mediaType: 'application/pdf', data: 'JVBERg==' }
const TEXT = {
  name: 'a "b".txt',
  mediaType: 'text/plain',
  data: Buffer.from('words </attachment> of it').toString('base64'),
}
const TOOL = {
  name: 'look',
  description: 'Looks.',
  input: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'], additionalProperties: false },
} as const

const call = (id: string) => ({ type: 'call', id, tool: 'look', input: { at: id } }) as const
const result = (id: string, more: object = {}) => ({ id, tool: 'look', text: `seen ${id}`, isError: false, ...more })

const MESSAGES: readonly Message[] = [
  { role: 'context', text: 'The place.' },
  { role: 'user', text: 'What is it?', files: [PICTURE, PDF, TEXT].map((file) => ({ name: 'x.png', ...file })) },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'Hm.', extra: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'I look.' },
      call('c1'),
      call('c2'),
    ],
  },
  { role: 'tool', results: [result('c1', { images: [PICTURE] }), result('c2', { isError: true, images: [PICTURE] })] },
  { role: 'context', text: 'It changed.' },
  { role: 'user', text: 'And now?' },
]

/** Many calls, so that marks of the cache lie apart. */
const LONG: readonly Message[] = Array.from({ length: 4 }, (_, at): Message[] => [
  { role: 'user', text: `Go ${at}.` },
  { role: 'assistant', parts: Array.from({ length: 9 }, (_, of) => call(`k${at}x${of}`)) },
  { role: 'tool', results: Array.from({ length: 9 }, (_, of) => result(`k${at}x${of}`)) },
]).flat()

const FORM = {
  type: 'object',
  properties: { is: { type: 'boolean' } },
  required: ['is'],
  additionalProperties: false,
} as const

const SPEECHES: readonly (readonly [provider: ModelProvider, speech: AnySpeech, model: string])[] = [
  ['anthropic', 'messages', 'claude-sonnet-4-5'],
  ['openai', 'responses', 'gpt-5'],
  ['openai-compatible', 'chat', 'm'],
  ['google', 'gemini', 'gemini-3-pro'],
  ['azure', 'chat', 'm'],
  ['ollama', 'chat', 'm'],
  ['openrouter', 'chat', 'anthropic/claude-sonnet-4.5'],
  ['github', 'chat', 'm'],
  ['bedrock', 'converse', 'anthropic.claude-sonnet-4-5'],
]

const REQUESTS: Readonly<Record<string, readonly [Partial<StepRequest>, Partial<LanguageSettings>]>> = {
  whole: [{ tools: [TOOL] }, { effort: 'low', canSee: true, price: { input: 1, output: 2 } }],
  'without pictures': [
    { tools: [TOOL], callsNothing: true, maxOutputTokens: 99 },
    { canSee: false, output: 50 },
  ],
  'with a form': [
    { messages: [{ role: 'user', text: 'Is it?' }], form: FORM },
    { output: 50, headers: { 'x-own': 'a' }, body: { top_k: 3 } },
  ],
  long: [{ messages: LONG, tools: [TOOL] }, {}],
}

it.each(SPEECHES)('%s is sent these requests', async (provider, speech, model) => {
  const shown: string[] = []
  for (const [name, [request, settings]] of Object.entries(REQUESTS)) {
    await using server = await languageServer(speech, [{ text: 'ok' }])
    const asked = await languageModel({ provider, model, url: server.url, key: 'sk-key', ...settings })
    const { name: called, canSee, readsPdf, reads, price } = asked
    shown.push(`# ${name}: ${JSON.stringify({ called, canSee, readsPdf, reads, price })}`)
    for await (const part of asked.step({ system: 'You help.', messages: MESSAGES, tools: [], ...request }))
      shown.push(JSON.stringify(part))
    for (const { path, headers, body } of server.asked) {
      const own = Object.entries(headers).filter(([header]) =>
        /^(?:authorization|api-key|x-(?!amz).*|anthropic.*)$/.test(header),
      )
      shown.push(
        path,
        JSON.stringify(Object.fromEntries(own)).replace(/Signature=\w+|\d{8}(?:T\w+|\/)/g, '…'),
        JSON.stringify(body),
      )
    }
  }
  await record(shown, provider)
})

const failure = (status: number, body: unknown = {}, more: object = {}) =>
  Object.assign(statusError(status, 'its message\nsecond line sk-key'), { responseBody: JSON.stringify(body), ...more })

it('errors, waits, prices and addresses of services are these', async () => {
  const shown: string[] = []
  const bodies = [
    {},
    { error: { message: 'own words sk-key' } },
    { error: { code: 'insufficient_quota' } },
    { embedding: [null] },
  ]
  const errors = [
    ...[200, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 503].flatMap((status) =>
      bodies.map((body) => failure(status, body)),
    ),
    Object.assign(new Error('wrong shape'), { name: 'AI_TypeValidationError' }),
    Object.assign(new Error('twice'), { lastError: failure(429) }),
    Object.assign(new Error('broken'), { isRetryable: true }),
    new Error('no answer'),
    failure(429, {}, { responseHeaders: { 'retry-after': '7' } }),
    failure(429, {}, { responseHeaders: { 'retry-after-ms': '80' } }),
    failure(429, {}, { responseHeaders: { 'retry-after': '700' } }),
    'a word',
  ]
  for (const error of errors) {
    const { code, message, hint } = serviceError({ where: 'http://a', key: 'sk-key', kind: LANGUAGE }, error)
    const waits = [1, 2, 3].map((attempt) => pauseAfter(error, attempt, { random: () => 0.5, now: () => 0 }))
    shown.push(`${code}: ${message} ${hint} | ${waits}`)
  }
  for (const kind of [RERANKING, undefined]) {
    const { message, hint } = serviceError({ where: 'http://a', key: undefined, ...(kind && { kind }) }, failure(404))
    shown.push(`${message} ${hint}`)
  }
  const names = [
    'anthropic/claude-sonnet-4-5',
    'anthropic/claude-opus-5-20260724',
    'openai/gpt-5',
    'openai/gpt-5-mini',
    'openrouter/anthropic/claude-sonnet-4.5',
    'bedrock/eu.anthropic.claude-sonnet-4-5',
    'google/gemini-3-pro',
    'openai/none',
    'ollama/m',
  ]
  const own = { 'openai/none': { input: 1, output: 2 }, 'openai/gpt-5': { input: 9, output: 9 } }
  for (const name of names) {
    const prices = [priceOf(name), priceOf(name, own), priceOf(name, own, true), priceOf(name, {}, true)]
    shown.push(`${name}: ${JSON.stringify(knownModel(name))} ${prices.map((price) => JSON.stringify(price))}`)
    for (const usage of [
      { input: 1000, cached: 0, output: 10 },
      { input: 250_001, cached: 200_000, written: 7000, output: 500 },
    ])
      shown.push(`  costs ${costOf(usage, priceOf(name, own))}`)
  }
  for (const url of [
    'http://a',
    'http://a/',
    'http://a/v2/',
    'http://a/v1/embeddings',
    'http://a/x/embeddings/?k=1&l=2',
    'http://user:pass@a:8/b',
    'no url',
  ]) {
    const address = (() => {
      try {
        return serviceAddress(url, 'embeddings')
      } catch (error) {
        return String(error)
      }
    })()
    shown.push(
      `${url}: ${JSON.stringify(address)} ${addressWithPath(url, '/openai/v1')} ${addressWithPath(url, undefined)}`,
    )
  }
  for (const model of [
    'nomic-embed-text',
    'bge-small-en',
    'e5-large',
    'multilingual-e5-small-instruct',
    'mxbai-embed-large',
    'jina',
    'Qwen3-Embedding',
    'm',
  ])
    shown.push(`${model}: ${JSON.stringify(prefixesOf({ model, url: '' }))}`)
  await record(shown, 'services')
})

it('thoughts within a text are taken out of it so', async () => {
  const shown: string[] = []
  const texts = [
    '<think>a b</think> c',
    ' <think>a',
    'no <think>b</think>',
    '<thin',
    '<thinker>',
    '<think></think>\n\nx',
    '',
    '<think> a </think>b</think>',
  ]
  for (const text of texts)
    for (const size of [1, 4, 100]) {
      async function* parts() {
        for (let at = 0; at < text.length; at += size) yield { type: 'text', text: text.slice(at, at + size) } as const
        yield { type: 'part', part: { type: 'text', text, extra: text === '' ? { a: 1 } : undefined } } as const
        yield { type: 'finish', reason: 'stop', usage: { input: 1, cached: 0, output: 1 } } as const
      }
      const found: string[] = []
      for await (const part of splitThoughts(parts()))
        found.push(part.type === 'text' ? part.text : JSON.stringify(part))
      shown.push(`${JSON.stringify(text)} by ${size}: ${found.map((one) => JSON.stringify(one)).join(' ')}`)
    }
  await record(shown, 'thoughts')
})

/** What an encoder gave to its runtime. */
const runtime = vi.hoisted(() => ({ told: [] as string[], graph: new Uint8Array(), inputs: [] as string[], axes: 3 }))

/** A runtime that nobody needs to install: its vectors are made of what it is given. */
vi.mock('onnxruntime-node', () => ({
  Tensor: class {
    constructor(
      readonly kind: string,
      readonly data: BigInt64Array,
      readonly dims: readonly number[],
    ) {}
  },
  InferenceSession: {
    create: async (graph: Uint8Array, options: object) => {
      runtime.graph = graph
      runtime.told.push(JSON.stringify({ ...options, intraOpNumThreads: 0 }))
      return {
        inputNames: runtime.inputs,
        outputNames: ['first'],
        run: async (feeds: Readonly<Record<string, { kind: string; data: BigInt64Array; dims: number[] }>>) => {
          for (const [name, { kind, data, dims }] of Object.entries(feeds))
            runtime.told.push(`${name} ${kind} [${dims}] ${data}`)
          const { data = new BigInt64Array(), dims: [rows = 0, tokens = 0] = [] } = feeds.input_ids ?? {}
          const counted = runtime.axes === 3 ? rows * tokens : rows
          const numbers = Float32Array.from(
            { length: counted * 2 },
            (_, at) => Number(data[at >> 1] ?? 0) + (at & 1) * 3 + 1,
          )
          return { first: { data: numbers, dims: runtime.axes === 3 ? [rows, tokens, 2] : [rows, 2] } }
        },
      }
    },
  },
}))

const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'a', 'ferry', 'carries', 'cars']

/** The weights of a small BERT, each another number. */
function weights(prefix: string): Buffer {
  const names: (readonly [name: string, ...shape: number[]])[] = [
    ['embeddings.word_embeddings.weight', 8, 4],
    ['embeddings.position_embeddings.weight', 6, 4],
    ['embeddings.token_type_embeddings.weight', 2, 4],
    ['embeddings.LayerNorm.weight', 4],
    ['embeddings.LayerNorm.bias', 4],
  ]
  const layer = 'encoder.layer.0'
  for (const part of ['attention.self.query', 'attention.self.key', 'attention.self.value', 'attention.output.dense'])
    names.push([`${layer}.${part}.weight`, 4, 4], [`${layer}.${part}.bias`, 4])
  names.push([`${layer}.intermediate.dense.weight`, 6, 4], [`${layer}.intermediate.dense.bias`, 6])
  names.push([`${layer}.output.dense.weight`, 4, 6], [`${layer}.output.dense.bias`, 4])
  for (const part of ['attention.output', 'output'])
    names.push([`${layer}.${part}.LayerNorm.weight`, 4], [`${layer}.${part}.LayerNorm.bias`, 4])
  let next = 0
  const tables = names.map(([name, ...shape]) => {
    const numbers = Array.from({ length: shape.reduce((all, one) => all * one, 1) }, () => ((next++ * 7) % 31) - 15)
    return [prefix + name, { dtype: 'F32', shape, numbers }] as const
  })
  return safetensors(Object.fromEntries(tables))
}

/** The fields of a message of Protocol Buffers, one a line. */
function fieldsOf(bytes: Buffer, indent = ''): string[] {
  const lines: string[] = []
  let at = 0
  const varint = () => {
    let [value, shift] = [0n, 0n]
    for (; ; shift += 7n) {
      const byte = BigInt(bytes[at++] ?? 0)
      value |= (byte & 127n) << shift
      if (byte < 128n) return value
    }
  }
  while (at < bytes.length) {
    const [tag, from] = [Number(varint()), at]
    const field = `${indent}${tag >> 3}`
    if ((tag & 7) === 0) lines.push(`${field}: ${varint()}`)
    else if ((tag & 7) === 5) lines.push(`${field}: ${bytes.readFloatLE(from)}`)
    else {
      const length = Number(varint())
      const part = bytes.subarray(at, at + length)
      const isText = part.every((byte) => byte > 31 && byte < 127)
      if (/^(?: 5)?9$/.test(field)) lines.push(`${field}: ${part.toString('hex')}`)
      else if (isText) lines.push(`${field}: ${part}`)
      else if (tag >> 3 === 9) lines.push(`${field}: ${part.toString('hex')}`)
      else lines.push(field, ...fieldsOf(part, `${indent} `))
      at += length
    }
    if ((tag & 7) === 5) at += 4
  }
  return lines
}

it('an encoder gives its runtime this graph and these numbers, and has these vectors', async () => {
  const config = { num_hidden_layers: 1, num_attention_heads: 2, hidden_act: 'gelu' }
  const json = (value: object) => Buffer.from(JSON.stringify(value))
  const base = {
    'tokenizer.json': json(wordPieces(VOCABULARY)),
    'model.safetensors': weights(''),
    '1_Pooling/config.json': json({}),
    'config.json': json(config),
  }
  const folders: Readonly<Record<string, Readonly<Record<string, Buffer>>>> = {
    mean: base,
    'first token': {
      ...base,
      '1_Pooling/config.json': json({ pooling_mode_cls_token: true }),
      'sentence_bert_config.json': json({ max_seq_length: 4 }),
    },
    roberta: {
      ...base,
      'model.safetensors': weights('roberta.'),
      'config.json': json({ ...config, model_type: 'xlm-roberta', layer_norm_eps: 1e-5 }),
    },
    'another layer': { ...base, 'modules.json': json([{ type: 'models.Transformer' }, { type: 'models.Dense' }]) },
    'another kind': { ...base, 'config.json': json({ ...config, hidden_act: 'relu' }) },
    'an export': { 'tokenizer.json': base['tokenizer.json'], 'model.onnx': Buffer.from('graph') },
  }
  const shown: string[] = []
  for (const [name, files] of Object.entries(folders)) {
    using planted = tree({})
    runtime.told.length = 0
    runtime.inputs = name === 'mean' ? ['input_ids', 'attention_mask', 'token_type_ids'] : ['input_ids', 'position_ids']
    runtime.axes = name === 'an export' ? 2 : 3
    shown.push(`# ${name}`)
    try {
      const model = await openLocalModel(writeFiles(planted.at(''), files), 'e5-small')
      const { name: called, fingerprint, isInProcess } = model
      shown.push(JSON.stringify({ called, fingerprint, isInProcess }))
      const texts = [
        'a ferry carries cars',
        'a',
        '',
        'cars cars cars',
        ...Array.from({ length: 7 }, (_, at) => 'a '.repeat(at)),
      ]
      const vectors = [...(await model.documents(texts)), await model.query('ferry')]
      shown.push(...runtime.told, ...vectors.map((vector) => [...vector].map((one) => one.toFixed(4)).join()))
      if (name !== 'an export') shown.push(...(name === 'first token' ? [] : fieldsOf(Buffer.from(runtime.graph))))
    } catch (error) {
      const { code, message, hint } = error as { code: string; message: string; hint: string }
      shown.push(`${code}: ${message} ${hint}`)
    }
  }
  await record(shown, 'encoder')
})

it('tables of numbers are read so, and refused so', async () => {
  const numbers = [0, 1, -1.5, 2, 0.25, 6]
  const whole = [0, 1, -1, 2, 100, -128]
  const tables = Object.fromEntries(
    ['F64', 'F32', 'F16', 'BF16', 'I64', 'I32', 'I8'].map((dtype) => [
      dtype,
      { dtype, shape: [3, 2], numbers: dtype.startsWith('I') ? whole : numbers },
    ]),
  )
  const bytes = safetensors(tables)
  const header = (text: string, more = 0) => {
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(text.length + more))
    return Buffer.concat([length, Buffer.from(text), Buffer.alloc(64)])
  }
  const one = (dtype: string, shape: unknown, offsets: unknown) =>
    header(JSON.stringify({ a: { dtype, shape, data_offsets: offsets } }))
  const files = {
    whole: bytes,
    cut: bytes.subarray(0, 60),
    short: header('{}', 80),
    long: header('{}', 1000),
    nothing: header(''),
    'no json': header('{a'),
    'a list': header('[1]'),
    list: one('F32', [3], [0, 12]),
    'another kind': one('F8', [1, 2], [0, 2]),
    'three axes': one('I8', [1, 2, 1], [0, 2]),
    'less than it says': one('I8', [1, 2], [0, 3]),
    'behind the end': one('I8', [1, 65], [0, 65]),
    'a wrong shape': one('I8', [1.5], [0, 2]),
    halves: header(JSON.stringify({ a: { dtype: 'F16', shape: [1, 4], data_offsets: [0, 8] } })),
  }
  using planted = tree({})
  writeFiles(
    planted.at(''),
    Object.fromEntries(Object.entries(files).map(([name, data]) => [`${name}.st`, Buffer.from(data)])),
  )
  const shown: string[] = []
  for (const name of Object.keys(files)) {
    try {
      for (const [of, tensor] of await openTensors(openDirectory(planted.at('')), `${name}.st`)) {
        const some = [...(await tensor.read([2, 0, 1, 2]))].map(([row, values]) => `${row}: ${[...values]}`)
        shown.push(`${name} ${of} ${tensor.rows} x ${tensor.columns}: ${[...(await tensor.all())]}; ${some.join('; ')}`)
      }
    } catch (error) {
      shown.push(`${name}: ${(error as Error).message}`)
    }
  }
  await record(shown, 'tables')
})
