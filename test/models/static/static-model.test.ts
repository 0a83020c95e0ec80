import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLocalModel } from '../../../src/models/local/local-models.ts'
import { modelFiles, safetensors, tableOf, unigrams, VOCABULARY, WORDS, wordPieces, writeFiles } from './made-model.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ambit-model-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const write = (files: Readonly<Record<string, Buffer>>) => writeFiles(folder, files)

/** The mean of the vectors of some words, of length 1. */
function meanOf(...words: (readonly [word: string, weight?: number])[]): number[] {
  const sum = [0, 1, 2].map((at) =>
    words.reduce((all, [word, weight = 1]) => all + weight * (WORDS[word]?.[at] ?? 0), 0),
  )
  return sum.map((value) => value / Math.hypot(...sum))
}

async function queryVector(text: string): Promise<number[]> {
  return [...(await (await openLocalModel(folder)).query(text))]
}

async function near(text: string, ...words: (readonly [word: string, weight?: number])[]): Promise<void> {
  const [query, wanted] = [await queryVector(text), meanOf(...words)]
  const [document] = await (await openLocalModel(folder)).documents([text])
  for (const vector of [query, [...(document ?? [])]])
    expect(vector.map((value) => value.toFixed(4))).toEqual(wanted.map((value) => (value + 0).toFixed(4)))
}

describe('a static embedding model', () => {
  it.each(['F64', 'F32', 'F16', 'BF16'])(
    'gives a text the mean of the vectors of its tokens, of length 1: %s',
    async (dtype) => {
      write(modelFiles({ embeddings: tableOf(dtype) }))
      await near('The car', ['the'], ['car'])
      await near('snowfall', ['snow'], ['##fall'])
    },
  )

  it('reads whole numbers of eight bits, as quantized models have them', async () => {
    write(modelFiles({ embeddings: tableOf('I8', 8) }))
    await near('automobile, rain', ['automobile'], ['rain'])
  })

  it('leaves out tokens that it does not know', async () => {
    write(modelFiles())
    await near('car zyzzyva!', ['car'])
  })

  it('weighs each token, and maps it to its row, where the model says so', async () => {
    const { '[UNK]': _, ...rows } = WORDS
    const mapping = {
      dtype: 'I64',
      shape: [VOCABULARY.length],
      numbers: VOCABULARY.map((_, id) => Math.max(0, id - 1)),
    }
    const weights = {
      dtype: 'F32',
      shape: [VOCABULARY.length],
      numbers: VOCABULARY.map((token) => (token === 'the' ? 0.25 : 1)),
    }
    const embeddings = { dtype: 'F32', shape: [VOCABULARY.length - 1, 3], numbers: Object.values(rows).flat() }
    write(modelFiles({ embeddings, weights, mapping }))
    await near('the the car', ['the', 0.5], ['car'])
  })

  it.each(['', '0_StaticEmbedding/'])('is found where sentence-transformers puts it: %j', async (below) => {
    const { 'model.safetensors': tensors = Buffer.alloc(0), 'tokenizer.json': tokenizer = Buffer.alloc(0) } =
      modelFiles({ 'embedding.weight': tableOf() })
    write({ [`${below}model.safetensors`]: tensors, [`${below}tokenizer.json`]: tokenizer })
    await near('rain', ['rain'])
  })

  it('takes the tokenizer of a multilingual model', async () => {
    const words = { '<unk>': 0, '▁car': -1, '▁': -3, ра: -2, иван: -2, 雨: -1 }
    const pieces = Object.entries(words)
    const numbers = pieces.flatMap((_, at) => [at, 1, 0])
    write({
      'tokenizer.json': Buffer.from(JSON.stringify(unigrams(pieces))),
      'model.safetensors': safetensors({ embeddings: { dtype: 'F32', shape: [pieces.length, 3], numbers } }),
    })
    const vector = await queryVector('雨')
    // The pieces ▁ (2, 1) and 雨 (5, 1).
    expect(vector.map((value) => value.toFixed(4))).toEqual(
      [7 / Math.hypot(7, 2), 2 / Math.hypot(7, 2), 0].map((value) => value.toFixed(4)),
    )
  })

  it('has another fingerprint when its table or its tokenizer is another', async () => {
    const fingerprint = async (files: Readonly<Record<string, Buffer>>) => {
      write(files)
      return (await openLocalModel(folder)).fingerprint
    }
    const first = await fingerprint(modelFiles())
    expect(await fingerprint(modelFiles())).toBe(first)
    const others = [
      await fingerprint(modelFiles({ embeddings: tableOf('F32', 2) })),
      await fingerprint({
        ...modelFiles(),
        'tokenizer.json': Buffer.from(JSON.stringify(wordPieces([...VOCABULARY, 'x']))),
      }),
    ]
    expect(new Set([first, ...others]).size).toBe(3)
  })

  it('gives others a turn while it works on many texts, and stops when it is told to', async () => {
    write(modelFiles())
    const model = await openLocalModel(folder)
    const controller = new AbortController()
    let turns = 0
    const clock = setInterval(() => ++turns === 3 && controller.abort(), 1)
    const texts = Array.from({ length: 20_000 }, () => 'the car and the rain and the snowfall '.repeat(8))
    await expect(model.documents(texts, controller.signal)).rejects.toMatchObject({ code: 'cancelled' })
    clearInterval(clock)
    expect(turns).toBe(3)
  })
})

const TABLES = modelFiles()['model.safetensors'] ?? Buffer.alloc(0)
const withHeader = (json: string) => {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(json.length))
  return Buffer.concat([length, Buffer.from(json), TABLES])
}
const header = (fields: object) =>
  withHeader(JSON.stringify({ embeddings: { dtype: 'F32', shape: [8, 3], data_offsets: [0, 96], ...fields } }))

const TENSORS: readonly (readonly [what: string, tensors: Buffer, message: string])[] = [
  ['a file that was cut', TABLES.subarray(0, TABLES.length - 4), 'do not match its shape'],
  ['a file of eight bytes', TABLES.subarray(0, 8), 'its header has no length'],
  ['a header that is longer than the file', Buffer.from('ffffffff00000000', 'hex'), 'its header has no length'],
  ['a header that is no JSON', withHeader('{"a":'), 'its header cannot be read'],
  ['a header of the wrong kind', withHeader('{"a":[1]}'), 'its header cannot be read'],
  ['numbers of an unknown kind', header({ dtype: 'Q4' }), 'has numbers of the kind Q4'],
  ['a place outside of the file', header({ data_offsets: [1e9, 1e9 + 96] }), 'do not match its shape'],
  ['a shape that does not fit', header({ shape: [9, 3] }), 'do not match its shape'],
  ['a shape of three', header({ shape: [2, 4, 3] }), 'do not match its shape'],
]

describe('what is no such model is told as that', () => {
  it.each<[string, Readonly<Record<string, Buffer>>, string]>([
    ['an empty folder', {}, 'There is no embedding model in'],
    ['no tokenizer', { 'model.safetensors': TABLES }, 'tokenizer.json'],
    ['a table of another name', modelFiles({ other: tableOf() }), 'holds no vectors of tokens'],
    ...['{', '{"model":{"type":"Tea"}}'].map((text): [string, Record<string, Buffer>, string] => [
      `the tokenizer ${text}`,
      { ...modelFiles(), 'tokenizer.json': Buffer.from(text) },
      'The tokenizer tokenizer.json cannot be read',
    ]),
    ...TENSORS.map(([what, tensors, message]): [string, Record<string, Buffer>, string] => [
      what,
      { ...modelFiles(), 'model.safetensors': tensors },
      message,
    ]),
  ])('%s', async (_, files, message) => {
    write(files)
    await expect(openLocalModel(folder)).rejects.toMatchObject({
      name: 'ContextError',
      message: expect.stringContaining(message),
    })
  })

  it('a text without a word that it knows', async () => {
    write(modelFiles())
    const model = await openLocalModel(folder)
    for (const asked of [model.query('天気'), model.documents(['rain', '…'])])
      await expect(asked).rejects.toMatchObject({
        code: 'invalid-input',
        message: 'The embedding model knows no word of this text.',
      })
  })
})

it('counts the first 16,000 characters of a text', async () => {
  write(modelFiles())
  await near(`${'rain '.repeat(3200)}${'car '.repeat(3200)}`, ['rain'])
})
