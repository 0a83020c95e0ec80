import { oneLine, stripControls } from '../../text/controls.ts'
import type { ShownMessage } from '../answers.ts'
import type { ShownPart } from '../transcript.ts'

/** A conversation as Markdown: texts, calls of tools and sources, without the results of tools. */
export function conversationMarkdown(title: string, messages: readonly ShownMessage[]): string {
  return stripControls(`# ${title.replace(/\s+/g, ' ').trim()}\n\n${messages.flatMap(messageMarkdown).join('\n\n')}\n`)
}

function messageMarkdown({ role, parts, metadata }: ShownMessage): string[] {
  const shown = parts.flatMap(partMarkdown)
  const { citations = [], end } = metadata
  const sources = citations.map(({ number, place }) => `- [${number}] ${codeSpan(place)}`)
  const why = end?.message ?? (end === undefined || end.reason === 'done' ? undefined : `It ended: ${end.reason}.`)
  const isCut = role === 'assistant' && end === undefined
  return [
    role === 'user' ? '## You' : '## Ambit',
    ...shown,
    ...(sources.length > 0 ? [sources.join('\n')] : []),
    ...(why !== undefined ? [`*${why}*`] : []),
    ...(isCut ? ['*The answer was cut off.*'] : []),
  ]
}

function partMarkdown(part: ShownPart): string[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [part.text.trim()]
  if (part.type === 'file') return [`- Sent: ${codeSpan(oneLine(part.filename))}`]
  if (part.type !== 'dynamic-tool') return []
  const failed = part.state === 'output-available' ? '' : part.state === 'output-denied' ? ' (refused)' : ' (failed)'
  return [`- ${codeSpan(`${part.toolName} ${JSON.stringify(part.input)}`)}${failed}`]
}

/** In backticks, one more than the text has in a row. */
function codeSpan(text: string): string {
  const most = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(most + 1)
  return most === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}
