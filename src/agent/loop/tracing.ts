/**
 * Spans of an answer, by OpenTelemetry's conventions for generative AI. They are recorded only if an SDK runs. They contain
 * names, numbers and codes, but never texts of the conversation, inputs of tools, or their results.
 */

import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ContextError } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { LanguageModel, Usage } from '../../models/language.ts'

/** Names of providers in the conventions, by our names. Other providers have the same name in both. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  local: 'ambit',
}

/** Maximum UTF-16 units of a name from a model. */
const MAX_NAME = 64

interface SpanDescription {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes: Attributes
}

export function exchangeSpan(model: LanguageModel): SpanDescription {
  return describeSpan('invoke_agent', 'ambit', { 'gen_ai.agent.name': 'ambit', ...modelAttributes(model) })
}

export function stepSpan(model: LanguageModel): SpanDescription {
  const attributes = modelAttributes(model)
  return { ...describeSpan('chat', attributes['gen_ai.request.model'], attributes), kind: SpanKind.CLIENT }
}

export function toolSpan(tool: string, id: string): SpanDescription {
  const name = plainWord(tool) ?? 'unknown'
  const known = omitUndefined({ 'gen_ai.tool.call.id': plainWord(id) })
  return describeSpan('execute_tool', name, { 'gen_ai.tool.name': name, 'gen_ai.tool.type': 'function', ...known })
}

function describeSpan(operation: string, subject: string, attributes: Attributes): SpanDescription {
  return { name: `${operation} ${subject}`, attributes: { 'gen_ai.operation.name': operation, ...attributes } }
}

export function recordUsage(span: Span, { input, cached, output }: Usage): void {
  span.setAttributes({
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.cache_read.input_tokens': cached,
    'gen_ai.usage.output_tokens': output,
  })
}

/** Records the code of an error. Its message may hold text of the conversation. */
export function recordFailure(span: Span, code: string): void {
  span.setAttribute('error.type', code)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Runs `work` within a span. The span is the parent of spans that begin in `work`. */
export function traceSpan<Value>(described: SpanDescription, work: (span: Span) => Promise<Value>): Promise<Value> {
  const { name, kind = SpanKind.INTERNAL, attributes } = described
  return trace.getTracer('ambit').startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      recordFailure(span, error instanceof ContextError ? error.code : '_OTHER')
      throw error
    } finally {
      span.end()
    }
  })
}

/** A text of one word, shortened. Undefined for other texts, because they may come from the conversation. */
function plainWord(text: string): string | undefined {
  return /^[\w-]+$/.test(text) ? text.slice(0, MAX_NAME) : undefined
}

function modelAttributes({ name }: LanguageModel) {
  const slash = name.indexOf('/')
  const provider = name.slice(0, slash)
  return { 'gen_ai.provider.name': PROVIDERS[provider] ?? provider, 'gen_ai.request.model': name.slice(slash + 1) }
}
