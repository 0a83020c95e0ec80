import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { makeTemporaryDirectory } from '../../files/file-version.ts'
import { readAssetTexts } from '../../files/home.ts'
import type { ServiceInput } from '../../operations/index.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { INTERRUPTED, type Stream, type Streams, streamsOf } from './streams.ts'
import { styleOf } from './table.ts'

export interface DemoParts {
  /** Whether colour is refused. */
  readonly plain: boolean
  /** Runs one command line of the program, with the database in `home`. Returns the exit code. */
  run(argv: readonly string[], environment: DemoEnvironment): Promise<number>
}

/** The environment of a command of the demo. */
export interface DemoEnvironment {
  /** Absolute path of the folder for the database and the state. */
  readonly home: string
  /** Text on stdin. */
  readonly stdin: string
  readonly streams: Streams
}

const TOUCHED_FILE = 'packages/api/src/refund.ts'

interface DemoStep {
  /** A sentence about what the step shows. Default: the step continues the step before. */
  readonly about?: string
  /** The line to type: commands joined by `&&`. Only the output of the last command is shown. */
  readonly line: string
  /** Maximum number of lines of output. */
  readonly maxLines: number
  /** Selects the shown part of the output. Default: all. */
  selectShown?(output: string): string
}

const DEMO_STEPS: readonly DemoStep[] = [
  {
    about: 'Codex and Claude do not load the rules beside the file that they edit:',
    line: `ambit diff --profile codex,claude,gemini --touched ${TOUCHED_FILE}`,
    maxLines: 6,
    selectShown: verdictsOf,
  },
  {
    about: 'With the hook, these rules arrive as soon as Codex touches that file:',
    line: 'ambit hook codex < touch.json',
    maxLines: 5,
    selectShown: hookText,
  },
  {
    about: 'What should an agent read for a task, in 2,000 tokens?',
    line: 'ambit task "Two refunds can be more than the charge" --budget 2000',
    maxLines: 8,
  },
  {
    about: 'Search the documents, and ask them, without a model or a key:',
    line: 'ambit collection add docs docs && ambit index && ambit search "payments fail"',
    maxLines: 4,
  },
  { line: 'ambit ask "How long may a customer return an order?"', maxLines: 4 },
]

/** Selects the verdict on each agent, and the reason why the agent misses the rule. */
function verdictsOf(output: string): string {
  const lines = output.split('\n')
  // On a terminal, the head of the table has colours.
  const tableAt = lines.findIndex((line) => /^file\s/.test(stripVTControlCharacters(line)))
  const verdicts = lines.slice(0, tableAt)
  return verdicts.filter((line) => /^\S/.test(line) || line.includes('packages/api/AGENTS.md:')).join('\n')
}

/** Shows what Ambit does, in a project that is created for the demo and removed afterwards. Returns the exit code. */
export async function demo({ keep }: ServiceInput<'demo'>, { plain, run }: DemoParts): Promise<number> {
  const { out } = streamsOf(plain)
  const home = makeTemporaryDirectory('demo')
  // Removed at the exit of the process, because a reader that closes the pipe (`| head`) ends the process.
  if (!keep) process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
  const shop = join(home, 'shop')
  writeShop(shop)
  process.chdir(shop)
  const style = styleOf(out.display)
  for (const [index, step] of DEMO_STEPS.entries()) {
    const about = step.about === undefined ? '' : `${index === 0 ? '' : '\n'}${style.dim(`# ${step.about}`)}\n`
    out.draw(`${about}$ ${style.bold(step.line)}\n`)
    const { output, code } = await runLine(step.line, home, !plain && out.isTerminal, run)
    const text = (step.selectShown?.(output) ?? output).replaceAll(`${shop}/`, '')
    out.draw(firstLines(text, step.maxLines, style.dim))
    if (code !== 0) return code
  }
  const nextCommand = `cd ${quoteShell(shop)} && export AMBIT_DB=${quoteShell(join(home, 'ambit.db'))}`
  const removeCommand = `rm -r ${quoteShell(home)}`
  out.draw(
    keep
      ? `\nContinue there: ${style.bold(nextCommand)}\nRemove it later: ${style.bold(removeCommand)}\n`
      : `\nNow in your project: ${style.bold('ambit diff')}, and for the hook ${style.bold('ambit init --agent codex')}\n`,
  )
  return 0
}

function writeShop(folder: string): void {
  const event = { session_id: 'demo', hook_event_name: 'PostToolUse', cwd: folder }
  const touch = JSON.stringify({ ...event, tool_name: 'Bash', tool_input: { command: `cat ${TOUCHED_FILE}` } })
  for (const [path, text] of [...readAssetTexts('shop.txt'), ['touch.json', `${touch}\n`] as const]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Runs the commands of a line. Returns the output and the exit code of the last command that ran. */
async function runLine(line: string, home: string, hasColour: boolean, run: DemoParts['run']) {
  let [output, code] = ['', 0]
  for (const command of line.split(' && ')) {
    output = ''
    const [words = '', inputFile] = command.split(' < ')
    const out = captureStream({ isTerminal: true, plain: !hasColour, columns: 80 }, (text) => {
      output += text
    })
    const err = captureStream({ isTerminal: false, plain: true, columns: undefined }, () => {})
    const stdin = inputFile === undefined ? '' : readFileSync(inputFile, 'utf8')
    code = await run(commandLineWords(words), { home, stdin, streams: { out, err, canAsk: false } })
    if (code !== 0) break
  }
  return { output, code }
}

function captureStream(display: Stream['display'], receive: (text: string) => void): Stream {
  return { isTerminal: display.isTerminal, display, write: receive, draw: receive, bytes: async () => {} }
}

/** The words of a command line after the first word, `ambit`. Quoted words may contain blanks. */
function commandLineWords(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, quoted]) => quoted ?? word).slice(1)
}

/** The text that the agent passes to its model, without the frame: the first line, and the last two lines. */
function hookText(output: string): string {
  const { hookSpecificOutput } = JSON.parse(output)
  return String(hookSpecificOutput.additionalContext).split('\n').slice(1, -2).join('\n')
}

/** The first non-blank lines of a text, with the number of omitted lines. */
function firstLines(text: string, maxLines: number, dim: (text: string) => string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const omission = dim(`… ${lines.length - maxLines + 1} more lines`)
  const shown = lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), omission]
  return shown.map((line) => `${line}\n`).join('')
}
