/**
 * Maximum sizes of input from users, files and other programs. A larger input is refused, and the error names the
 * maximum. A limit that cuts an input instead is declared in the file that uses the limit. A test tries each bound with
 * an input of the maximum size, and with an input that is larger by one.
 */
export const BOUNDS = {
  /** A file that is read whole, in bytes. */
  file: 4 * 1024 * 1024,
  /** An object of a bucket or a collection that is read whole, in bytes. */
  object: 64 * 1024 * 1024,
  /** A key of an object, in bytes. */
  key: 1024,
  /** A list in the inputs of an operation, in values. */
  list: 10_000,
  /** A path in the inputs of an operation, in characters. A URI may need several characters for one character of a name. */
  pathInput: 16_384,
  /** Names and globs of documents in one request, in number. */
  names: 1000,
  /** A path of a place (a directory or file where an agent works), in characters. */
  placePath: 4096,
  /** Front matter, in bytes. */
  frontMatter: 64 * 1024,
  /** An event that an agent sends to a hook, in characters. An event may contain the result of a tool. */
  hookEvent: 16 * 1024 * 1024,
  /** A message of MCP on stdin, in bytes. */
  mcpLine: 4 * 1024 * 1024,
  /** The body of a request, in bytes. */
  request: 1024 * 1024,
  /** The body of a question in a chat, in bytes. Clients of the AI SDK send the whole conversation, though only its last message is used. */
  chatRequest: 16 * 1024 * 1024,
  /** A question, in characters. */
  question: 200_000,
  /** The name of a place or a model in a chat, in characters. */
  chatName: 4000,
  /** The description of the page that the web UI shows, in characters. */
  view: 8000,
  /** Fields of that description, in number. */
  viewFields: 24,
  /** Files that are sent with a question, in number. */
  sentFiles: 10,
  /** All files that are sent with a question, in bytes. */
  sentBytes: 10_000_000,
  /** A message of a tool server, in bytes. */
  toolMessage: 10_000_000,
  /** A path context (a text that says what a place is for), in characters. */
  pathContext: 8192,
  /** A configuration of path contexts, in bytes. */
  configuration: 1024 * 1024,
  /** A line of a package's manifest, in bytes. */
  manifestLine: 1_000_000,
  /** Nesting depth of arrays and objects. */
  jsonDepth: 1000,
  /** The address of a page of the web, in characters. */
  pageUrl: 2048,
  /** Files in an archive, in number. */
  archiveEntries: 10_000,
  /** A picture that is shown to a model, in bytes. */
  image: 3_700_000,
  /** Days until a token expires. */
  tokenDays: 36_500,
} as const
