import { pathToFileURL } from 'node:url'
import { asContextError, ContextError, hintOf, UsageError } from '../../core/errors.ts'
import { type Run, SILENT } from '../../core/flow.ts'
import type { AnswerAccount } from '../../core/ledger.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyCommand, AnyOperation, ServiceInput, ServiceName } from '../../operations/index.ts'
import { commandWords } from '../../operations/schema.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { serializeVisibly } from '../../text/invisible.ts'
import { type ParsedCommand, parseCommandLine } from './arguments.ts'
import { type EngineOpener, type Flags, splitGlobals, wantsJson, withAliases, withEngine } from './command.ts'
import { INTERRUPTED, type Streams, streamsOf } from './streams.ts'

/** Runs a service to its end. Returns the exit code. */
export type ServiceRunner<Name extends ServiceName> = (input: ServiceInput<Name>, flags: Flags) => Promise<number>

export type ServiceRunners = { readonly [Name in ServiceName]: ServiceRunner<Name> }

export interface CliParts {
  /** The arguments after the interpreter and the script. */
  readonly argv: readonly string[]
  readonly commands: readonly AnyCommand[]
  /** Operations under older names. Default: none. */
  readonly aliases?: readonly AnyOperation[]
  /** Runners of the services among the commands. */
  readonly runners: Partial<ServiceRunners>
  /** Whether to show stack traces. */
  readonly debug: boolean
  /** Whether to print without colour, even on a terminal. */
  readonly plain: boolean
  readonly open: EngineOpener
  /** Output streams. Default: stdout and stderr of the process. */
  readonly streams?: Streams
}

/** Exit codes: success; failure, or findings of a check; wrong usage. After Ctrl-C: `INTERRUPTED`. */
const DONE = 0
const FAILED = 1
const USAGE = 2

/** Runs one command line. The result goes to stdout, everything else to stderr. Returns the exit code. */
export async function runCli(parts: CliParts): Promise<number> {
  const { argv, runners, debug, plain, open, aliases = [], streams = streamsOf(plain) } = parts
  const commands = withAliases(argv, parts.commands, aliases)
  let parsed: ParsedCommand | undefined
  try {
    const exitCode = await runBuiltIn({ argv, commands, open }, streams)
    if (exitCode !== undefined) return exitCode
    parsed = parseCommandLine(argv, commands)
    const { command, input, flags } = parsed
    if ('holds' in command) return await (runners[command.name] as ServiceRunner<ServiceName>)(input as never, flags)
    return await withEngine(open, flags, (engine) => execute({ operation: command, input, flags }, engine, streams))
  } catch (error) {
    const code = reportError(withResumeHint(error, parsed?.command), wantsJson(argv), streams)
    if (debug) streams.err.write(`${error instanceof Error ? error.stack : error}\n`)
    return isServiceUsageError(error, parsed?.command) ? USAGE : code
  }
}

/**
 * Whether an error of a service is a usage error, which means invalid input. A service that holds a terminal, such as a
 * chat, reports invalid input as a failure, because the place of a conversation may be invalid.
 */
function isServiceUsageError(error: unknown, command: AnyCommand | undefined): boolean {
  if (command === undefined || !('holds' in command) || command.holds === 'terminal') return false
  return error instanceof ContextError && error.code === 'invalid-input'
}

interface OperationCall extends Pick<ParsedCommand, 'input' | 'flags'> {
  readonly operation: AnyOperation
}

/** Runs help, version and completions, and returns the exit code; undefined for other commands. */
async function runBuiltIn({ argv, commands, open }: Pick<CliParts, 'argv' | 'commands' | 'open'>, streams: Streams) {
  const { words } = splitGlobals(argv)
  const [first = argv.length === 0 ? '--help' : ''] = words
  if (['--version', '-v', '-V'].includes(first)) {
    return printText(`${(await import('./version.ts')).version()}\n`, streams)
  }
  if (first === 'completion' && !asksForHelp(words)) {
    const { completedNames, completion } = await import('./completion.ts')
    const [, shell, kind = ''] = words
    if (shell !== 'names') return printText(completion(words.slice(1), commands), streams)
    return printText(await withEngine(open, {}, (engine) => completedNames(kind, commands, engine)), streams)
  }
  if (first !== 'help' && !asksForHelp(argv)) return undefined
  streams.out.draw((await import('./help.ts')).help(words, commands, streams.out.display))
  return DONE
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const options = end === -1 ? argv : argv.slice(0, end)
  return options.length === 0 || options.some((word) => word === '--help' || word === '-h')
}

function printText(text: string, streams: Streams): number {
  streams.out.write(text)
  return DONE
}

async function execute(command: OperationCall, engine: Engine, streams: Streams): Promise<number> {
  const { operation, flags } = command
  const progress = operation.hasProgress
    ? new (await import('./progress.ts')).ProgressLine(streams, flags.json)
    : undefined
  const run = { ...cancellableRun(operation), ...(progress && { emit: progress.emit }) }
  const input = await confirmInput(command, engine, streams)
  if (!input) return printText('Nothing was written.\n', streams)
  const isExplained = flags.explain || streams.err.isTerminal
  const request = flags.json ? input : (operation.forText?.(input, isExplained) ?? input)
  if (operation.bytes && !flags.json && !streams.out.isTerminal) {
    for await (const bytes of operation.bytes(engine, request, run)) await streams.out.bytes(bytes)
    return DONE
  }
  const running = operation.runTyped ? operation.runTyped(engine, request, run) : operation.run(engine, request, run)
  const output = await running.finally(() => progress?.end())
  if (flags.json) printJson(output, streams)
  else await printOutput(command, output, streams)
  return operation.failed?.(output, request) ? FAILED : DONE
}

/** Prints JSON on stdout. Prints a notice about an ambiguous place also on stderr. */
function printJson(output: unknown, streams: Streams): void {
  streams.out.write(`${serializeVisibly(output)}\n`)
  const { choice, notice } = Object(output) as { readonly choice?: unknown; readonly notice?: unknown }
  const message = choice ?? notice
  if (typeof message === 'string') streams.err.write(`${oneLine(message)}\n`)
}

/**
 * Asks the person to confirm. Before a write, shows what would be written. Returns the input to continue with; undefined if the
 * person declines a write. If the person declines anything else, or nobody can be asked, the operation itself refuses.
 */
async function confirmInput({ operation, input, flags }: OperationCall, engine: Engine, streams: Streams) {
  if (flags.json || !streams.canAsk) return input
  if (operation.asks?.(input) && input.write === undefined) {
    const plan = await operation.run(engine, input, SILENT)
    if (!operation.asks(input, plan)) return input
    streams.err.write(`${operation.text(plan)}\n`)
    return (await askPerson('Write this?')) ? { ...input, write: true } : undefined
  }
  const question = await operation.confirms?.(engine, input)
  return question !== undefined && (await askPerson(question)) ? { ...input, yes: true } : input
}

async function askPerson(question: string): Promise<boolean> {
  return (await import('./confirm.ts')).confirm(question)
}

/** Prints an answer: its view on a terminal, else text. The ledger (what was kept, cut and left out) goes to stderr. */
async function printOutput({ operation, input, flags }: OperationCall, output: unknown, streams: Streams) {
  const explained = operation.explained?.(output)
  const isText = explained !== undefined && !flags.explain
  // The module for drawing is loaded only if it may be needed.
  const views = isText || !(streams.out.isTerminal || flags.explain) ? undefined : await import('./views.ts')
  // A report to paste into an issue is not drawn.
  const isPlain = input.report === true || (input.format !== undefined && input.format !== 'table')
  const { isTerminal, display } = streams.out
  const drawn = isTerminal && !isPlain ? views?.drawAnswer(operation.name, output, display) : undefined
  const about = operation.about?.(output, input)
  if (about !== undefined) streams.err.write(`${about}\n`)
  if (drawn !== undefined) streams.out.draw(drawn)
  else streams.out.write(operation.text(output, input))
  for (const notice of operation.notices?.(output, input) ?? []) streams.err.write(`${oneLine(notice)}\n`)
  if (views && explained) streams.err.draw(views.ledgerView(explained, streams.err.display))
  else if (explained)
    streams.err.write(`${loadProblem(explained)}${streams.err.isTerminal ? warningNotice(explained) : ''}`)
}

/** Problems to print even without a terminal: files that did not load, no context, a budget that is too small. */
function loadProblem({ ledger, warnings, overBudget, tokenCount, budget }: AnswerAccount): string {
  const cutRows = ledger.filter(({ why }) => why === 'over-budget')
  const cutTokens = cutRows.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0)
  // Not counted: files that a pass (a step that shortens the context) left out, because they were loaded; and touched
  // paths outside the project, which have no warning.
  const warnedUris = new Set(warnings.map(({ path }) => pathToFileURL(path).href))
  const unloadedRows = ledger.filter(({ decision, pass, uri }) => decision === 'left' && !pass && warnedUris.has(uri))
  const count = unloadedRows.length
  const names = unloadedRows.slice(0, 3).map(({ title }) => oneLine(title))
  const ellipsis = count > names.length ? ' …' : ''
  const lines = [
    count > 0 && `${countNoun(count, 'file')} not loaded: ${names.join(', ')}${ellipsis}; see "ambit explain".`,
    ledger.every(({ why }) => why === 'missing') && NO_CONTEXT,
    tokenCount > 0 &&
      cutRows.length > 0 &&
      `${countNoun(cutRows.length, 'text')} cut by the budget: "ambit explain" names ${cutRows.length === 1 ? 'it' : 'them'}, --budget ${tokenCount + 2 * cutTokens} has all.`,
    overBudget && `The text has ${tokenCount} tokens, the budget ${budget}: the constitution is never cut.`,
  ]
  return lines.map((line) => (line ? `${line}\n` : '')).join('')
}

const NO_CONTEXT = 'There is no context here. "ambit explain" shows where Ambit looked, "ambit init" writes skeletons.'

/** A notice for a person at a terminal about further warnings. */
function warningNotice({ warnings }: AnswerAccount): string {
  if (warnings.length === 0) return ''
  return `${countNoun(warnings.length, 'warning')}: "ambit explain" shows ${warnings.length === 1 ? 'it' : 'them'}.\n`
}

/**
 * Ctrl-C kills a command that only reads, because a handler would have to wait for synchronous work. A command that writes is
 * cancelled, so that no file is half written; a second Ctrl-C kills the command.
 */
function cancellableRun({ effect }: AnyOperation): Run {
  if (effect === 'read') return SILENT
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return { ...SILENT, signal: controller.signal }
}

/** Adds a hint to an error after Ctrl-C: finished work is kept, and the same command continues. */
function withResumeHint(error: unknown, command: AnyCommand | undefined): unknown {
  if (!(error instanceof ContextError && error.code === 'cancelled' && !error.hint && command)) return error
  const hint = `What was done is kept. Continue with: ambit ${commandWords(command).join(' ')}`
  return new ContextError('cancelled', error.message, { hint, cause: error.cause })
}

function reportError(thrown: unknown, json: boolean, streams: Streams): number {
  const error = missingDirectory(thrown) ?? asContextError(thrown)
  const bug = { code: 'internal', message: thrown instanceof Error ? thrown.message : String(thrown), hint: BUG_HINT }
  const { code, message, hint } = error ?? bug
  if (json) streams.err.write(`${serializeVisibly({ error: { code, message, hint: error ? hintOf(error) : hint } })}\n`)
  else streams.err.write(`ambit: ${message}\n${hint ? `${hint}\n` : ''}`)
  if (code === 'cancelled') return INTERRUPTED
  return error instanceof UsageError ? USAGE : FAILED
}

const BUG_HINT = 'This is a bug in Ambit. Run it again with AMBIT_DEBUG=1 and report what it prints.'

/** The error for a current directory that was removed or has a path that is too long; undefined for other errors. */
function missingDirectory(cause: unknown): ContextError | undefined {
  if (!(cause instanceof Error && 'syscall' in cause && cause.syscall === 'uv_cwd')) return undefined
  const message = 'The current directory is gone, or its path is too long.'
  return new ContextError('not-found', message, { hint: 'Change to another directory.', cause })
}
