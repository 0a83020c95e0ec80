/** Writes a BERT encoder as ONNX from its weights, so that a folder of sentence-transformers needs no export. */

import { invalidInput } from '../../core/errors.ts'
import type { Tensor } from '../static/safetensors.ts'
import { FLOAT, type GraphNode, INT8, INT32, INT64, MICROSOFT_DOMAIN, type Weights, writeOnnx } from './onnx-file.ts'

/** Fields of an encoder's `config.json`. */
export type BertConfig = Readonly<Record<'layers' | 'heads' | 'epsilon', number>>

/** The largest integer of a weight: with 7 bits, sums do not overflow on processors without VNNI. */
const MAX_WEIGHT = 63

/**
 * The bytes of the ONNX model. Its inputs are `input_ids`, `attention_mask` and `position_ids`, its output is
 * `last_hidden_state`. Matrices are quantized to bytes, with a scale for each column.
 *
 * @throws ContextError `invalid-input` if a weight is missing.
 */
export async function writeBert(tensors: ReadonlyMap<string, Tensor>, config: BertConfig): Promise<Uint8Array> {
  const graph = new BertGraph(tensors, config)
  await graph.embed()
  for (let layer = 0; layer < config.layers; layer++) await graph.addLayer(`encoder.layer.${layer}`)
  return graph.write()
}

class BertGraph {
  readonly #tensors: ReadonlyMap<string, Tensor>
  readonly #config: BertConfig
  readonly #nodes: GraphNode[] = []
  readonly #weights: Weights[] = []
  /** Name of the newest output, the input of the next layer. */
  #last = ''

  constructor(tensors: ReadonlyMap<string, Tensor>, config: BertConfig) {
    this.#tensors = tensors
    this.#config = config
  }

  async embed(): Promise<void> {
    const words = await this.#read('embeddings.word_embeddings.weight')
    const { bytes, scales } = quantizeRows(words.numbers, words.columns)
    this.#weights.push(
      { name: 'words', type: INT8, dims: [words.rows, words.columns], numbers: bytes },
      { name: 'word_scales', type: FLOAT, dims: [words.rows, 1], numbers: scales },
    )
    const positions = await this.#read('embeddings.position_embeddings.weight')
    // All tokens have type 0.
    const types = await this.#read('embeddings.token_type_embeddings.weight')
    const positionWeights = positions.numbers.map((value, at) => value + (types.numbers[at % positions.columns] ?? 0))
    this.#addFloats('positions', [positions.rows, positions.columns], positionWeights)
    this.#add('Gather', ['words', 'input_ids'], 'word_bytes')
    this.#add('Cast', ['word_bytes'], 'word_numbers', { to: BigInt(FLOAT) })
    this.#add('Gather', ['word_scales', 'input_ids'], 'scales')
    this.#add('Mul', ['word_numbers', 'scales'], 'word')
    this.#add('Gather', ['positions', 'position_ids'], 'place')
    this.#add('Cast', ['attention_mask'], 'mask', { to: BigInt(INT32) })
    this.#add('Add', ['word', 'place'], 'embedded')
    await this.#normalize('embeddings.LayerNorm', 'embedded')
  }

  async addLayer(name: string): Promise<void> {
    const input = this.#last
    // One after another, so that the same weights always give the same bytes.
    const query = await this.#multiply(`${name}.attention.self.query`, input)
    const key = await this.#multiply(`${name}.attention.self.key`, input)
    const value = await this.#multiply(`${name}.attention.self.value`, input)
    const heads = { num_heads: BigInt(this.#config.heads) }
    const attended = `${name}.attended`
    this.#add('MultiHeadAttention', [query, key, value, '', 'mask'], attended, heads)
    await this.#addResidual(`${name}.attention.output`, attended, input)
    const attentionOutput = this.#last
    const intermediate = await this.#multiply(`${name}.intermediate.dense`, attentionOutput)
    this.#add('Gelu', [intermediate], `${name}.active`)
    await this.#addResidual(`${name}.output`, `${name}.active`, attentionOutput)
  }

  write(): Uint8Array {
    this.#add('Identity', [this.#last], 'last_hidden_state')
    const inputs = ['input_ids', 'attention_mask', 'position_ids'].map((name) => ({ name, type: INT64, axes: 2 }))
    const outputs = [{ name: 'last_hidden_state', type: FLOAT, axes: 3 }]
    return writeOnnx({ nodes: this.#nodes, weights: this.#weights, inputs, outputs })
  }

  /** Multiplies a value with a matrix, adds the input of the layer, and normalizes the sum. */
  async #addResidual(name: string, value: string, input: string): Promise<void> {
    const product = await this.#multiply(`${name}.dense`, value)
    this.#add('Add', [product, input], `${name}.sum`)
    await this.#normalize(`${name}.LayerNorm`, `${name}.sum`)
  }

  async #normalize(name: string, value: string): Promise<void> {
    for (const weights of ['weight', 'bias']) {
      const { numbers } = await this.#read(`${name}.${weights}`)
      this.#addFloats(`${name}.${weights}`, [numbers.length], numbers)
    }
    this.#last = `${name}.out`
    const { epsilon } = this.#config
    this.#add('LayerNormalization', [value, `${name}.weight`, `${name}.bias`], this.#last, { epsilon })
  }

  /** Multiplies with a matrix, which ONNX needs transposed, and adds a bias. Returns the name of the output. */
  async #multiply(name: string, value: string): Promise<string> {
    const { numbers, rows, columns } = await this.#read(`${name}.weight`)
    const { bytes, scales } = quantizeRows(numbers, columns)
    const transposed = new Int8Array(bytes.length)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        transposed[column * rows + row] = bytes[row * columns + column] ?? 0
    this.#weights.push({ name: `${name}.bytes`, type: INT8, dims: [columns, rows], numbers: transposed })
    this.#addFloats(`${name}.scales`, [rows], scales)
    const bias = await this.#read(`${name}.bias`)
    this.#addFloats(`${name}.bias`, [rows], bias.numbers)
    const inputs = [value, `${name}.bytes`, `${name}.scales`, '', `${name}.bias`]
    this.#add('DynamicQuantizeMatMul', inputs, `${name}.product`)
    return `${name}.product`
  }

  #add(type: string, inputs: readonly string[], output: string, attributes: GraphNode['attributes'] = {}): void {
    const domain = MICROSOFT_OPERATORS.includes(type) && { domain: MICROSOFT_DOMAIN }
    this.#nodes.push({ type, inputs, output, attributes, ...domain })
  }

  #addFloats(name: string, dims: readonly number[], numbers: Float32Array): void {
    this.#weights.push({ name, type: FLOAT, dims, numbers })
  }

  async #read(name: string) {
    // Some files prefix the names with the name of the model.
    const tensor = ['', 'bert.', 'roberta.'].map((start) => this.#tensors.get(start + name)).find((one) => one)
    if (!tensor) throw invalidInput(`The weights lack ${name}: it is not a BERT model.`, EXPORT_HINT)
    return { rows: tensor.rows, columns: tensor.columns, numbers: await tensor.readAll() }
  }
}

export const EXPORT_HINT =
  'Export it to ONNX in Python: SentenceTransformer("MODEL", backend="onnx").save_pretrained("FOLDER").'

const MICROSOFT_OPERATORS = ['MultiHeadAttention', 'DynamicQuantizeMatMul', 'Gelu']

function quantizeRows(numbers: Float32Array, columns: number) {
  const bytes = new Int8Array(numbers.length)
  const scales = new Float32Array(numbers.length / columns)
  for (let row = 0; row < scales.length; row++) {
    const from = row * columns
    let largest = 0
    for (let at = from; at < from + columns; at++) largest = Math.max(largest, Math.abs(numbers[at] ?? 0))
    const scale = largest / MAX_WEIGHT || 1
    scales[row] = scale
    for (let at = from; at < from + columns; at++) bytes[at] = Math.round((numbers[at] ?? 0) / scale)
  }
  return { bytes, scales }
}
