/** Reads tables of numbers in the format of https://github.com/huggingface/safetensors: a JSON header, then bytes. */

import { invalidInput, tryToRead } from '../../core/errors.ts'
import type { Objects } from '../../files/objects.ts'
import { readBytes } from './model-files.ts'

export type Tensor = ReturnType<typeof tensorOf>

interface TensorHeader {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

/** Maximum bytes of a header, set by the format. */
const MAX_HEADER = 100_000_000

/** Bytes of one read. */
const READ_BYTES = 32 * 1024 * 1024

/** For each format: the size of a number in bytes, and a function that reads a number; without it, an array reads all at once. */
const FORMATS: Readonly<Record<string, readonly [bytes: number, read?: (view: DataView, at: number) => number]>> = {
  F64: [8, (view, at) => view.getFloat64(at, true)],
  F32: [4],
  F16: [2, (view, at) => halfToNumber(view.getUint16(at, true))],
  BF16: [2, (view, at) => bfloatToNumber(view.getUint16(at, true))],
  I64: [8, (view, at) => Number(view.getBigInt64(at, true))],
  I32: [4, (view, at) => view.getInt32(at, true)],
  I16: [2, (view, at) => view.getInt16(at, true)],
  I8: [1, (view, at) => view.getInt8(at)],
  U8: [1, (view, at) => view.getUint8(at)],
}

/**
 * The tables of a file, by name.
 *
 * @throws ContextError `invalid-input` for another format; the errors of `Objects.read`.
 */
export async function openTensors(objects: Objects, key: string): Promise<ReadonlyMap<string, Tensor>> {
  const { size } = await objects.head(key)
  const length = Number(viewOf(await readExactly(objects, key, 0, 8)).getBigUint64(0, true))
  if (!(length >= 2 && length <= Math.min(MAX_HEADER, size - 8))) throw formatError(key, 'its header has no length')
  const start = 8 + length
  const headers = parseHeader(await readExactly(objects, key, 8, length), key)
  const tensors = Object.entries(headers).filter(([name]) => name !== '__metadata__')
  return new Map(tensors.map(([name, header]) => [name, tensorOf(objects, key, { name, header, start, size })]))
}

/**
 * A tensor as a table; a one-dimensional tensor has one column. `start`: the byte of the file where the data of all
 * tensors begins. `size`: bytes of the file.
 */
function tensorOf(
  objects: Objects,
  key: string,
  { name, header, start, size }: { name: string; header: TensorHeader; start: number; size: number },
) {
  const { dtype, shape, data_offsets: offsets } = header
  const format = FORMATS[dtype]
  if (!format) throw formatError(key, `${name} has numbers of the kind ${dtype}`)
  const [bytes, read] = format
  const [rows = 0, columns = 1] = shape
  const [from, to] = offsets
  const isValid = Number.isInteger(from) && from >= 0 && to - from === rows * columns * bytes && start + to <= size
  if (shape.length > 2 || !isValid) throw formatError(key, `the offsets of ${name} do not match its shape`)
  const width = columns * bytes
  const numbersOf = (data: Uint8Array) => {
    // The data is little-endian, as x64 and ARM processors are. The copy is aligned; the data need not be.
    if (!read) return new Float32Array(data.slice().buffer)
    const view = viewOf(data)
    return Float32Array.from({ length: data.length / bytes }, (_, at) => read(view, at * bytes))
  }
  const readRows = (row: number, count: number) => readExactly(objects, key, start + from + row * width, count * width)
  return {
    rows,
    columns,
    read: async (indices: readonly number[]): Promise<ReadonlyMap<number, Float32Array>> => {
      const numbersByRow = new Map<number, Float32Array>()
      for (const row of new Set(indices)) numbersByRow.set(row, numbersOf(await readRows(row, 1)))
      return numbersByRow
    },
    /** The numbers of all rows, row after row. */
    readAll: async () => {
      const numbers = new Float32Array(rows * columns)
      const step = Math.max(1, Math.floor(READ_BYTES / width))
      for (let first = 0; first < rows; first += step)
        numbers.set(numbersOf(await readRows(first, Math.min(step, rows - first))), first * columns)
      return numbers
    },
  }
}

function parseHeader(bytes: Uint8Array, key: string): Readonly<Record<string, TensorHeader>> {
  const headers = tryToRead(() => {
    const parsed: Record<string, TensorHeader> = JSON.parse(new TextDecoder().decode(bytes))
    const isValid = Object.entries(parsed).every(([name, header]) => name === '__metadata__' || isHeader(header))
    return isValid ? parsed : undefined
  })
  if (headers) return headers
  throw formatError(key, 'its header cannot be read')
}

function isHeader({ dtype, shape, data_offsets: offsets }: TensorHeader): boolean {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
  return typeof dtype === 'string' && [shape, offsets].every((list) => Array.isArray(list) && list.every(isCount))
}

async function readExactly(objects: Objects, key: string, from: number, length: number): Promise<Uint8Array> {
  const bytes = await readBytes(objects, key, { from, length })
  if (bytes.length !== length) throw formatError(key, 'it is shorter than its header says')
  return bytes
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

/** Converts a 16-bit float: ten bits of fraction, five bits of exponent. */
function halfToNumber(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff]
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

const scratch = new DataView(new ArrayBuffer(4))

/** Converts a bfloat16, which is the upper half of a 32-bit float. */
function bfloatToNumber(bits: number): number {
  scratch.setUint32(0, bits << 16)
  return scratch.getFloat32(0)
}

function formatError(key: string, why: string) {
  return invalidInput(`${key} is not a table of vectors: ${why}.`, 'Give a folder with a model2vec model.')
}
