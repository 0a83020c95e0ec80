import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A table as its file holds it: `I8` and so on, with the numbers row after row. */
export interface MadeTable {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly numbers: readonly number[]
}

/** Bytes of one number, and how it is written. `F16` and `BF16` hold numbers that need few bits. */
const WRITERS: Readonly<
  Record<string, readonly [bytes: number, write: (view: DataView, at: number, value: number) => void]>
> = {
  F64: [8, (view, at, value) => view.setFloat64(at, value, true)],
  F32: [4, (view, at, value) => view.setFloat32(at, value, true)],
  F16: [2, (view, at, value) => view.setUint16(at, halfOf(value), true)],
  BF16: [2, (view, at, value) => view.setUint16(at, upperHalfOf(value), true)],
  I64: [8, (view, at, value) => view.setBigInt64(at, BigInt(value), true)],
  I32: [4, (view, at, value) => view.setInt32(at, value, true)],
  I16: [2, (view, at, value) => view.setInt16(at, value, true)],
  I8: [1, (view, at, value) => view.setInt8(at, value)],
  U8: [1, (view, at, value) => view.setUint8(at, value)],
}

function upperHalfOf(value: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  return view.getUint16(0)
}

/** Of powers of two and their sums in the range of the format. */
function halfOf(value: number): number {
  if (value === 0) return 0
  const exponent = Math.floor(Math.log2(Math.abs(value)))
  const fraction = Math.abs(value) / 2 ** exponent - 1
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.round(fraction * 1024)
}

/** A file of tables, in the published format. */
export function safetensors(tables: Readonly<Record<string, MadeTable>>): Buffer {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  const parts: Buffer[] = []
  let at = 0
  for (const [name, { dtype, shape, numbers }] of Object.entries(tables)) {
    const [bytes, write] = WRITERS[dtype] ?? [0, () => {}]
    const part = Buffer.alloc(bytes * numbers.length)
    const view = new DataView(part.buffer, part.byteOffset)
    for (const [index, value] of numbers.entries()) write(view, index * bytes, value)
    header[name] = { dtype, shape, data_offsets: [at, at + part.length] }
    at += part.length
    parts.push(part)
  }
  const json = JSON.stringify(header)
  const padded = Buffer.from(json.padEnd(Math.ceil(json.length / 8) * 8))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(padded.length))
  return Buffer.concat([length, padded, ...parts])
}

/** A tokenizer as BERT has it: lower case, words, and their parts after `##`. */
export function wordPieces(vocabulary: readonly string[]): object {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  }
}

/** A tokenizer as multilingual models have it: pieces with their log probabilities, `▁` for a space. */
export function unigrams(pieces: readonly (readonly [string, number])[]): object {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'NFKC' },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    post_processor: null,
    decoder: null,
    model: { type: 'Unigram', unk_id: 0, vocab: pieces },
  }
}

/** Words with a vector each: the first of two numbers is of vehicles, the second of weather, the third of neither. */
export const WORDS: Readonly<Record<string, readonly [number, number, number]>> = {
  '[UNK]': [9, 9, 9],
  car: [1, 0, 0],
  automobile: [0.75, 0, 0.25],
  engine: [0.5, 0, 0.5],
  rain: [0, 1, 0],
  snow: [0, 0.75, -0.25],
  '##fall': [0, 0.5, 0],
  the: [0, 0, 0.125],
}

export const VOCABULARY = Object.keys(WORDS)

/** The table of the words. */
export function tableOf(dtype = 'F32', scale = 1): MadeTable {
  return {
    dtype,
    shape: [VOCABULARY.length, 3],
    numbers: Object.values(WORDS).flatMap((row) => row.map((value) => value * scale)),
  }
}

/** The files of a model by their paths. */
export function modelFiles(
  tables: Readonly<Record<string, MadeTable>> = { embeddings: tableOf() },
): Record<string, Buffer> {
  return {
    'tokenizer.json': Buffer.from(JSON.stringify(wordPieces(VOCABULARY))),
    'model.safetensors': safetensors(tables),
    'config.json': Buffer.from(JSON.stringify({ model_type: 'model2vec', normalize: true })),
  }
}

export function writeFiles(folder: string, files: Readonly<Record<string, Buffer>>): string {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}
