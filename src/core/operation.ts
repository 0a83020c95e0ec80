import type { JsonSchema, SchemaOf } from './answer.ts'
import type { Scope, Toolset } from './choices.ts'
import type { Run } from './flow.ts'
import type { InputFields } from './input.ts'
import type { Explained } from './ledger.ts'

/** The inputs of an operation: every surface checks them, and describes them. */
export interface Schema<Value> {
  /** Fields of its inputs: a server lets only these through. */
  readonly fields: InputFields
  /** @throws ContextError `invalid-input` that names what is wrong where. */
  parse(value: unknown): Value
  json(): JsonSchema
}

/** Scope that an operation needs. */
export function scopeOf({ scope, effect }: { readonly scope?: Scope; readonly effect: 'read' | 'write' }): Scope {
  return scope ?? effect
}

/** Fields of a command for the command line, help, completion and confinement. */
interface CommandFields<Input> {
  /** Words with dots between them: `load`, `collections.add`. */
  readonly name: string
  /** The words of a command line. Default: those of the name. */
  readonly command?: string
  /** One sentence without a full stop. */
  readonly summary: string
  /**
   * Names of inputs that a command line takes without a flag, in order. The last may be a list. Where it is required and
   * there are fewer words than names, those before it are left out.
   */
  readonly positional?: readonly string[]
  /** Command lines that work, and what each is for. */
  readonly examples: Readonly<Record<string, string>>
  readonly input: Schema<Input>
}

/** A command that holds something until it ends, so that only a command line offers it. The program binds its runner by name. */
export interface ServiceCommand<Name extends string, Input> extends CommandFields<Input> {
  readonly name: Name
  /** A person's terminal; stdin or stdout for a program; a port. */
  readonly holds: 'terminal' | 'stdio' | 'port'
  /** Output with `--json`, for help. Absent: the option is not offered. */
  readonly json?: string
  /** It fails for nothing: options and words that it does not know are passed over, and it takes none of the program's own. */
  readonly isLenient?: true
}

/** How an operation is a tool of MCP. The list of tools is sent to every model: short words. */
export interface OperationTool<Output> {
  readonly name: string
  readonly set: Toolset
  /** Its result, and when to call it. */
  readonly about: string
  /** The inputs that are shown, in order, with what is said of each. */
  readonly inputs: Readonly<Record<string, string>>
  /** Defaults that replace those of the operation, by input. */
  readonly preset?: Readonly<Record<string, unknown>>
  /**
   * Its answer is a text in frames and nothing else, of so many tokens at most unless `budget` says otherwise. Without it the
   * answer is structured, and its text is the same as JSON.
   */
  readonly budget?: number
  /** A session gets each text once, unless `fresh` is asked for. */
  readonly isOnce?: true
  /** Bytes of a structured answer. */
  readonly most?: number
  /** Whether it may destroy data. Default: no. */
  readonly destructive?: true
  /** It writes nothing but what it makes itself, and is there without leave to write. */
  readonly always?: true
  /** Metadata for clients beside a text: counts, the digest, what was cut. */
  meta?(output: Output, text: string): object
  /** The part of a structured answer that is given. Default: all. */
  data?(output: Output): object
}

/** One thing that the product can do, defined once: each surface is a loop over the list of these. */
export interface Operation<Engine, Input, Output> extends CommandFields<Input> {
  readonly effect: 'read' | 'write'
  /** The scope that a client of a server needs. Default: `effect`. */
  readonly scope?: Scope
  /** Offers it to clients of MCP. */
  readonly tool?: OperationTool<Output>
  /** The output as a program sees it. Tests compare real answers with it. */
  output(): SchemaOf<Output>
  run(engine: Engine, input: Input, run: Run): Promise<NoInfer<Output>>
  /** As `run`, for input that a person typed: refuses likely mistakes. Default: `run`. */
  runTyped?(engine: Engine, input: Input, run: Run): Promise<NoInfer<Output>>
  /**
   * The answer as bytes, whatever they are and however many: for a command line whose stdout is not a terminal, where no JSON
   * is asked for.
   */
  bytes?(engine: Engine, input: Input, run: Run): AsyncIterable<Uint8Array>
  /** The output for a person; `input` where the caller has it. */
  text(output: Output, input?: Input): string
  /** The input where only a text is shown, without what only programs read; `isExplained`: the ledger is shown beside it. */
  forText?(input: Input, isExplained: boolean): Input
  /** The ledger that the output holds, for a surface that can show it beside the text. */
  explained?(output: Output): Explained
  /** A line before the text, which stays as it is. */
  about?(output: Output, input?: Input): string | undefined
  /** Notices for the person: sentences. */
  notices?(output: Output, input?: Input): readonly string[]
  /** It takes long, and reports progress. */
  readonly hasProgress?: boolean
  /** It needs the database for itself: a command line offers it, a server does not. */
  readonly isAlone?: boolean
  /** Whether a person is shown what this would write, and asked. Default: no. */
  asks?(input: Input): boolean
  /**
   * A question that a person has to say yes to before it runs, where the input does not say `yes`; undefined where nothing is to be asked.
   * Without a person `run` throws.
   */
  confirms?(engine: Engine, input: Input): Promise<string | undefined>
  /** Whether the outcome is one that a script should stop at. Default: never. */
  failed?(output: Output, input?: Input): boolean
}
