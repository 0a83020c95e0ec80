import type { JsonSchema } from './answer.ts'

/** A schema for programs: without what only the command line uses. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const { placeholder: _, short: __, forText: ___, ...plain } = schema
  const { items, properties, additionalProperties } = plain
  return {
    ...plain,
    ...(items && { items: plainSchema(items) }),
    ...(properties && { properties: plainProperties(properties) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: plainSchema(additionalProperties) }),
  }
}

function plainProperties(properties: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plainSchema(schema)]))
}
