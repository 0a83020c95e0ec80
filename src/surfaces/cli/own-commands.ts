/** Commands that answer until they are ended. They are no operations: other surfaces do what they do. */
export const SERVERS = [
  {
    name: 'serve',
    summary: 'Answer over HTTP: an API with events, and MCP',
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
      { flag: '--allow-write', about: 'Let MCP clients change path contexts and the index, too' },
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
] as const satisfies readonly ServerCommand[]

interface ServerCommand {
  readonly name: string
  readonly summary: string
  readonly options: readonly { readonly flag: string; readonly value?: string; readonly about: string }[]
  readonly example: string
}
