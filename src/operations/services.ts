/** Commands that hold a terminal, stdin and stdout, or a port until they end. Only their descriptions are here, because help loads this file. */

import { TOOLSETS } from '../core/choices.ts'
import { defineService, limitInputs } from '../core/define-inputs.ts'
import { researchInputs } from '../research/input.ts'
import { hookService } from './context/hook.ts'
import { session } from './research/research.ts'
import { countLimit, inputs, offByDefault } from './schema.ts'

const limits = limitInputs({ calls: 20, tokens: 1_000_000, minutes: 10 })

const ask = defineService({
  name: 'ask',
  holds: 'terminal',
  summary: 'Ask the assistant a question about a place; its answer cites its sources',
  positional: ['question', 'place'],
  inputs: {
    question: { is: 'text', required: true, noun: 'question', description: 'the question' },
    place: inputs.anyPlace,
    files: {
      is: 'file',
      list: true,
      flag: 'file',
      placeholder: 'FILE',
      description: 'a picture, a PDF or another document to send with the question',
    },
    verify: {
      is: 'flag',
      description: 'have the model judge each statement of the answer by the sources that it cites',
    },
    ...limits,
  },
  json: 'Print { answer, found, citations, claims, steps, usage } as JSON, also for errors',
  examples: { "ambit ask 'what happens after a timeout?' docs": 'answer from the documents of a collection' },
})

const { default: _, ...place } = inputs.anyPlace

const chat = defineService({
  name: 'chat',
  holds: 'terminal',
  summary: 'Chat with the assistant about a place; conversations are saved',
  positional: ['place'],
  inputs: {
    place,
    resume: {
      is: 'text',
      bare: '',
      names: 'conversations',
      placeholder: '[ID]',
      description: 'continue a conversation; without an ID, the last one',
    },
    ...limits,
  },
  examples: { 'ambit chat docs': 'chat about a collection' },
})

const out = { is: 'file', placeholder: 'PATH', description: 'the file for the report; default research-ID.md' } as const
const { required: __, ...question } = researchInputs.question

const batch = {
  is: 'file',
  placeholder: 'FILE.jsonl',
  description: 'a file with one question per line, { "id", "prompt" }; --out gets { "id", "prompt", "article" }',
} as const
const EVENTS = 'Print each event as a line of JSON, and the path of the report at the end'

const research = defineService({
  name: 'research',
  holds: 'terminal',
  summary: 'Research a question in files, collections and the web, and write a report with its sources',
  positional: ['question'],
  inputs: { ...researchInputs, question, batch, out },
  json: EVENTS,
  examples: {
    "ambit research 'what does it cost, and when does it open?' --file offer.pdf": 'answer from a file',
    'ambit research --batch queries.jsonl --out articles.jsonl': 'write a report for each question',
  },
})

const resumeResearch = defineService({
  name: 'research.resume',
  holds: 'terminal',
  summary: 'Resume a research session where it stopped',
  positional: ['session'],
  inputs: { session, out },
  json: EVENTS,
  examples: { 'ambit research resume last': 'continue without repeating finished work' },
})

const serve = defineService({
  name: 'serve',
  holds: 'port',
  summary: 'Start the server: web UI, HTTP API and MCP',
  inputs: {
    host: {
      is: 'text',
      default: '127.0.0.1',
      placeholder: 'ADDRESS',
      description:
        'the address to listen on; default 127.0.0.1. An address that other machines can reach needs AMBIT_TOKEN',
    },
    port: {
      is: 'integer',
      minimum: 0,
      maximum: 65_535,
      default: 7377,
      description: 'the port; default 7377; 0 takes any free port',
    },
    root: {
      is: 'path',
      path: 'disk',
      list: true,
      placeholder: 'DIR',
      description: 'a directory that clients may read; default .',
    },
    allowHost: {
      is: 'text',
      list: true,
      placeholder: 'NAME',
      description: 'another host name of the server, such as the name of a proxy',
    },
    allowWrite: { is: 'flag', description: 'let MCP clients and the assistant change path contexts and the index' },
    log: {
      is: 'choice',
      of: ['text', 'json'],
      default: 'text',
      description:
        'the format of the log on stderr; json has a line for each request, without addresses, texts or tokens',
    },
    openMetrics: { is: 'flag', description: 'let programs on this machine read /metrics without a token' },
    role: {
      is: 'choice',
      of: ['api', 'worker', 'all'],
      default: 'all',
      description:
        'the work of this process: api answers requests, worker runs jobs (and answers /healthz, /readyz, /metrics), all does both',
    },
    jobs: countLimit(4, 100, 'research sessions that a worker runs at once; default 4'),
    drain: {
      is: 'integer',
      minimum: 0,
      maximum: 600,
      default: 8,
      placeholder: 'SECONDS',
      description: 'how long running requests may take after a signal to stop; default 8',
    },
  },
  json: 'Print {"url","token"} as the first line instead of a link for the browser',
  examples: { 'ambit serve --port 0 --json': 'start it from a program, which reads the address' },
})

const watch = defineService({
  name: 'watch',
  holds: 'stdio',
  summary: 'Watch collections, and update the index when files change',
  positional: ['names'],
  inputs: { names: { is: 'text', list: true, names: 'collections', description: 'collections; default all' } },
  json: 'Print a line of JSON for each update',
  examples: { 'ambit watch docs': 'watch until Ctrl-C' },
})

const mcp = defineService({
  name: 'mcp',
  holds: 'stdio',
  summary: 'Start an MCP server on stdin and stdout',
  inputs: {
    tools: {
      is: 'text',
      placeholder: 'SETS',
      description: `only these sets of tools, separated by commas: ${TOOLSETS.join(', ')}; default all`,
    },
    allowWrite: { is: 'flag', description: 'offer tools that change path contexts and the index, too' },
  },
  examples: { 'claude mcp add ambit -- ambit mcp': 'add it to Claude Code' },
})

const demo = defineService({
  name: 'demo',
  holds: 'terminal',
  summary: 'Show what Ambit does, in a small project that it creates and removes again',
  inputs: { keep: offByDefault('keep the project, and print where it is and how to remove it') },
  examples: { 'ambit demo --keep': 'keep the project, to try more commands in it' },
})

/** All services. On a command line, a service replaces the operation with the same name. */
export const services = [ask, chat, research, resumeResearch, serve, watch, hookService, mcp, demo] as const

export type AnyService = (typeof services)[number]
export type ServiceName = AnyService['name']
export type ServiceInput<Name extends ServiceName> = ReturnType<
  Extract<AnyService, { readonly name: Name }>['input']['parse']
>
