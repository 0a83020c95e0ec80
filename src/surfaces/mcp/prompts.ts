import type { Prompt, Server } from '@modelcontextprotocol/server'
import { invalidParams, type McpParts, protocolError } from './parts.ts'
import { callTool, type McpSession } from './results.ts'
import type { Tools } from './tools.ts'

type PromptArguments = Readonly<Record<string, string>>

interface PromptRow {
  /** The tool that the prompt uses. A server without the tool does not offer the prompt. */
  readonly tool: string
  readonly definition: Prompt
  /** Makes the text of the prompt. `call` calls the tool with some inputs, and returns its answer as text. */
  text(values: PromptArguments, call: (input: object) => Promise<string>): Promise<string>
}

const PROMPTS: readonly PromptRow[] = [
  {
    tool: 'load_context',
    definition: {
      name: 'context',
      description: 'Starts a task with the context that applies where it is done.',
      arguments: [
        { name: 'task', description: 'What is to be done.', required: true },
        { name: 'place', description: 'The directory, or a file in it. Default: where the server was started.' },
      ],
    },
    text: async ({ task = '', place }, call) => {
      const context = await call({ task, ...(place && { place }) })
      return `This is the context that applies:\n\n${context}\nThe task: ${task}`
    },
  },
  {
    tool: 'research_start',
    definition: {
      name: 'research',
      description: 'Researches a question, and answers it from sources.',
      arguments: [
        { name: 'question', description: 'What is to be found out.', required: true },
        { name: 'files', description: 'Paths of files to base the answer on, with commas between them.' },
      ],
    },
    text: async ({ question = '', files }) =>
      [
        'Call research_start with the question below, then research_status with its session_id until it is completed,',
        'then research_report. Answer from the report, with its citations, and say what it leaves open.',
        ...(files ? [`The files: ${files}`] : []),
        `The question: ${question}`,
      ].join('\n'),
  },
]

/** Adds the prompts whose tools are offered. */
export function addPrompts(server: Server, tools: Tools, parts: McpParts & { session: McpSession }): void {
  const prompts = PROMPTS.filter(({ tool }) => tools.has(tool))
  if (prompts.length === 0) return
  server.registerCapabilities({ prompts: {} })
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(({ definition }) => ({ ...definition })) }))
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = prompts.find(({ definition }) => definition.name === params.name)
    const tool = prompt && tools.get(prompt.tool)
    const names = prompts.map(({ definition }) => definition.name).join(', ')
    if (!tool) throw invalidParams(`There is no prompt called ${params.name}. Prompts: ${names}.`)
    const values = params.arguments ?? {}
    checkArguments(prompt, values)
    const call = async (inputs: object) => {
      const input = Object(tool.operation.input.parse({ ...tool.row.preset, ...inputs }))
      const run = { signal: context.mcpReq.signal, emit: () => {} }
      const { engine, session } = parts
      const { content } = await callTool(tool, { engine, run, session, input, isFresh: true, client: '' })
      return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
    }
    try {
      const text = await prompt.text(values, call)
      const { description } = prompt.definition
      return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
    } catch (error) {
      throw protocolError(error, parts)
    }
  })
}

/** @throws ProtocolError for an unknown or missing argument. */
function checkArguments({ definition }: PromptRow, values: PromptArguments): void {
  const names = (definition.arguments ?? []).map(({ name }) => name)
  const unknown = Object.keys(values).find((each) => !names.includes(each))
  if (unknown !== undefined) {
    throw invalidParams(`There is no argument called ${unknown}. Arguments: ${names.join(', ')}.`)
  }
  const missing = definition.arguments?.find(({ name, required }) => required && (values[name] ?? '').trim() === '')
  if (missing) throw invalidParams(`The argument ${missing.name} is missing.`)
}
