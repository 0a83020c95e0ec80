/** Parts of the OpenAPI document for endpoints that are not operations. */

import { type JsonSchema, text } from '../../core/answer.ts'

export const PROBLEM = { $ref: '#/components/responses/Problem' }

type Method = 'get' | 'post' | 'delete'

/** Endpoints of one path, by method. */
type Endpoints = Readonly<Record<string, { readonly operationId: string; readonly summary: string }>>

/** Describes an endpoint. `call`: its method and name, such as `get chat.stream`. `rest`: its other fields. */
export function endpoint(call: `${Method} ${string}`, summary: string, rest: object): Endpoints {
  const [method = '', operationId = ''] = call.split(' ')
  return { [method]: { operationId, summary, ...rest } }
}

export function content(type: string, schema: JsonSchema | object): object {
  return { content: { [type]: { schema } } }
}

export function jsonContent(schema: JsonSchema | object): object {
  return content('application/json', schema)
}

/** Responses of an endpoint: this status (default 200), or a problem. */
export function jsonResponses(description: string, schema: JsonSchema | object, status = 200): object {
  return { [status]: { description, ...jsonContent(schema) }, default: PROBLEM }
}

export function noContent(description: string): object {
  return { 204: { description }, default: PROBLEM }
}

/** Describes a parameter. Its type is text, unless `rest` has another schema. */
export function parameter(name: string, where: 'path' | 'query' | 'header', rest: object = {}): object {
  const schema = 'schema' in rest ? {} : { schema: text }
  return { name, in: where, ...(where === 'path' && { required: true }), ...rest, ...schema }
}
