import { invalidInput } from '../../core/errors.ts'
import type { Message } from '../../models/language.ts'
import { formatBytes } from '../../text/counts.ts'
import { frameText } from '../../text/frames.ts'
import { AGENT_LIMITS } from '../loop/meter.ts'
import { type AgentParts, runAgent } from '../loop.ts'
import { type AgentTool, cutFrames, defineTool, requireText, type ToolOutput } from '../tool.ts'
import { noticeElement } from './place-elements.ts'
import { candidatePlaces, findFirst, type PlaceToolParts, toDiskPath } from './place-tools.ts'
import { DELEGATED } from './system.ts'

/**
 * A tool that moves the person to another place. `go` returns the full name of the place, and throws if the place cannot be
 * loaded.
 */
export function navigateTool(go: (place: string, signal: AbortSignal) => Promise<string>): AgentTool {
  return defineTool({
    name: 'navigate',
    description:
      'Lead the person to another place: from then on they stand there, and you are told what applies there.',
    properties: { place: { type: 'string', description: 'as for context_for' } },
    run: async (inputs, signal) => {
      const place = await go(requireText(inputs, 'place'), signal)
      return frameText({ tag: 'place', attributes: {}, text: place })
    },
  })
}

/** A tool that shows a picture, or the text of a PDF page. `canSee`: whether the model accepts pictures. */
export function previewTool(parts: PlaceToolParts, canSee: () => Promise<boolean>): AgentTool {
  return defineTool({
    name: 'preview',
    description:
      'Look at a picture (PNG, JPEG, GIF, WebP), or at a page of a PDF, in a collection, a package or on disk. Texts are ' +
      'for read.',
    properties: {
      place: { type: 'string', description: 'collection/path, a URI as other tools give it, or a path on disk' },
      page: { type: 'integer', minimum: 1, description: 'of a PDF; default 1' },
    },
    optional: ['page'],
    cut: cutFrames,
    run: async (inputs, signal): Promise<ToolOutput> => {
      const page = pageIn(inputs)
      const placeReader = await parts.reader()
      const path = toDiskPath(requireText(inputs, 'place'))
      const disk = await parts.directory()
      const places = await candidatePlaces(path, parts)
      const file = await findFirst(places, (one) => placeReader.readPreview(one, disk, signal))
      const { place, mediaType, bytes } = file
      const elementOf = (tag: 'image' | 'document', attributes: Readonly<Record<string, string>>, text: string) =>
        `${parts.numbered([place])}${frameText({ tag, attributes: { uri: place, type: mediaType, ...attributes }, text })}`
      if (mediaType === 'application/pdf') {
        const { text, pages } = await placeReader.page(file, page, signal)
        const pageText = text === '' ? 'This page has no text that can be read: it may be scanned.' : text
        const element = elementOf('document', { page: `${page}`, pages: `${pages}` }, pageText)
        return { text: `${element}${noticeElement(TEXT_ONLY)}` }
      }
      const size = formatBytes(bytes.length)
      if (!(await canSee())) return { text: elementOf('image', { size }, CANNOT_SEE) }
      const image = { mediaType, data: Buffer.from(bytes).toString('base64') }
      return { text: elementOf('image', { size }, 'The picture is shown with this.'), images: [image] }
    },
  })
}

const TEXT_ONLY = 'This is the text of the page. Pictures of pages are not made.'
const CANNOT_SEE = 'You cannot look at pictures: the model is not known to. Say so to the person.'

function pageIn({ page = 1 }: Readonly<Record<string, unknown>>): number {
  if (typeof page === 'number' && Number.isInteger(page) && page >= 1) return page
  throw invalidInput('page must be a number from 1.')
}

/** Maximum requests of a delegated task. The limits of the question also count the task's tokens, time and cost. */
const DELEGATED_STEPS = 10

/** A conversation that begins at the person's place. */
export interface DelegatedTask extends Required<Pick<AgentParts, 'model' | 'tools' | 'carryOver'>> {
  /** The context of the place. */
  readonly messages: readonly Message[]
}

/**
 * A tool that gives a task to a second conversation with the model. The tools of that conversation only read, and do
 * not include `delegate`. `begin`: begins the conversation. `citedSources`: an element that numbers the sources of an
 * answer.
 */
export function delegateTool(
  begin: (signal: AbortSignal) => Promise<DelegatedTask>,
  citedSources: (answer: string) => string,
): AgentTool {
  return defineTool({
    name: 'delegate',
    description:
      'Have a part of the work done by an assistant of your own, which looks things up as you do and knows nothing of ' +
      'this conversation: say all that it needs. Good for what takes much reading. Several can work side by side.',
    ms: AGENT_LIMITS.ms,
    properties: { task: { type: 'string', description: 'what is to be found out, and how the answer should be' } },
    run: async (inputs, signal, { meter, limits, emit }) => {
      const task = requireText(inputs, 'task')
      const { model, messages, tools, carryOver } = await begin(signal)
      const outcome = await runAgent(
        [...messages, { role: 'user', text: task }],
        { model, system: DELEGATED, tools, carryOver, meter, limits: { ...limits, steps: DELEGATED_STEPS } },
        { signal, emit },
      )
      const { answer, reason, error } = outcome
      const explanation = `It did not finish (${reason}): this is its answer so far. ${error?.message ?? ''}`.trimEnd()
      const notice = reason === 'done' ? '' : noticeElement(explanation)
      return `${citedSources(answer)}${frameText({ tag: 'answer', attributes: {}, text: answer })}${notice}`
    },
  })
}

/** Names of inputs in which tools of servers take files. */
const PATH_INPUTS = /^(path|file|filename|file_?path|target|source|destination|paths|files)$/i

/**
 * Wraps tools of servers. Absolute paths in the input of a successful call count as touched. Relative paths do not, because only
 * the tool knows their base.
 */
export function withTouching(tools: readonly AgentTool[], touch: (path: string) => void): AgentTool[] {
  return tools.map((tool) => ({
    ...tool,
    run: async (input, signal, context) => {
      const output = await tool.run(input, signal, context)
      for (const path of inputPaths(input)) touch(path)
      return output
    },
  }))
}

function inputPaths(input: unknown): string[] {
  return Object.entries(Object(input))
    .filter(([name]) => PATH_INPUTS.test(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is string => typeof value === 'string' && value.startsWith('/') && !value.includes('\0'))
    .slice(0, 100)
}
