/** Commands that hold something until they end: a person's terminal, stdin and stdout, or a port. Plain data: help needs them. */

import { TOOLSETS } from '../core/choices.ts'
import { defineInputs, limitInputs } from '../core/define-inputs.ts'
import type { InputFields, InputOf } from '../core/input.ts'
import type { ServiceCommand } from '../core/operation.ts'
import { researchInputs } from '../research/input.ts'
import { session } from './research/described.ts'
import { inputs } from './schema.ts'

function defineService<const Name extends string, const Fields extends InputFields>({
  inputs: fields,
  ...rest
}: Omit<ServiceCommand<Name, InputOf<Fields>>, 'input'> & { readonly inputs: Fields }): ServiceCommand<
  Name,
  InputOf<Fields>
> {
  return { ...rest, input: defineInputs(fields) }
}

const limits = limitInputs({ calls: 20, tokens: 1_000_000, minutes: 10 })

const ask = defineService({
  name: 'ask',
  holds: 'terminal',
  summary: 'Ask the assistant about a place: it looks things up, and says what its answer rests on',
  positional: ['question', 'place'],
  inputs: {
    question: { is: 'text', required: true, noun: 'question', description: 'what is asked' },
    place: inputs.anyPlace,
    ...limits,
  },
  json: 'Print { answer, found, citations, steps, usage } as JSON, also for errors',
  examples: [{ command: "ambit ask 'what happens after a timeout?' docs", does: 'answered from what is there' }],
})

const { default: _, ...place } = inputs.anyPlace

const chat = defineService({
  name: 'chat',
  holds: 'terminal',
  summary: 'Talk with the assistant about a place; what is said is kept',
  positional: ['place'],
  inputs: {
    place,
    resume: {
      is: 'text',
      bare: '',
      placeholder: '[ID]',
      description: 'go on with a conversation; by itself, with the last one',
    },
    ...limits,
  },
  examples: [{ command: 'ambit chat docs', does: 'as one who stands there' }],
})

const out = {
  is: 'file',
  placeholder: 'PATH',
  description: 'where the report is written; default research-ID.md',
} as const
const { required: __, ...question } = researchInputs.question

const batch = {
  is: 'file',
  placeholder: 'FILE.jsonl',
  description: 'a question for each line, { "id", "prompt" }; --out has { "id", "prompt", "article" }',
} as const
const EVENTS = 'Print each event as a line of JSON, and at the end where the report is'

const research = defineService({
  name: 'research',
  holds: 'terminal',
  summary: 'Research a question in files, collections and the web, to a report with its sources',
  positional: ['question'],
  inputs: { ...researchInputs, question, batch, out },
  json: EVENTS,
  examples: [
    {
      command: "ambit research 'what does it cost, and when does it open?' --file offer.pdf",
      does: 'grounded in a file',
    },
    { command: 'ambit research --batch queries.jsonl --out articles.jsonl', does: 'a report for each question' },
  ],
})

const resumeResearch = defineService({
  name: 'research.resume',
  holds: 'terminal',
  summary: 'Go on with a session of research, where it was left',
  positional: ['session'],
  inputs: { session, out },
  json: EVENTS,
  examples: [{ command: 'ambit research resume last', does: 'nothing that was done before is done again' }],
})

const serve = defineService({
  name: 'serve',
  holds: 'port',
  summary: 'Answer over HTTP: the web UI, an API with events, and MCP',
  inputs: {
    host: {
      is: 'text',
      default: '127.0.0.1',
      placeholder: 'ADDRESS',
      description: 'where to listen; default 127.0.0.1. Others need AMBIT_TOKEN',
    },
    port: {
      is: 'integer',
      minimum: 0,
      maximum: 65_535,
      default: 7377,
      description: 'default 7377; 0 takes any that is free',
    },
    root: {
      is: 'path',
      path: 'disk',
      list: true,
      placeholder: 'DIR',
      description: 'a directory whose places may be asked for; default .',
    },
    allowHost: {
      is: 'text',
      list: true,
      placeholder: 'NAME',
      description: 'another name of the server, as a proxy has one',
    },
    allowWrite: {
      is: 'flag',
      description: 'let MCP clients and the assistant change path contexts, and clients the index',
    },
    log: {
      is: 'choice',
      of: ['text', 'json'],
      default: 'text',
      description: 'json: a line of JSON on stderr for each request: no addresses, texts or tokens',
    },
    openMetrics: { is: 'flag', description: 'programs of this machine read /metrics without a token' },
    role: {
      is: 'choice',
      of: ['api', 'worker', 'all'],
      default: 'all',
      description:
        'api answers, worker does the jobs (and answers /healthz, /readyz, /metrics), all does both; default all',
    },
    jobs: {
      is: 'integer',
      minimum: 1,
      maximum: 100,
      default: 4,
      description: 'runs of research that a worker does at once; default 4',
    },
    drain: {
      is: 'integer',
      minimum: 0,
      maximum: 600,
      default: 8,
      placeholder: 'SECONDS',
      description: 'what is under way may take so long at the end; default 8',
    },
  },
  json: 'Print {"url","token"} as the first line, in place of a link for the browser',
  examples: [{ command: 'ambit serve --port 0 --json', does: 'for a program, which reads where it listens' }],
})

const watch = defineService({
  name: 'watch',
  holds: 'stdio',
  summary: 'Keep the index in step with the files of the collections, or of those that are named',
  positional: ['names'],
  inputs: { names: { is: 'text', list: true, description: 'collections; default all' } },
  json: 'Print a line of JSON for each update',
  examples: [{ command: 'ambit watch docs', does: 'until Ctrl-C' }],
})

const hook = defineService({
  name: 'hook',
  holds: 'stdio',
  isLenient: true,
  summary: "Answer a coding agent's hook: the context that is new where it works, once",
  positional: ['agent', 'event'],
  inputs: {
    agent: { is: 'text', required: true, noun: 'name of the agent', description: 'the agent' },
    event: { is: 'text', description: 'the event, where the agent does not say it' },
    task: { is: 'flag', default: false, description: 'the code that bears on the first prompt of a session, too' },
  },
  examples: [{ command: 'ambit hook claude < event.json', does: 'as Claude Code runs it' }],
})

const mcp = defineService({
  name: 'mcp',
  holds: 'stdio',
  summary: 'Answer an MCP client on stdin and stdout',
  inputs: {
    tools: {
      is: 'text',
      placeholder: 'SETS',
      description: `only these tools: ${TOOLSETS.join(', ')}, with commas between them; default all`,
    },
    allowWrite: { is: 'flag', description: 'tools that change path contexts and the index, too' },
  },
  examples: [{ command: 'claude mcp add ambit -- ambit mcp', does: 'for Claude Code' }],
})

/** All of them. One by the name of an operation stands for it on a command line. */
export const services = [ask, chat, research, resumeResearch, serve, watch, hook, mcp] as const

export type AnyService = (typeof services)[number]
export type ServiceName = AnyService['name']
/** What a service is given, by its name. */
export type ServiceInput<Name extends ServiceName> = ReturnType<
  Extract<AnyService, { readonly name: Name }>['input']['parse']
>
