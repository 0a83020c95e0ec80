/** Draws docs/images/terminal.svg: what `ambit demo` shows in a terminal of 80 columns. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

const LINE = 19
const CELL = 8.4
const PAD = 16

const COLOURS: Readonly<Record<number, string>> = {
  31: '#f47067',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
}

interface Look {
  readonly bold?: boolean
  readonly dim?: boolean
  readonly colour?: string
}

/** `printed`: lines, which may have control sequences of colours, but no others. `columns`: the width of the terminal. */
function terminalPicture(printed: string, columns: number): string {
  const lines = printed
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
  const width = Math.ceil(columns * CELL + 2 * PAD)
  const height = lines.length * LINE + 2 * PAD
  const texts = lines.map((line, index) => `<text y="${PAD + (index + 0.75) * LINE}">${spans(line)}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>A terminal</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3">
${texts.join('\n')}
</g>
</svg>
`
}

const SEQUENCE = /\u001b\[(\d*)m/g

/** The rows of the terminal that a line takes. */
function wrapLine(line: string, columns: number): readonly string[] {
  const plain = line.replace(SEQUENCE, '')
  if (plain.length <= columns) return [line]
  if (plain !== line) throw new Error(`A line with colours is wider than the terminal: ${plain}`)
  return plain.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []
}

function spans(line: string): string {
  let look: Look = {}
  let column = 0
  return line
    .split(/(\u001b\[\d*m)/)
    .map((part) => {
      const code = part.match(/^\u001b\[(\d*)m$/)?.[1]
      if (code !== undefined) {
        look = applyCode(look, Number(code))
        return ''
      }
      if (part.includes('\u001b')) throw new Error('The output has a control sequence that is not a colour.')
      if (part.trim() === '') {
        column += part.length
        return ''
      }
      const at = PAD + column * CELL
      column += part.length
      return `<tspan x="${at.toFixed(1)}"${attributes(look)}>${escaped(part)}</tspan>`
    })
    .join('')
}

function applyCode(look: Look, code: number): Look {
  if (code === 0) return {}
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, dim: true }
  if (code === 22) return { ...look, bold: false, dim: false }
  if (code === 39) return { bold: look.bold ?? false, dim: look.dim ?? false }
  const colour = COLOURS[code]
  if (colour === undefined) throw new Error(`There is no colour ${code}.`)
  return { ...look, colour }
}

function attributes({ bold, dim, colour }: Look): string {
  const fill = colour ?? (dim ? '#8b949e' : undefined)
  return `${bold ? ' font-weight="bold"' : ''}${fill ? ` fill="${fill}"` : ''}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0')
}

const command = `stty cols 80; '${process.execPath}' '${join(ROOT, 'dist/cli/bin.js')}' demo`
const env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color' }
const printed = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' })
writeFileSync(join(ROOT, 'docs/images/terminal.svg'), terminalPicture(printed.replaceAll('\r\n', '\n'), 80))
