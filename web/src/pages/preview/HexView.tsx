import { counted, numberOf, sizeOf } from '../../ui/format.ts'
import { Code } from './Code.tsx'
import { hexLines } from './data/hex.ts'

/** Bytes that are shown. */
const MOST = 65_536

/** The bytes of a file that is nothing that can be shown otherwise. */
export function HexView({ bytes, total }: { readonly bytes: Uint8Array; readonly total: number | undefined }) {
  const shown = bytes.subarray(0, MOST)
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-xs text-ink-3 tabular-nums">
        Not text: {total === undefined ? 'binary data' : total < 1000 ? counted(total, 'byte') : sizeOf(total)}
        {(total ?? bytes.length) > MOST && `, of which the first ${numberOf(MOST)} bytes are shown`}
      </p>
      <Code text={hexLines(shown)} language="" hasNumbers={false} />
    </>
  )
}
