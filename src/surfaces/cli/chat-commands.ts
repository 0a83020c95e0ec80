import { basename, dirname, resolve } from 'node:path'
import type { Assistant } from '../../assistant/assistant.ts'
import { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { Engine } from '../../engine.ts'
import type { Message } from '../../models/language.ts'
import { openDirectory } from '../../objects/directory.ts'
import { oneLine } from '../../text/controls.ts'
import { counted } from '../../text/counted.ts'
import { elementsOf } from '../../text/elements.ts'

/** What a command of a chat works with. */
export interface ChatParts {
  readonly assistant: Assistant
  readonly engine: Engine
}

export interface ChatCommand {
  readonly about: string
  /** `rest`: what stands behind the command. Gives what is told. */
  run(rest: string, parts: ChatParts): Promise<string>
}

/** What can be typed besides questions; `/quit` ends the chat. */
export const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  '/context': {
    about: 'what the model was told of the place',
    run: async (_, { assistant }) => contextTold(assistant),
  },
  '/model': { about: 'which model answers; with PROVIDER/MODEL, another', run: model },
  '/save': { about: 'writes the conversation as Markdown into FILE, which must be new', run: save },
  '/help': {
    about: 'this',
    run: async () =>
      [...Object.entries(COMMANDS).map(([name, { about }]) => `${name}: ${about}\n`), '/quit: ends the chat\n'].join(
        '',
      ),
  },
}

function contextTold(assistant: Assistant): string {
  const text = assistant.contextTold()
  if (text === '') return 'Nothing yet: it is told with the next question.\n'
  const parts = elementsOf(text).filter(({ tag }) => tag !== 'sources' && tag !== 'place' && tag !== 'notice')
  const lines = parts.map(({ tag, attributes, whole }) => {
    const named = attributes.filename ?? attributes.path ?? ''
    return `  ${oneLine([tag, named].join(' ').trim())}  ${counted(bytes4(whole), 'token')}\n`
  })
  return `${counted(parts.length, 'part')}, ${counted(bytes4(text), 'token')}:\n${lines.join('')}`
}

async function model(name: string, { assistant }: ChatParts): Promise<string> {
  if (name !== '') await assistant.useModel(name)
  return `${await assistant.modelName()}\n`
}

async function save(file: string, { assistant }: ChatParts): Promise<string> {
  if (file === '')
    throw new ContextError('invalid-input', 'The file is missing.', { hint: 'For example: /save talk.md' })
  const path = resolve(file)
  const text = markdownOf(assistant.messages)
  await using directory = closing(await openDirectory(dirname(path)))
  await directory.put(basename(path), Buffer.from(text), { if: 'absent' })
  return `Written: ${oneLine(path)}\n`
}

function closing<One extends { close(): Promise<void> }>(one: One): One & AsyncDisposable {
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() })
}

/** What was said, and which tools were called; not what they gave, nor what was told of places. */
function markdownOf(messages: readonly Message[]): string {
  const parts: string[] = []
  let last: Message['role'] | undefined
  for (const message of messages) {
    const said = saidIn(message)
    if (said.length === 0) continue
    if (message.role !== last) parts.push(message.role === 'user' ? '## You' : '## Ambit')
    parts.push(...said)
    last = message.role
  }
  return `# Conversation\n\n${parts.join('\n\n')}\n`
}

function saidIn(message: Message): string[] {
  if (message.role === 'user') return [message.text]
  if (message.role !== 'assistant') return []
  return message.parts.flatMap((part) => {
    if (part.type === 'text') return [part.text.trim()]
    return part.type === 'call' ? [`- \`${part.tool} ${JSON.stringify(part.input).replaceAll('`', "'")}\``] : []
  })
}
