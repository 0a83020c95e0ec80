import type { JsonSchema, SchemaOf } from './answer.ts'
import type { Scope, Toolset } from './choices.ts'
import type { Run } from './flow.ts'
import type { InputFields } from './input.ts'
import type { AnswerAccount } from './ledger.ts'

/** The inputs of an operation, which every surface validates and describes. */
export interface Schema<Value> {
  /** The inputs by name. A server passes no input to the operation that is not in this list. */
  readonly fields: InputFields
  /** @throws ContextError `invalid-input`, which names the invalid input and the problem. */
  parse(value: unknown): Value
  json(): JsonSchema
}

/** Scope that an operation needs. */
export function scopeOf({ scope, effect }: { readonly scope?: Scope; readonly effect: 'read' | 'write' }): Scope {
  return scope ?? effect
}

/** Fields that operations and services have in common. */
interface CommandFields<Input> {
  /** Words with dots between them: `load`, `collections.add`. */
  readonly name: string
  /** The words of a command line. Default: `collection add` for the name `collections.add`. */
  readonly command?: string
  /** One sentence without a full stop. */
  readonly summary: string
  /**
   * Names of inputs that a command line takes without a flag, in order. The last may be a list. If the last is required and there are fewer words
   * than names, the words fill the last names.
   */
  readonly positional?: readonly string[]
  /** Valid command lines, each with its purpose. */
  readonly examples: Readonly<Record<string, string>>
  readonly input: Schema<Input>
}

/** A command that holds a terminal or a port until it ends. Only the command line offers it, and runs it by `name`. */
export interface ServiceCommand<Name extends string, Input> extends CommandFields<Input> {
  readonly name: Name
  /** What the command holds: the terminal of a person, the stdin and stdout of a program, or a port. */
  readonly holds: 'terminal' | 'stdio' | 'port'
  /** What `--json` prints, as a text for the help. Absent: the command has no option `--json`. */
  readonly json?: string
  /** The command ignores unknown options and words, and lacks the options that all other commands share. */
  readonly isLenient?: true
}

/** An operation as a tool of MCP. Every model gets the list of tools, so texts are short. */
export interface OperationTool<Output> {
  readonly name: string
  readonly set: Toolset
  /** Says what the tool returns, and when to call the tool. */
  readonly about: string
  /** The descriptions of the tool's inputs, by the names of inputs of the operation, in order. */
  readonly inputs: Readonly<Record<string, string>>
  /** Defaults of inputs, by name. They replace the defaults of the operation. */
  readonly preset?: Readonly<Record<string, unknown>>
  /**
   * Maximum tokens of the answer, unless a call has another `budget`. A tool with a budget answers with a framed text only; a tool without a budget
   * answers with structured data, and its text is the same data as JSON.
   */
  readonly budget?: number
  /** A session gets each text once, unless the call has `fresh`. */
  readonly isOnce?: true
  /** Maximum bytes of an answer with structured data. */
  readonly most?: number
  /** Whether the tool may destroy data. Default: no. */
  readonly destructive?: true
  /** The tool changes no existing data, so clients without permission to write may call it, too. */
  readonly isAdditive?: true
  /** Metadata for clients beside a text: counts, the digest, and what was cut. */
  meta?(output: Output, text: string): object
  /** The part of a structured answer that a client gets. Default: all. */
  data?(output: Output): object
}

/** An action of the product, such as `load`. Each surface (command line, MCP, HTTP) loops over the list of actions. */
export interface Operation<Engine, Input, Output> extends CommandFields<Input> {
  readonly effect: 'read' | 'write'
  /** Scope that a client of a server needs. Default: `effect`. */
  readonly scope?: Scope
  /** Offers the operation to clients of MCP. Absent: they do not get the operation. */
  readonly tool?: OperationTool<Output>
  /** The schema of the output for programs. Tests compare real answers with the schema. */
  output(): SchemaOf<Output>
  run(engine: Engine, input: Input, run: Run): Promise<NoInfer<Output>>
  /** As `run`, for an input that a person typed: also refuses likely mistakes. Default: `run`. */
  runTyped?(engine: Engine, input: Input, run: Run): Promise<NoInfer<Output>>
  /** The answer as bytes of any kind and length: for the command line without `--json`, if stdout is not a terminal. */
  bytes?(engine: Engine, input: Input, run: Run): AsyncIterable<Uint8Array>
  /** The output for a person. `input`: absent if the caller does not know it. */
  text(output: Output, input?: Input): string
  /**
   * Changes the input for a surface that shows only the text, so that the answer lacks the fields that only programs
   * read. `isExplained`: whether the surface also shows the ledger.
   */
  forText?(input: Input, isExplained: boolean): Input
  /** The output with its ledger, for a surface that can show the ledger beside the text. */
  explained?(output: Output): AnswerAccount
  /** A line on stderr before the text. */
  about?(output: Output, input?: Input): string | undefined
  /** Notices for the person: sentences. */
  notices?(output: Output, input?: Input): readonly string[]
  /** The operation takes long, and reports progress. */
  readonly hasProgress?: boolean
  /** The operation needs exclusive access to the database, so only a command line offers it. */
  readonly isAlone?: boolean
  /**
   * Whether a surface shows a person what the operation would write, and asks before it writes. `plan`: the output of a
   * run that writes nothing; absent before such a run. A plan without a change needs no question. Default: false.
   */
  asks?(input: Input, plan?: Output): boolean
  /**
   * A question that a person must confirm before the operation runs; undefined if there is nothing to confirm, as with the input `yes`. Without a
   * person, `run` throws.
   */
  confirms?(engine: Engine, input: Input): Promise<string | undefined>
  /** Whether a script should stop at this outcome: exit code 1. Default: never. */
  failed?(output: Output, input?: Input): boolean
}
