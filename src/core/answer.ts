/** Declares answers: one declaration gives the JSON Schema and the type. This file uses no library, because every command loads it. */

/** The part of JSON Schema (draft 2020-12) that the product writes and reads. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  /** Placeholder of the value in a help text, such as `PATH`. */
  readonly placeholder?: string
  /** The letter for the input on a command line, as in `-n` for `--limit`. */
  readonly short?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  /** A regular expression of ECMAScript (flag `u`) that must match a part of the text. */
  readonly pattern?: string
  /** Examples of valid values. The error for an invalid text names them. */
  readonly examples?: readonly string[]
  /** The input changes only how an answer is printed. Surfaces that return data (MCP, HTTP) do not offer the input. */
  readonly forText?: true
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

declare const VALUE: unique symbol

/** A schema that carries the type of its values. */
export interface SchemaOf<Value> extends JsonSchema {
  readonly [VALUE]?: Value
}

/** The type of the values of a schema, or of the schema that a function returns. */
export type AnswerOf<Declared> = Declared extends () => SchemaOf<infer Value>
  ? Value
  : Declared extends SchemaOf<infer Value>
    ? Value
    : never

type Properties = Readonly<Record<string, JsonSchema>>

type ObjectOf<All extends Properties> = {
  readonly [Name in keyof All as Name extends `${string}?` ? never : Name]: AnswerOf<All[Name]>
} & { readonly [Name in keyof All as Name extends `${infer Bare}?` ? Bare : never]?: AnswerOf<All[Name]> }

/** An object. Names that end in `?` may be absent. */
export function object<All extends Properties>(
  properties: All,
): SchemaOf<{ [Name in keyof ObjectOf<All>]: ObjectOf<All>[Name] }> {
  const entries = Object.entries(properties)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : [name])),
  }
}

/** One of several objects. The schema has the properties of all objects, and requires the properties that every object requires. */
export function eitherOf<const All extends readonly JsonSchema[]>(...schemas: All): SchemaOf<AnswerOf<All[number]>> {
  const properties = Object.assign({}, ...schemas.map((schema) => schema.properties))
  const isRequired = (name: string) => schemas.every(({ required = [] }) => required.includes(name))
  return { type: 'object', properties, required: Object.keys(properties).filter(isRequired) }
}

export function array<Item extends JsonSchema>(items: Item): SchemaOf<readonly AnswerOf<Item>[]> {
  return { type: 'array', items }
}

/** An object with any names. Each of its values has the schema `item`. */
export function recordOf<Item extends JsonSchema>(item: Item): SchemaOf<Readonly<Record<string, AnswerOf<Item>>>> {
  return { type: 'object', additionalProperties: item }
}

export function oneOf<const Value extends string>(...values: readonly Value[]): SchemaOf<Value> {
  return { type: 'string', enum: values }
}

export function orNull<Value>(schema: SchemaOf<Value>): SchemaOf<Value | null> {
  return { ...schema, type: [schema.type ?? [], 'null'].flat() }
}

export function withDescription<Value>(schema: SchemaOf<Value>, description: string): SchemaOf<Value> {
  return { ...schema, description }
}

/** A text. Its type `Value` is narrower than its schema, which accepts any text. */
export function word<Value extends string>(): SchemaOf<Value> {
  return text as SchemaOf<Value>
}

/** An object without a schema for its properties. */
export function opaque<Value>(): SchemaOf<Value> {
  return { type: 'object' }
}

export const trueOrAbsent: SchemaOf<true> = { type: 'boolean' }
export const text: SchemaOf<string> = { type: 'string' }
export const textOrNull = orNull(text)
export const count: SchemaOf<number> = { type: 'integer' }
export const number: SchemaOf<number> = { type: 'number' }
export const flag: SchemaOf<boolean> = { type: 'boolean' }

/** The schema for programs: without the keywords that only the command line uses, at any depth. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const { placeholder: _, short: __, forText: ___, ...plain } = schema
  const { items, properties, additionalProperties } = plain
  return {
    ...plain,
    ...(items && { items: plainSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schemaOfProperty]) => [name, plainSchema(schemaOfProperty)]),
      ),
    }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: plainSchema(additionalProperties) }),
  }
}
