/** Bytes of a line. */
const LINE = 16

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
