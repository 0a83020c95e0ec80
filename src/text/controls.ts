/** Matches, in this order: strings up to their terminator (OSC, DCS, SOS, PM, APC), control sequences (CSI), other escapes, single controls. */
const STRING = String.raw`(?:\x1b[\]P^_X]|[\x90\x98\x9d-\x9f])`
const ESCAPES = new RegExp(
  [
    String.raw`${STRING}[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`${STRING}[^\x07\x1b\x80-\x9f\r\n]*`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`,
    String.raw`\x1b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
)
const BIDI = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`
const CONTROLS = new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f${BIDI}]`, 'g')
const UNPRINTABLE = new RegExp(String.raw`[\x00-\x1f\x7f-\x9f\u2028\u2029${BIDI}]`, 'g')
/**
 * Makes a text safe to print to a terminal. Removes escape sequences (a string sequence with its content, an
 * unterminated sequence up to the end of its line), control characters except LF and tab, and bidi controls. CR and
 * CRLF become LF.
 */
export function stripControls(text: string): string {
  return text.replace(ESCAPES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

/** A line of a text for printing, with control characters written as by `oneLine`, except tabs. */
export function textLine(line: string): string {
  return line.split('\t').map(oneLine).join('\t')
}

/** A name on one line, for printing: control characters, line breaks and bidi controls become `\n`, `\t`, `\u{1b}`. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, (char) =>
    /[\n\r\t]/.test(char) ? JSON.stringify(char).slice(1, -1) : `\\u{${char.charCodeAt(0).toString(16)}}`,
  )
}

/** The non-blank lines of a text on one line, with ` · ` between them. */
export function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return oneLine(lines.filter((line) => line !== '').join(' · '))
}
