import { createServer, type Server } from 'node:http'
import { basename, resolve } from 'node:path'
import type { Assistant } from '../../agent/assistant.ts'
import type { UserQuestion } from '../../agent/talk.ts'
import type { AgentTool } from '../../agent/tool.ts'
import type { RedirectListener } from '../../agent/tool-servers.ts'
import { contextElements, contextSizeIn } from '../../agent/transcript.ts'
import { ContextError, invalidInput, isNotFound } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { Engine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { readUserFile, writeUserFile } from './user-files.ts'

export interface ChatCommandParts {
  readonly assistant: Assistant
  readonly engine: Engine
  /** Id of the conversation. */
  readonly id: string
  /** Fires after Ctrl-C. */
  readonly signal: AbortSignal
  /** Asks the person. Returns the typed line; never resolves without a person. */
  askPerson(question: string, signal: AbortSignal): Promise<string>
  /** Shows a line at once. */
  showLine(line: string): void
  /** Adds a file to the next question. Returns the names of all files of this question. */
  attach(file: AttachedFile): readonly string[]
}

/** A file to send with a question. */
export type AttachedFile = NonNullable<UserQuestion['files']>[number]

export interface ChatCommand {
  readonly about: string
  /** `rest`: the words after the command. Returns the text to print. */
  run(rest: string, parts: ChatCommandParts): Promise<string>
}

/** Chat commands, by name. `/quit` is not among them. */
export const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  '/context': { about: 'what the model knows about the place', run: showContext },
  '/model': { about: 'which model answers; with PROVIDER/MODEL, changes it', run: switchModel },
  '/tools': { about: 'the tools of the model, and the state of the MCP servers', run: listTools },
  '/attach': { about: 'sends FILE with the next question: a picture, a PDF or another document', run: attachFile },
  '/prompts': { about: 'prompts of the MCP servers; /SERVER:PROMPT ARGUMENTS asks with one', run: listPrompts },
  '/sign-in': { about: 'signs in with the MCP server SERVER', run: signInWith },
  '/save': { about: 'writes the conversation as Markdown into FILE, which must be new', run: saveConversation },
  '/help': {
    about: 'this list',
    run: async () => {
      const lines = Object.entries(COMMANDS).map(([name, { about }]) => `${name}: ${about}\n`)
      return `${lines.join('')}/quit: ends the chat\n`
    },
  },
}

async function showContext(_: string, { assistant }: ChatCommandParts): Promise<string> {
  const { messages } = assistant
  const elements = contextElements(messages)
  if (elements.length === 0) return 'Nothing yet: the model gets the context with the next question.\n'
  const lines = elements.map(({ tag, attributes, whole }) => {
    const path = attributes.filename ?? attributes.path ?? ''
    return `  ${oneLine([tag, path].join(' ').trim())}  ${countNoun(bytes4(whole), 'token')}\n`
  })
  return `${countNoun(elements.length, 'part')}, ${countNoun(contextSizeIn(messages).tokens, 'token')}:\n${lines.join('')}`
}

async function switchModel(name: string, { assistant }: ChatCommandParts): Promise<string> {
  if (name !== '') await assistant.useModel(name)
  return `${await assistant.modelName()}\n`
}

async function attachFile(file: string, parts: ChatCommandParts): Promise<string> {
  if (file === '') throw invalidInput('The file is missing.', 'For example: /attach plan.pdf')
  const names = parts.attach(await readAttached(file))
  return `With the next question: ${names.map(oneLine).join(', ')}\n`
}

/** Maximum bytes of an attached file. */
const MAX_ATTACHED_BYTES = 10_000_000

/** Reads a file to send with a question. @throws ContextError `not-found`, `over-limit`. */
export async function readAttached(file: string): Promise<AttachedFile> {
  return { name: basename(resolve(file)), bytes: await readUserFile(file, MAX_ATTACHED_BYTES) }
}

async function listPrompts(_: string, { assistant, signal }: ChatCommandParts): Promise<string> {
  const { servers } = await assistant.tools(signal)
  const lines = servers.flatMap(({ name, prompts }) =>
    prompts.map((prompt) => {
      const values = prompt.arguments.map((argument) => (argument.isRequired ? argument.name : `[${argument.name}]`))
      return `${oneLine([`/${name}:${prompt.name}`, ...values].join(' '))}${prompt.about === '' ? '' : `: ${prompt.about}`}\n`
    }),
  )
  return lines.length === 0 ? 'The MCP servers have no prompts.\n' : lines.join('')
}

/**
 * The question that `/SERVER:PROMPT ARGUMENTS` stands for; undefined for other text.
 *
 * @throws ContextError as `ToolServers.prompt`.
 */
export async function questionOfPrompt(
  text: string,
  { engine, signal }: ChatCommandParts,
): Promise<string | undefined> {
  const [, server, name, rest = ''] = /^\/([\w-]+):(\S+)\s*(.*)/s.exec(text) ?? []
  if (server === undefined || name === undefined) return undefined
  const servers = await engine.servers()
  await servers?.settled(signal)
  const values = rest === '' ? [] : rest.split(/\s+/)
  if (servers) return servers.prompt(server, { name, values }, signal)
  throw noServers()
}

async function signInWith(name: string, { engine, signal, askPerson, showLine }: ChatCommandParts): Promise<string> {
  const servers = await engine.servers()
  if (!servers) throw noServers()
  const person = {
    listen: listenForBrowser,
    show: (address: string) => showLine(`Open in a browser: ${address}`),
    pasted: (end: AbortSignal) =>
      askPerson('If the browser is on another machine, paste the address of its last page here: ', end),
  }
  await servers.signIn(name, person, signal)
  return `Signed in with ${oneLine(name)}.\n`
}

function noServers(): ContextError {
  return new ContextError('not-found', 'No MCP servers are set.', { hint: 'See mcpServers in the configuration.' })
}

async function listTools(_: string, { assistant, signal }: ChatCommandParts): Promise<string> {
  const { own, servers } = await assistant.tools(signal)
  const line = ({ name, effect }: AgentTool) =>
    `  ${oneLine(name)}${effect === 'write' ? ' (you are asked each time)' : ''}\n`
  const lines = servers.map(({ name, state, problem, tools, left, resources }) => {
    const why = problem === undefined ? '' : `: ${oneLine(problem)}`
    const resourceNote = resources.length === 0 ? '' : `  ${countNoun(resources.length, 'resource')} to read\n`
    const notOffered = left.map((tool) => `  not offered: ${oneLine(tool)}\n`)
    return `${name} (MCP), ${state}${why}\n${tools.map(line).join('')}${resourceNote}${notOffered.join('')}`
  })
  return `Tools of Ambit\n${own.map(line).join('')}${lines.join('')}`
}

async function saveConversation(file: string, { engine, id }: ChatCommandParts): Promise<string> {
  if (file === '') throw invalidInput('The file is missing.', 'For example: /save talk.md')
  const { markdown } = await (await engine.conversations()).export(id).catch((error: unknown) => {
    // A conversation is stored with its first question. Before, there is nothing to export.
    if (!isNotFound(error)) throw error
    throw new ContextError('not-found', 'There is nothing to save yet.', { hint: 'Ask something first.' })
  })
  await writeUserFile(file, markdown, true)
  return `Written: ${oneLine(resolve(file))}\n`
}

/** Waits on loopback for a browser that returns from a sign-in; on another port if `port` is taken. */
export async function listenForBrowser(port: number): Promise<RedirectListener> {
  const { promise: parameters, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isReturn = pathname === '/callback' && searchParams.has('state')
    response.writeHead(isReturn ? 200 : 404, { 'content-type': 'text/plain' })
    response.end(isReturn ? 'You can close this page and go back to Ambit.\n' : '')
    if (isReturn) resolve(searchParams)
  })
  await listenAt(server, port).catch(() => listenAt(server, 0))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    parameters,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function listenAt(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
}
