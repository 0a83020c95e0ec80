import { createServer } from 'node:http'
import { type Dialect, dialectAt, inputFor, type Json, type OfferedTool } from './dialects.ts'

/** What the model does in one step: it calls the first of these tools that is offered. */
export interface Step {
  readonly tools: readonly string[]
  /** By the names that tools have for it; the first that the tool knows is given. */
  readonly values?: Readonly<Record<string, string>>
  /** More of them: each that the tool knows is given. */
  readonly also?: Readonly<Record<string, string>>
  /** The tool must know one of these inputs. */
  readonly needs?: readonly string[]
  /** The whole input, where all of these tools take the same. */
  readonly input?: object
}

/** A language model on loopback that follows a script, and what it was asked. */
export interface ScriptedModel {
  readonly url: string
  /** The bodies of requests that offered tools, in order. */
  readonly requests: readonly string[]
  /** The steps for which tools are offered; the others are passed over. */
  steps(): readonly Step[]
  /** The first request that has the results of so many steps. */
  after(steps: number): string | undefined
  /** The results of tools, each as the model reads it first: some programs shorten them in later requests. */
  readonly results: readonly string[]
  close(): Promise<void>
}

/** Its step is the number of results that the request has: so a program that asks twice is answered the same. */
export async function scriptedModel(steps: readonly Step[]): Promise<ScriptedModel> {
  const requests: string[] = []
  const results: string[] = []
  const after: string[] = []
  let taken: readonly Step[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const path = (request.url ?? '').split('?')[0] ?? ''
    const dialect = dialectAt(path)
    if (!dialect || text === '') {
      response.writeHead(path.endsWith('/models') ? 200 : 404, { 'content-type': 'application/json' })
      response.end('{"data":[],"object":"list"}')
      return
    }
    const body: Json = JSON.parse(text)
    const offered = dialect.tools(body)
    if (taken.length === 0) taken = steps.filter((step) => toolFor(step, offered) ?? (step.input && bridgedTool(body)))
    const answer = answerTo(body, dialect, taken)
    if (offered.length > 0) {
      requests.push(text)
      after[dialect.results(body).length] ??= text
      results.push(...dialect.results(body).slice(results.length))
    }
    const isStream = body.stream === true || /streamGenerateContent/.test(path)
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? answer : wholeOf(answer))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    results,
    steps: () => taken,
    after: (count) => after[count],
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** The tool by which some programs let others be called that they do not offer. */
const BRIDGE = 'tool_call'

function answerTo(body: Json, dialect: Dialect, steps: readonly Step[]): string {
  const tools = dialect.tools(body)
  const at = dialect.results(body).length
  const step = tools.length > 0 ? steps[at] : undefined
  const tool = step && (toolFor(step, tools) ?? bridgedTool(body))
  if (!step || !tool) return dialect.stream({ text: 'Done.' })
  const { name, namespace } = tool
  const input = step.input ?? inputFor(tool, step)
  const called = name === BRIDGE ? { name: step.tools[0], arguments: input } : input
  const call = { name, ...(namespace !== undefined && { namespace }), id: `call_${at}`, input: called }
  return dialect.stream({ text: '', tool: call })
}

function bridgedTool(body: Json): OfferedTool | undefined {
  return JSON.stringify(body).includes(BRIDGE) ? { name: BRIDGE, schema: {} } : undefined
}

function toolFor(step: Step, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const { needs } = step
  const fits = ({ schema: { properties = {} } }: OfferedTool) => needs?.some((name) => name in properties) ?? true
  return step.tools.flatMap((name) => tools.find((tool) => tool.name === name && fits(tool)) ?? [])[0]
}

/** Who asks for no stream asks for a title or the like: the last event is all there is. */
function wholeOf(answer: string): string {
  return (
    answer
      .trim()
      .split('\n\n')[0]
      ?.replace(/^(?:event: .*\n)?data: /, '') ?? '{}'
  )
}
