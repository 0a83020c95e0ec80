import { counted, numberOf, sizeOf } from '../../ui/format.ts'
import { Code } from './Code.tsx'

/** Bytes that are shown, and bytes of a line. */
const MOST = 65_536
const LINE = 16

/** The bytes of a file that cannot be shown otherwise. */
export function HexView({ bytes, total }: { readonly bytes: Uint8Array; readonly total: number | undefined }) {
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-xs text-ink-3 tabular-nums">
        Not text: {total === undefined ? 'binary data' : total < 1000 ? counted(total, 'byte') : sizeOf(total)}
        {(total ?? bytes.length) > MOST && `, of which the first ${numberOf(MOST)} bytes are shown`}
      </p>
      <Code text={hexLines(bytes.subarray(0, MOST))} language="" hasNumbers={false} />
    </>
  )
}

/** `00000010  48 65 6c 6c 6f …  Hello`, a line for each 16 bytes. */
export function hexLines(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += LINE) {
    const line = [...bytes.subarray(at, at + LINE)]
    const hex = line.map((byte, index) => `${index === LINE / 2 ? ' ' : ''}${byte.toString(16).padStart(2, '0')}`)
    const letters = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'))
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.join(' ').padEnd(LINE * 3, ' ')}  ${letters.join('')}`)
  }
  return lines.join('\n')
}
