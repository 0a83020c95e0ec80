/** Words to declare answers with: of one declaration come the JSON Schema and the type. Plain data, since every command loads it. */

/** A JSON Schema (draft 2020-12), as far as the product writes and reads it. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  /** Placeholder of the value in a help text: `PATH`. */
  readonly placeholder?: string
  /** The letter that stands for the name on a command line. */
  readonly short?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  /** A regular expression that a text must hold a match of, as ECMAScript has it with the flag `u`. */
  readonly pattern?: string
  /** Values as they should be: what a text that does not match the pattern is compared with. */
  readonly examples?: readonly string[]
  /** It changes nothing but how an answer is printed: where answers are data it is not offered. */
  readonly forText?: true
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

declare const VALUE: unique symbol

/** A schema that knows the type of its values. */
export interface SchemaOf<Value> extends JsonSchema {
  readonly [VALUE]?: Value
}

/** The values of a schema, or of a function that gives one. */
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

/** One of several objects. As a schema: all their properties, of which those that all require are required. */
export function eitherOf<const All extends readonly JsonSchema[]>(...schemas: All): SchemaOf<AnswerOf<All[number]>> {
  const properties = Object.assign({}, ...schemas.map((schema) => schema.properties))
  const isRequired = (name: string) => schemas.every(({ required = [] }) => required.includes(name))
  return { type: 'object', properties, required: Object.keys(properties).filter(isRequired) }
}

export function array<Item extends JsonSchema>(items: Item): SchemaOf<readonly AnswerOf<Item>[]> {
  return { type: 'array', items }
}

/** Values by name. */
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

/** A text that the type knows more of than the schema says. */
export function word<Value extends string>(): SchemaOf<Value> {
  return text as SchemaOf<Value>
}

/** An object that the schema says nothing of. */
export function opaque<Value>(): SchemaOf<Value> {
  return { type: 'object' }
}

/** A flag that is absent where it is not true. */
export const set: SchemaOf<true> = { type: 'boolean' }
export const text: SchemaOf<string> = { type: 'string' }
export const textOrNull = orNull(text)
export const count: SchemaOf<number> = { type: 'integer' }
export const number: SchemaOf<number> = { type: 'number' }
export const flag: SchemaOf<boolean> = { type: 'boolean' }

/** A schema for programs: without what only the command line uses. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const { placeholder: _, short: __, forText: ___, ...plain } = schema
  const { items, properties, additionalProperties } = plain
  return {
    ...plain,
    ...(items && { items: plainSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plainSchema(one)])),
    }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: plainSchema(additionalProperties) }),
  }
}
