/** Replaces `hysnappy`: the content security policy refuses WebAssembly. */

import { snappyUncompress } from 'hyparquet'

export { snappyUncompress }

export function snappyUncompressor() {
  return (input: Uint8Array, length: number): Uint8Array => {
    const output = new Uint8Array(length)
    snappyUncompress(input, output)
    return output
  }
}
