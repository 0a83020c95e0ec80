/** Commands that are no operations: they talk with a model, or answer until they are ended. Other surfaces have their own. */
export const OWN_COMMANDS = [
  {
    name: 'ask',
    words: 'QUESTION [PLACE]',
    summary: 'Ask the assistant about a place: it looks things up, and says what its answer rests on',
    options: [
      { flag: '--db', value: 'PATH', about: 'The database; default AMBIT_DB' },
      { flag: '--json', about: 'Print { answer, citations, steps, usage } as JSON, also for errors' },
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
    name: 'mcp',
    summary: 'Answer an MCP client on stdin and stdout',
    options: [
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
