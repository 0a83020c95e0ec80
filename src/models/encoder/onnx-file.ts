/** Writes an ONNX model as Protocol Buffers messages. The numbers of their fields are those of `onnx.proto`. */

/** Codes of number types in ONNX. */
export const FLOAT = 1
export const INT8 = 3
export const INT32 = 6
export const INT64 = 7

/** The domain of the operators that ONNX Runtime adds to ONNX. */
export const MICROSOFT_DOMAIN = 'com.microsoft'

export interface GraphNode {
  readonly type: string
  /** The set of operators. Default: the operators of ONNX itself. */
  readonly domain?: string
  readonly inputs: readonly string[]
  readonly output: string
  /** A `bigint` is an integer, a `number` a float. */
  readonly attributes?: Readonly<Record<string, number | bigint>>
}

export interface Weights {
  readonly name: string
  readonly type: number
  readonly dims: readonly number[]
  readonly numbers: Float32Array | Int8Array
}

/** An input or output, with the number of its dimensions. */
type GraphValue = Pick<Weights, 'name' | 'type'> & { readonly axes: number }

interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly weights: readonly Weights[]
  readonly inputs: readonly GraphValue[]
  readonly outputs: readonly GraphValue[]
}

/** Versions of the format and of the set of operators. All current runtimes support them. */
const FORMAT_VERSION = 8n
const OPSET = 17n

export function writeOnnx({ nodes, weights, inputs, outputs }: Graph): Uint8Array {
  const graph = Buffer.concat([
    ...nodes.map((node) => field(1, writeNode(node))),
    field(2, 'encoder'),
    ...weights.map((weight) => field(5, writeTensor(weight))),
    ...inputs.map((value) => field(11, writePort(value))),
    ...outputs.map((value) => field(12, writePort(value))),
  ])
  const operators = [field(8, field(2, OPSET)), field(8, Buffer.concat([field(1, MICROSOFT_DOMAIN), field(2, 1n)]))]
  return Buffer.concat([field(1, FORMAT_VERSION), ...operators, field(7, graph)])
}

function writeNode({ type, domain, inputs, output, attributes = {} }: GraphNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => field(1, name)),
    field(2, output),
    field(4, type),
    ...Object.entries(attributes).map(([name, value]) => {
      const isWhole = typeof value === 'bigint'
      return field(5, Buffer.concat([field(1, name), field(isWhole ? 3 : 2, value), field(20, isWhole ? 2n : 1n)]))
    }),
    ...(domain ? [field(7, domain)] : []),
  ])
}

function writeTensor({ name, type, dims, numbers: { buffer, byteOffset, byteLength } }: Weights): Buffer {
  const lengths = dims.map((length) => field(1, BigInt(length)))
  const data = Buffer.from(buffer, byteOffset, byteLength)
  return Buffer.concat([...lengths, field(2, BigInt(type)), field(8, name), field(9, data)])
}

function writePort({ name, type, axes }: GraphValue): Buffer {
  const shape = Array.from({ length: axes }, (_, at) => field(1, field(2, `${name}_${at}`)))
  const tensor = Buffer.concat([field(1, BigInt(type)), field(2, Buffer.concat(shape))])
  return Buffer.concat([field(1, name), field(2, field(1, tensor))])
}

/** A field of a message: an integer, a float, a text, or a message. */
function field(number: number, value: bigint | number | string | Buffer): Buffer {
  if (typeof value === 'bigint') return Buffer.concat([varint(BigInt(number << 3)), varint(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatLE(value)
    return Buffer.concat([varint(BigInt((number << 3) | 5)), bytes])
  }
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes])
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (let remaining = value; ; remaining >>= 7n) {
    if (remaining < 0x80n) return Buffer.from([...bytes, Number(remaining)])
    bytes.push(Number(remaining & 0x7fn) | 0x80)
  }
}
