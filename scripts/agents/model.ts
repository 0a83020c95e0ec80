import { createServer } from 'node:http'
import { type Dialect, dialectAt, inputFor, type Json, type OfferedTool } from './dialects.ts'

/** One step of the model: it calls the first of these tools that the request offers. */
export interface Step {
  readonly tools: readonly string[]
  /** One value under the names that different tools have for it. The first name that the tool knows is sent. */
  readonly values?: Readonly<Record<string, string>>
  /** Further values. Each name that the tool knows is sent. */
  readonly also?: Readonly<Record<string, string>>
  /** The tool must know one of these inputs. */
  readonly needs?: readonly string[]
  /** The whole input, if all tools in `tools` take the same input. */
  readonly input?: object
}

/** A language model on loopback that follows a script, and the requests that it received. */
export interface ScriptedModel {
  readonly url: string
  /** The bodies of requests that offered tools, in order. */
  readonly requests: readonly string[]
  /** The steps whose tools are offered. Other steps are skipped. */
  steps(): readonly Step[]
  /** The first request with the results of this many steps. */
  after(steps: number): string | undefined
  /** Tool results as the model first read them. Some programs shorten them in later requests. */
  readonly results: readonly string[]
  close(): Promise<void>
}

/** Starts a scripted model. The number of results in a request decides the step, so a repeated request gets the same answer. */
export async function startScriptedModel(steps: readonly Step[]): Promise<ScriptedModel> {
  const requests: string[] = []
  const results: string[] = []
  const after: string[] = []
  let offeredSteps: readonly Step[] = []
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
    if (offeredSteps.length === 0)
      offeredSteps = steps.filter((step) => toolFor(step, offered) ?? (step.input && bridgedTool(body)))
    const answer = answerTo(body, dialect, offeredSteps)
    if (offered.length > 0) {
      requests.push(text)
      after[dialect.results(body).length] ??= text
      results.push(...dialect.results(body).slice(results.length))
    }
    const isStream = body.stream === true || /streamGenerateContent/.test(path)
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? answer : withoutStream(answer))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    results,
    steps: () => offeredSteps,
    after: (count) => after[count],
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

const LOOP_CHECK = 'unproductive_state_confidence'

/** A tool with which some programs let the model call tools that the request does not offer. */
const BRIDGE = 'tool_call'

function answerTo(body: Json, dialect: Dialect, steps: readonly Step[]): string {
  const tools = dialect.tools(body)
  const at = dialect.results(body).length
  const step = tools.length > 0 ? steps[at] : undefined
  const tool = step && (toolFor(step, tools) ?? bridgedTool(body))
  // After 30 steps Gemini CLI asks whether it makes progress, and repeats the question for minutes until it gets JSON.
  if (JSON.stringify(body).includes(LOOP_CHECK)) return dialect.stream({ text: `{ "${LOOP_CHECK}": 0 }` })
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

/** The body for a request without streaming, such as a request for a title: the first event, without its frame. */
function withoutStream(answer: string): string {
  return (
    answer
      .trim()
      .split('\n\n')[0]
      ?.replace(/^(?:event: .*\n)?data: /, '') ?? '{}'
  )
}
