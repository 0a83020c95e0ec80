import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { type McpParts, protocolError } from './parts.ts'

const PROMPT = {
  name: 'context_for_task',
  title: 'Context for a task',
  description: 'Starts a task with the context that applies where it is done.',
  arguments: [
    { name: 'task', description: 'What is to be done.', required: true },
    { name: 'place', description: 'The directory, or a file in it. Default: where the server was started.' },
  ],
}

/** The prompt that loads the context of a task, where there is an operation that does. */
export function addPrompts(server: Server, parts: McpParts): void {
  const load = parts.operations.find(({ name }) => name === 'load')
  if (!load) return
  server.registerCapabilities({ prompts: {} })
  server.setRequestHandler('prompts/list', () => ({ prompts: [PROMPT] }))
  server.setRequestHandler('prompts/get', async ({ params }, { mcpReq }) => {
    const { task, place } = checked(params.name, params.arguments ?? {})
    try {
      const input = load.input.parse({ task, ...(place && { place }), format: 'xml', full: false })
      const output = await load.run(parts.engine, input, { signal: mcpReq.signal, emit: () => {} })
      const text = `This is the context that applies:\n\n${load.text(output)}\n\nThe task: ${task}`
      return { description: PROMPT.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
    } catch (error) {
      throw protocolError(error, parts)
    }
  })
}

function checked(name: string, given: Readonly<Record<string, string>>): { task: string; place?: string | undefined } {
  if (name !== PROMPT.name) throw wrong(`There is no prompt called ${name}. Prompts: ${PROMPT.name}.`)
  const names = PROMPT.arguments.map((argument) => argument.name)
  const stranger = Object.keys(given).find((each) => !names.includes(each))
  if (stranger !== undefined) throw wrong(`There is no argument called ${stranger}. Arguments: ${names.join(', ')}.`)
  const { task = '', place } = given
  if (task.trim() === '') throw wrong('The argument task is missing.')
  return { task, place }
}

function wrong(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
