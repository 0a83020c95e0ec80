import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { modelFilesAmong, openLocalModel } from '../../../src/models/local/local-models.ts'
import { ROOT } from '../../source-files.ts'
import { VOCABULARY, wordPieces, writeFiles } from '../static/made-model.ts'

/** What the runtime was asked: the shape of the tokens; mask, type and place of the last one. */
const asked: unknown[] = []

// The runtime is optional, and takes 291 MB. This one gives `car` and `rain` a direction each, and other tokens both.
vi.mock('onnxruntime-node', () => ({
  Tensor: class {
    readonly data: BigInt64Array
    readonly dims: readonly number[]
    constructor(_: string, data: BigInt64Array, dims: readonly number[]) {
      this.data = data
      this.dims = dims
    }
  },
  InferenceSession: {
    create: async (model: Uint8Array) => {
      const graph = Buffer.from(model).toString()
      if (graph === 'torn') throw new Error('It is torn.')
      return {
        inputNames: ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'],
        outputNames: [graph],
        run,
      }
    },
  },
}))

type Feeds = Readonly<Record<string, { readonly data: BigInt64Array; readonly dims: readonly number[] }>>

async function run({ input_ids: ids, attention_mask, token_type_ids, position_ids }: Feeds) {
  const last = [attention_mask, token_type_ids, position_ids].map((one) => Number(one?.data.at(-1)))
  asked.push([ids?.dims, last])
  const data = Float32Array.from([...(ids?.data ?? [])].flatMap((id) => [id === 4n ? 0 : 1, id === 1n ? 0 : 1]))
  return { last_hidden_state: { data, dims: [...(ids?.dims ?? []), 2] } }
}

function folderOf(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-encoder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const all = { 'tokenizer.json': wordPieces(VOCABULARY), 'onnx/model.onnx': 'last_hidden_state', ...files }
  const bytesOf = (file: string | object) => Buffer.from(typeof file === 'string' ? file : JSON.stringify(file))
  return writeFiles(folder, Object.fromEntries(Object.entries(all).map(([path, file]) => [path, bytesOf(file)])))
}

const rounded = (vector: Float32Array) => [...vector].map((value) => Math.round(value * 100) / 100)

describe('an encoder', () => {
  it('gives texts vectors of length 1 in their order, of tokens that it runs by their lengths', async () => {
    asked.length = 0
    const model = await openLocalModel(folderOf({}), 'own')
    const texts = ['rain rain car', ...Array.from({ length: 8 }, () => 'car'), 'engine']
    const vectors = (await model.documents(texts)).map(rounded)
    expect(vectors).toEqual([[0.45, 0.89], ...Array.from({ length: 8 }, () => [1, 0]), [0.71, 0.71]])
    expect(asked).toEqual([
      [
        [8, 1],
        [1, 0, 0],
      ],
      [
        [2, 3],
        [1, 0, 2],
      ],
    ])
    expect(model).toMatchObject({ name: 'own', isInProcess: true })
  })

  it.each([
    ['the mean of its tokens', {}, 'own', [0.89, 0.45]],
    ['its first token', { '1_Pooling/config.json': { pooling_mode_cls_token: true } }, 'own', [1, 0]],
    ['as many tokens as it may have', { 'sentence_bert_config.json': { max_seq_length: 2 } }, 'own', [0.71, 0.71]],
    ['what it was trained with before it', {}, 'e5-small', [0.8, 0.6]],
  ])('makes of a query %s', async (_, files, name, expected) => {
    const model = await openLocalModel(folderOf(files), name)
    expect(rounded(await model.query('car car rain'))).toEqual(expected)
  })

  it('counts places as its kind does', async () => {
    asked.length = 0
    const model = await openLocalModel(folderOf({ 'config.json': { model_type: 'xlm-roberta', pad_token_id: 1 } }))
    await model.query('car car')
    expect(asked).toEqual([
      [
        [1, 2],
        [1, 0, 3],
      ],
    ])
  })

  it.each([
    ['cannot be read', { 'onnx/model.onnx': 'torn' }, 'The model onnx/model.onnx cannot be read: It is torn.'],
    [
      'has a layer that changes its vectors',
      { 'modules.json': [{ type: 'sentence_transformers.models.Transformer' }, { type: 'models.Dense' }] },
      'The embedding model has a layer of the kind Dense, which is not known.',
    ],
  ])('is refused when it %s', async (_, files, message) => {
    await expect(openLocalModel(folderOf(files))).rejects.toMatchObject({
      code: 'invalid-input',
      message,
      hint: expect.stringContaining('backend="onnx"'),
    })
  })

  it('gives nothing in the output that is asked for', async () => {
    const model = await openLocalModel(folderOf({ 'onnx/model.onnx': 'other' }))
    await expect(model.query('car')).rejects.toThrow('The embedding model gives nothing.')
  })

  it('without its runtime says the command that installs it', async () => {
    // Only Node itself says that a package is missing.
    const script = `const { openLocalModel } = await import('${ROOT}/src/models/local/local-models.ts')
      await openLocalModel(process.argv[1]).catch(({ code, hint }) => console.log(JSON.stringify({ code, hint })))`
    const args = ['--input-type=module', '--eval', script, folderOf({})]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(JSON.parse(stdout)).toEqual({
      code: 'unavailable',
      hint: expect.stringContaining('npm install -g --ignore-scripts onnxruntime-node'),
    })
  })
})

describe('the files of a folder', () => {
  const POOLED = ['tokenizer.json', 'modules.json', '1_Pooling/config.json']
  it.each([
    ['a table of words', ['tokenizer.json', 'model.safetensors'], 'model.safetensors'],
    ['a table that is exported, too', ['tokenizer.json', 'model.safetensors', 'onnx/model.onnx'], 'model.safetensors'],
    ['an encoder by its weights alone', [...POOLED, 'model.safetensors'], undefined],
    ['an export beside them', [...POOLED, 'model.safetensors', 'onnx/model.onnx'], 'onnx/model.onnx of an encoder'],
    ['bytes', [...POOLED, 'onnx/model.onnx', 'onnx/model_quantized.onnx'], 'onnx/model_quantized.onnx of an encoder'],
    ['an export beside its tokenizer', ['tokenizer.json', 'model.onnx'], 'model.onnx of an encoder'],
    ['an export alone', ['model.onnx'], undefined],
    ['nothing', [], undefined],
  ])('%s', (_, there, expected) => {
    const found = modelFilesAmong(new Set(there))
    expect(found && found.model + (found.isEncoder ? ' of an encoder' : '')).toBe(expected)
  })
})
