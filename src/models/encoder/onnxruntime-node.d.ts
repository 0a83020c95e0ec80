/** The types of ONNX Runtime that Ambit uses. The package with the original types is optional. */
declare module 'onnxruntime-node' {
  export interface Session {
    readonly inputNames: readonly string[]
    readonly outputNames: readonly string[]
    run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Output>>>
  }

  export interface Output {
    readonly data: Float32Array
    readonly dims: readonly number[]
  }

  export const Tensor: new (type: 'int64', numbers: BigInt64Array, dims: readonly number[]) => unknown
  export const InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> }
}
