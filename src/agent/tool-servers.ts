import type { AgentTool } from './tool.ts'

/** Settings of an MCP server that a person added: its program or its address, and how far its tools are trusted. */
export interface ToolServerConfig {
  /** A program that is started, and speaks on stdin and stdout. */
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Working directory of the program. Default: the home directory, so that a project cannot decide which program starts. */
  readonly cwd?: string
  /** HTTP address of the server, instead of a program. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Time limit in milliseconds: to connect (default 20,000), and for a call that reports no progress (default 60,000). */
  readonly timeout?: number
  /** Whether to ignore the server. Default: false. */
  readonly disabled?: boolean
  /** `stdio` or `http`, as other programs write it. Not used, because `command` or `url` says the same. */
  readonly type?: string
  /** Directories that the server is told to work in (MCP roots). Default: the current directory. */
  readonly roots?: readonly string[]
  /** The client for signing in. Default: dynamic registration at the server's authority. */
  readonly oauth?: OAuthConfig
  /** Whether to believe the server when it marks a tool as read-only. Default: false; each call needs approval. */
  readonly trustReadOnly?: boolean
  /** Names of tools that the person declares read-only. */
  readonly readOnly?: readonly string[]
  /** Why these settings cannot be used: a sentence. Absent for usable settings. */
  readonly problem?: string
}

/** An OAuth client that the person registered with the authorization server of a tool server. */
export interface OAuthConfig {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly scope?: string
  /** Port of this machine to which the browser returns. Default: a free port. */
  readonly port?: number
}

/** A stored sign-in with a server. `client` (the registration) and `tokens` are JSON values of the MCP SDK. */
export interface ToolSignIn {
  readonly client?: unknown
  readonly tokens?: unknown
  /** The port for which the client was registered. */
  readonly port?: number
}

/** Stores sign-ins by the URL of the server. Tokens are sent only to that URL. */
export interface OAuthStore {
  read(url: string): ToolSignIn | undefined
  write(url: string, signIn: ToolSignIn | undefined): void
}

/** Listens on a port of this machine until the browser returns from a sign-in. */
export interface RedirectListener extends AsyncDisposable {
  readonly port: number
  /** Query parameters of the address that the browser opens at the end of the sign-in. */
  readonly parameters: Promise<URLSearchParams>
}

/** How a sign-in reaches the person and their browser. */
export interface SigningPerson {
  /** Listens at `http://127.0.0.1:PORT/callback`; if the port is in use, at a free one. 0: any free port. */
  listen(port: number): Promise<RedirectListener>
  /** Shows the address to open in a browser. */
  show(address: string): void
  /** The address that the person pastes from a browser that cannot reach this machine. Never resolves without a person. */
  pasted(signal: AbortSignal): Promise<string>
}

export type ToolServersConfig = Readonly<Record<string, ToolServerConfig>>

/** A prompt that a server offers. The person can ask it as a question. */
export interface ServerPrompt {
  readonly name: string
  /** Its description in one line; `''` for none. */
  readonly about: string
  readonly arguments: readonly { readonly name: string; readonly isRequired: boolean }[]
}

export interface ServerResource {
  readonly uri: string
  /** Its title and description in one line. */
  readonly about: string
}

/** A tool server of the person, with its state. */
export interface ToolServer {
  readonly name: string
  /** `idle`: not connected yet, because no tool was needed. */
  readonly state: 'idle' | 'connecting' | 'ready' | 'failed'
  /** Why it failed: a sentence. */
  readonly problem?: string
  /** Empty unless the state is `ready`. */
  readonly tools: readonly AgentTool[]
  readonly prompts: readonly ServerPrompt[]
  readonly resources: readonly ServerResource[]
  /** A sentence for each tool that is not offered: its name, and why. */
  readonly left: readonly string[]
}

/** The name of a prompt and the values of its arguments in order. The last argument gets all remaining values. */
export interface PromptRequest {
  readonly name: string
  readonly values: readonly string[]
}

export interface ToolServers {
  /** The current state of each server, in the order of the configuration. */
  states(): readonly ToolServer[]
  /** Connects to all servers at the first call, and later to servers that ended. Returns the states of all servers. */
  settled(signal?: AbortSignal): Promise<readonly ToolServer[]>
  /**
   * The text of a prompt of a server.
   *
   * @throws ContextError `not-found` for an unknown server or prompt; `invalid-input` without a required argument; `unavailable`.
   */
  prompt(server: string, request: PromptRequest, signal: AbortSignal): Promise<string>
  /** The text of a resource, in frames. @throws ContextError `not-found`, `unavailable`. */
  resource(server: string, uri: string, signal: AbortSignal): Promise<string>
  /**
   * Signs in with a server, and connects with it.
   *
   * @throws ContextError `not-found`, `invalid-input` for a server without a sign-in, `denied`, `unavailable`.
   */
  signIn(server: string, person: SigningPerson, signal: AbortSignal): Promise<void>
  /** Disconnects from all servers, and ends their programs. */
  close(): Promise<void>
}
