import { it, vi } from 'vitest'
import { openDirectory } from '../../src/files/directory.ts'
import { readWordVectors } from '../../src/files/home.ts'
import { prefixesOf } from '../../src/models/embedding.ts'
import type {
  LanguageSettings,
  Message,
  ModelProvider,
  StepPart,
  StepRequest,
  Usage,
} from '../../src/models/language.ts'
import { languageModel } from '../../src/models/language-providers.ts'
import { openLocalModel } from '../../src/models/local/local-models.ts'
import { costOf, type Prices, priceOf } from '../../src/models/prices.ts'
import { local } from '../../src/models/providers/language-local.ts'
import { splitThoughts } from '../../src/models/sdk/thoughts.ts'
import { pauseAfter } from '../../src/models/service/attempts.ts'
import { LANGUAGE, RERANKING, serviceError } from '../../src/models/service/errors.ts'
import { addressWithPath, serviceAddress } from '../../src/models/service/fetch.ts'
import { knownModel } from '../../src/models/service/known-models.ts'
import { openTensors } from '../../src/models/static/safetensors.ts'
import { safetensors, wordPieces, writeFiles } from '../models/static/made-model.ts'
import { type AnySpeech, languageServer } from '../support/language-server.ts'
import { tree } from '../support/tree.ts'
import { perform, record, told, valuesIn } from './recorded.ts'

/* What services are sent, as they receive it, what comes of their answers and errors, and the numbers of models on disk. */

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

const OF_OURS = /^(?:authorization|api-key|x-(?!amz).*|anthropic.*)$/

async function allOf(parts: AsyncIterable<StepPart>): Promise<string[]> {
  const all: string[] = []
  for await (const part of parts) all.push(JSON.stringify(part))
  return all
}

it.each(SPEECHES)('%s is sent these requests', async (provider, speech, model) => {
  const shown: string[] = []
  for (const [, request, settings] of valuesIn('calls/steps.jsonl') as [string, StepRequest, LanguageSettings][]) {
    await using server = await languageServer(speech, [{ text: 'ok' }])
    const asked = await languageModel({ ...settings, provider, model, url: server.url, key: 'sk-key' })
    const { step: _, ...facts } = asked
    shown.push(`# ${JSON.stringify(facts)}`, ...(await allOf(asked.step({ ...request, system: 'You help.' }))))
    for (const { path, headers, body } of server.asked) {
      const own = Object.fromEntries(Object.entries(headers).filter(([header]) => OF_OURS.test(header)))
      // A signature is of its time.
      const signed = JSON.stringify(own).replace(/Signature=\w+|\d{8}(?:T\w+|\/)/g, '…')
      shown.push(path, signed, JSON.stringify(body))
    }
  }
  await record(shown, `models/${provider}`)
})

it('errors, waits, prices and addresses of services are these, and thoughts within a text are taken out so', async () => {
  const services = {
    fail(more: object) {
      const error = Object.assign(new Error('its message\nsecond line sk-key'), more)
      const about = [LANGUAGE, RERANKING, undefined].map((kind) => {
        const { code, message, hint } = serviceError(
          { origin: 'http://a', key: 'sk-key', ...(kind && { kind }) },
          error,
        )
        return `${code}: ${message} ${hint}`
      })
      return [...about, [1, 2, 3].map((attempt) => pauseAfter(error, attempt, { random: () => 0.5, now: () => 0 }))]
    },
    cost: (usage: Usage, name: string, own: Prices) => costOf(usage, priceOf(name, own)),
    ...{ knownModel, priceOf, serviceAddress, addressWithPath, prefixesOf },
  }
  const thoughts = {
    split(texts: string | string[], size: number) {
      async function* parts(): AsyncGenerator<StepPart> {
        for (const text of [texts].flat()) {
          for (let at = 0; at < text.length; at += size) yield { type: 'text', text: text.slice(at, at + size) }
          yield { type: 'part', part: { type: 'text', text, ...(text === '' && { extra: { a: 1 } }) } }
        }
        yield { type: 'finish', reason: 'stop', usage: { input: 1, cached: 0, output: 1 } }
      }
      return allOf(splitThoughts(parts()))
    },
  }
  await record(await perform('services', { services, thoughts }), 'models/services')
})

interface BuiltInRequest extends Pick<StepRequest, 'callsNothing'> {
  readonly contexts?: readonly string[]
  readonly tools?: readonly string[]
}

it('the built-in model makes these calls, and answers so', async () => {
  const model = {
    says(question: string, results: readonly [tool: string, text: string, isError?: true][] = [], request = {}) {
      const { contexts = [], tools = ['search', 'read', 'path_contexts'], ...more }: BuiltInRequest = request
      const messages: Message[] = [
        ...contexts.map((text) => ({ role: 'context', text }) as const),
        { role: 'user', text: question },
        ...results.map(([tool, text, isError = false], at): Message => {
          return { role: 'tool', results: [{ id: `${at}`, tool, text, isError }] }
        }),
      ]
      const described = tools.map((name) => ({ name, description: '', input: {} }))
      return Array.fromAsync(local(readWordVectors).step({ system: '', messages, tools: described, ...more }))
    },
  }
  await record(await perform('built-in', { model }), 'models/built-in')
})

/** What an encoder gave to its runtime. */
const runtime = vi.hoisted(() => ({ told: [] as string[], graph: Buffer.alloc(0), inputs: [] as string[], axes: 3 }))

/** A runtime that nobody needs to install: its vectors are made of what it is given. */
vi.mock('onnxruntime-node', () => {
  class Tensor {
    readonly kind: string
    readonly data: BigInt64Array
    readonly dims: readonly number[]
    constructor(...[kind, data, dims]: [string, BigInt64Array, readonly number[]]) {
      this.kind = kind
      this.data = data
      this.dims = dims
    }
  }
  const run = async (feeds: Readonly<Record<string, Tensor>>) => {
    for (const [name, { kind, data, dims }] of Object.entries(feeds))
      runtime.told.push(`${name} ${kind} [${dims}] ${data}`)
    const { data = new BigInt64Array(), dims: [rows = 0, tokens = 0] = [] } = feeds.input_ids ?? {}
    const isWhole = runtime.axes === 3
    const numbers = { length: rows * (isWhole ? tokens : 1) * 2 }
    const made = Float32Array.from(numbers, (_, at) => Number(data[at >> 1] ?? 0) + (at & 1) * 3 + 1)
    return { first: { data: made, dims: isWhole ? [rows, tokens, 2] : [rows, 2] } }
  }
  const create = async (graph: Uint8Array, options: object) => {
    runtime.graph = Buffer.from(graph)
    if (runtime.graph.toString() === 'no graph') throw new Error('The graph is broken')
    runtime.told.push(JSON.stringify({ ...options, intraOpNumThreads: 0 }))
    return { inputNames: runtime.inputs, outputNames: ['first'], run }
  }
  return { Tensor, InferenceSession: { create } }
})

/** The weights of a small BERT, each another number. */
function weights(prefix: string): Buffer {
  let next = 0
  const tables = valuesIn('encoder.jsonl').map(([name, ...shape]: [string, ...number[]]) => {
    const length = shape.reduce((all, one) => all * one, 1)
    return [prefix + name, { dtype: 'F32', shape, numbers: Array.from({ length }, () => ((next++ * 7) % 31) - 15) }]
  })
  return safetensors(Object.fromEntries(tables))
}

/** The fields of a message of Protocol Buffers, one a line. */
function fieldsOf(bytes: Buffer, indent = ''): string[] {
  const lines: string[] = []
  let at = 0
  const varint = () => {
    let [value, shift] = [0, 1]
    for (; (bytes[at] ?? 0) > 127; shift *= 128) value += ((bytes[at++] ?? 0) & 127) * shift
    return value + (bytes[at++] ?? 0) * shift
  }
  while (at < bytes.length) {
    const tag = varint()
    const field = `${indent}${tag >> 3}`
    if ((tag & 7) === 0) lines.push(`${field}: ${varint()}`)
    else if ((tag & 7) === 5) {
      lines.push(`${field}: ${bytes.readFloatLE(at)}`)
      at += 4
    } else {
      const length = (tag & 7) === 2 ? varint() : 0
      const part = bytes.subarray(at, at + length)
      at += length
      if (tag >> 3 === 9) lines.push(`${field}: ${part.toString('hex')}`)
      else if (part.every((byte) => byte > 31 && byte < 127)) lines.push(`${field}: ${part}`)
      else lines.push(field, ...fieldsOf(part, `${indent} `))
    }
  }
  return lines
}

const json = (value: object) => Buffer.from(JSON.stringify(value))
const CONFIG = { num_hidden_layers: 1, num_attention_heads: 2, hidden_act: 'gelu' }
const TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'a', 'ferry', 'carries', 'cars']
const BERT = {
  'tokenizer.json': json(wordPieces(TOKENS)),
  'model.safetensors': weights(''),
  '1_Pooling/config.json': json({}),
  'config.json': json(CONFIG),
}
const FIRST = {
  '1_Pooling/config.json': json({ pooling_mode_cls_token: true }),
  'sentence_bert_config.json': json({ max_seq_length: 4 }),
}
const ROBERTA = {
  'model.safetensors': weights('roberta.'),
  'config.json': json({ ...CONFIG, model_type: 'xlm-roberta', layer_norm_eps: 1e-5 }),
}
const FOLDERS: Readonly<Record<string, Readonly<Record<string, Buffer>>>> = {
  mean: BERT,
  'first token': { ...BERT, ...FIRST },
  roberta: { ...BERT, ...ROBERTA },
  'another layer': { ...BERT, 'modules.json': json([{ type: 'models.Transformer' }, { type: 'models.Dense' }]) },
  'another kind': { ...BERT, 'config.json': json({ ...CONFIG, hidden_act: 'relu' }) },
  'a missing weight': { ...BERT, 'model.safetensors': weights('other.') },
  'a broken export': { 'tokenizer.json': BERT['tokenizer.json'], 'model.onnx': Buffer.from('no graph') },
  'an export': { 'tokenizer.json': BERT['tokenizer.json'], 'model.onnx': Buffer.from('graph') },
}

it('an encoder gives its runtime this graph and these numbers, and has these vectors', async () => {
  const shown: string[] = []
  for (const [name, files] of Object.entries(FOLDERS)) {
    using planted = tree({})
    Object.assign(runtime, { told: [], axes: name === 'an export' ? 2 : 3 })
    runtime.inputs = name === 'mean' ? ['input_ids', 'attention_mask', 'token_type_ids'] : ['input_ids', 'position_ids']
    const vectors = async () => {
      const folder = writeFiles(planted.at(''), files)
      const model = await openLocalModel(name === 'an export' ? `${folder}/model.onnx` : folder, 'e5-small')
      const more = Array.from({ length: 7 }, (_, at) => 'a '.repeat(at))
      const documents = await model.documents(['a ferry carries cars', 'a', '', 'cars cars cars', ...more])
      return [model, ...[...documents, await model.query('ferry')].map((vector) => [...vector])]
    }
    shown.push(await told(`# ${name}`, vectors), ...runtime.told)
    if (name === 'mean' || name === 'roberta') shown.push(...fieldsOf(runtime.graph))
  }
  await record(shown, 'models/encoder')
})

/** A file that begins with a header, whose length is so much more than it says. */
function headed(text: string, more = 0): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length + more))
  return Buffer.concat([length, Buffer.from(text), Buffer.alloc(64)])
}

const ofTable = (dtype: string, shape: unknown, offsets: unknown) =>
  headed(JSON.stringify({ a: { dtype, shape, data_offsets: offsets } }))

it('tables of numbers are read so, and refused so', async () => {
  const [numbers, whole] = ['0,1,-1.5,2,0.25,6', '0,1,-1,2,100,-128'].map((text) => text.split(',').map(Number))
  const tables = ['F64', 'F32', 'F16', 'BF16', 'I64', 'I32', 'I16', 'I8', 'U8'].map((dtype) => {
    return [dtype, { dtype, shape: [3, 2], numbers: (/^[IU]/.test(dtype) ? whole : numbers) ?? [] }] as const
  })
  const bytes = safetensors(Object.fromEntries(tables))
  const files = {
    whole: bytes,
    cut: bytes.subarray(0, 60),
    short: headed('{}', 80),
    long: headed('{}', 1000),
    nothing: headed(''),
    'no json': headed('{a'),
    'a list': headed('[1]'),
    list: ofTable('F32', [3], [0, 12]),
    'another kind': ofTable('F8', [1, 2], [0, 2]),
    'three axes': ofTable('I8', [1, 2, 1], [0, 2]),
    'less than it says': ofTable('I8', [1, 2], [0, 3]),
    'behind the end': ofTable('I8', [1, 65], [0, 65]),
    'a wrong shape': ofTable('I8', [1.5], [0, 2]),
  }
  using planted = tree({})
  writeFiles(planted.at(''), files)
  const shown = Object.keys(files).map((name) =>
    told(name, async () => {
      const read = [...(await openTensors(openDirectory(planted.at('')), name))].map(async ([of, tensor]) => {
        const some = [...(await tensor.read([2, 0, 1, 2]))].map(([row, values]) => `${row}: ${values}`)
        return `${of} ${tensor.rows} x ${tensor.columns}: ${await tensor.readAll()}; ${some.join('; ')}`
      })
      return Promise.all(read)
    }),
  )
  await record(await Promise.all(shown), 'models/tables')
})
