import { SEARCH_PROVIDERS } from '../../core/choices.ts'

/** Commands that are no operations: they talk with a model, or answer until they are ended. Other surfaces have their own. */
export const OWN_COMMANDS = [
  {
    name: 'ask',
    words: 'QUESTION [PLACE]',
    summary: 'Ask the assistant about a place: it looks things up, and says what its answer rests on',
    options: [
      { flag: '--db', value: 'PATH', about: 'The database; default AMBIT_DB' },
      { flag: '--json', about: 'Print { answer, found, citations, steps, usage } as JSON, also for errors' },
    ],
    example: "ambit ask 'what happens after a timeout?' docs",
  },
  {
    name: 'chat',
    words: '[PLACE]',
    summary: 'Talk with the assistant about a place; what is said is kept',
    options: [
      { flag: '--resume', value: '[ID]', about: 'Go on with a conversation; by itself, with the last one' },
      { flag: '--db', value: 'PATH', about: 'The database; default AMBIT_DB' },
    ],
    example: 'ambit chat docs',
  },
  {
    name: 'research',
    words: 'QUESTION',
    summary: 'Research a question in files, collections and the web, to a report with its sources',
    options: [
      { flag: '--file', value: 'PATH', about: 'A file that it is grounded in; may be given again' },
      { flag: '-c, --collection', value: 'NAME', about: 'A collection to search; default all that are not paused' },
      { flag: '--no-collections', about: 'Search no collections' },
      {
        flag: '--web',
        value: 'PROVIDER',
        about: `Search the web, too: ${SEARCH_PROVIDERS.join(', ')}, or default`,
      },
      { flag: '--extractive', about: 'Do without models: quote only' },
      { flag: '--model', value: 'MODEL', about: 'The model of all stages, or STAGE=MODEL; may be given again' },
      { flag: '--plan', about: 'Wait with the first questions for a person' },
      { flag: '--follow', value: 'ID', about: 'Begin with the files and findings of another session' },
      { flag: '--depth', value: 'N', about: 'Levels of questions, 1 to 6; default 3' },
      { flag: '--budget-calls', value: 'N', about: 'Requests to models at most; default 400' },
      { flag: '--budget-tokens', value: 'N', about: 'Tokens at most; default 4000000' },
      { flag: '--budget-cost', value: 'USD', about: 'Cost at most, of models whose price is known' },
      { flag: '--budget-minutes', value: 'N', about: 'Minutes at most; default 60' },
      { flag: '--budget-nodes', value: 'N', about: 'Questions at most; default 60' },
      { flag: '--concurrency', value: 'N', about: 'Questions that are worked on at once; default 4' },
      { flag: '--language', value: 'NAME', about: 'Language of the report' },
      { flag: '--from, --to', value: 'DATE', about: 'Web pages of these days only' },
      {
        flag: '--allow-domain, --block-domain',
        value: 'NAME',
        about: 'Web pages of these domains only, or none of these',
      },
      { flag: '--out', value: 'PATH', about: 'Where the report is written; default research-ID.md' },
      { flag: '--db', value: 'PATH', about: 'The database; default AMBIT_DB' },
      { flag: '--json', about: 'Print each event as a line of JSON, and at the end where the report is' },
    ],
    example: "ambit research 'what does it cost, and when does it open?' --file offer.pdf",
  },
  {
    name: 'serve',
    summary: 'Answer over HTTP: the web UI, an API with events, and MCP',
    options: [
      { flag: '--host', value: 'ADDRESS', about: 'Where to listen; default 127.0.0.1. Others need AMBIT_TOKEN' },
      { flag: '--port', value: 'N', about: 'Default 7377; 0 takes any that is free' },
      {
        flag: '--root',
        value: 'DIR',
        about: 'A directory whose places may be asked for; may be given again; default .',
      },
      {
        flag: '--allow-host',
        value: 'NAME',
        about: 'Another name of the server, as a proxy has one; may be given again',
      },
      { flag: '--allow-write', about: 'Let MCP clients and the assistant change path contexts, and clients the index' },
      { flag: '--db', value: 'PATH', about: 'The database; default AMBIT_DB' },
      { flag: '--json', about: 'Print {"url","token"} as the first line, in place of a link for the browser' },
      {
        flag: '--log',
        value: 'json',
        about: 'A line of JSON on stderr for each request: no addresses, texts or tokens',
      },
      { flag: '--open-metrics', about: 'Programs of this machine read /metrics without a token' },
      {
        flag: '--role',
        value: 'ROLE',
        about:
          'api answers, worker does the jobs (and answers /healthz, /readyz, /metrics), all does both; default all',
      },
      { flag: '--jobs', value: 'N', about: 'Runs of research that a worker does at once; default 4' },
      { flag: '--drain', value: 'SECONDS', about: 'What is under way may take so long at the end; default 8' },
    ],
    example: 'ambit serve --port 0 --json',
  },
  {
    name: 'watch',
    summary: 'Keep the index in step with the files of the collections, or of those that are named',
    options: [
      { flag: '--db', value: 'PATH', about: 'The database; default AMBIT_DB' },
      { flag: '--json', about: 'Print a line of JSON for each update' },
    ],
    example: 'ambit watch docs',
  },
  {
    name: 'hook',
    words: 'AGENT',
    summary: "Answer a coding agent's hook: the context that is new where it works, once",
    options: [{ flag: '--task', about: 'With the code that bears on the first prompt of a session' }],
    example: 'ambit hook claude < event.json',
  },
  {
    name: 'mcp',
    summary: 'Answer an MCP client on stdin and stdout',
    options: [
      {
        flag: '--tools',
        value: 'SETS',
        about: 'Only these tools: context, search, task, packages, research, with commas between them; default all',
      },
      { flag: '--allow-write', about: 'Tools that change path contexts and the index, too' },
      { flag: '--db', value: 'PATH', about: 'The database; default AMBIT_DB' },
    ],
    example: 'claude mcp add ambit -- ambit mcp',
  },
] as const satisfies readonly OwnCommand[]

interface OwnCommand {
  readonly name: string
  /** What it takes without a flag. */
  readonly words?: string
  readonly summary: string
  readonly options: readonly { readonly flag: string; readonly value?: string; readonly about: string }[]
  readonly example: string
}
