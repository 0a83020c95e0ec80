import type { AgentTool } from './tool.ts'

/** How a server is reached, and what is believed of it. */
export interface ToolServerConfig {
  /** A program that is started, and speaks on stdin and stdout. */
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where it runs. Default: the home directory, so that nothing in a project decides what is started. */
  readonly cwd?: string
  /** Or where it answers over HTTP. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds to connect, and of a call until something is heard of it. Default: 20,000 and 60,000. */
  readonly timeout?: number
  /** It is not used. Default: false. */
  readonly disabled?: boolean
  /** As other programs write it: `stdio`, `http`. It says no more than `command` and `url`. */
  readonly type?: string
  /** Directories that it is told to work in. Default: the current one. */
  readonly roots?: readonly string[]
  /** How to sign in where it asks for that. Default: as its own authority lets programs register. */
  readonly oauth?: OAuthConfig
  /** Whether to trust the server about which of its tools only read. Default: no, and each call needs approval. */
  readonly trustReadOnly?: boolean
  /** Tools of which the person says that they only read. */
  readonly readOnly?: readonly string[]
  /** Why it cannot be used as it is set: a sentence. */
  readonly problem?: string
}

/** A client that is known to the authority of a server. */
export interface OAuthConfig {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly scope?: string
  /** Where the browser comes back to on this machine. Default: one that is free. */
  readonly port?: number
}

/** A sign-in as it is stored: plain data of the SDK. */
export interface SignedIn {
  readonly client?: unknown
  readonly tokens?: unknown
  /** The port for which the client was registered. */
  readonly port?: number
}

/** Keeps what was signed in with, by the address of the server: tokens go nowhere else. */
export interface OAuthStore {
  read(url: string): SignedIn | undefined
  write(url: string, kept: SignedIn | undefined): void
}

/** Waits for a browser on this machine. */
export interface BrowserReturn extends AsyncDisposable {
  readonly port: number
  /** Parameters of the address that the browser returns to. */
  readonly parameters: Promise<URLSearchParams>
}

/** The person who signs in. */
export interface SigningPerson {
  /** Listens at `http://127.0.0.1:PORT/callback`; if the port is in use, at a free one. 0: any free port. */
  listen(port: number): Promise<BrowserReturn>
  /** Shows the address to open in a browser. */
  show(address: string): void
  /** Gives the address at which a browser ended that cannot reach this machine. Never resolves where nobody can paste it. */
  pasted(signal: AbortSignal): Promise<string>
}

export type ToolServersConfig = Readonly<Record<string, ToolServerConfig>>

/** A text that a server has for the person to ask by. */
export interface ServerPrompt {
  readonly name: string
  /** One line; `''` without a description. */
  readonly about: string
  readonly arguments: readonly { readonly name: string; readonly isRequired: boolean }[]
}

/** Something to read that a server has. */
export interface ServerResource {
  readonly uri: string
  /** One line. */
  readonly about: string
}

/** A server of tools that the person added, and how it is with it. */
export interface ToolServer {
  readonly name: string
  /** `idle`: no tool of it was needed yet. */
  readonly state: 'idle' | 'connecting' | 'ready' | 'failed'
  /** Why it failed: a sentence. */
  readonly problem?: string
  /** None where it is not ready. */
  readonly tools: readonly AgentTool[]
  readonly prompts: readonly ServerPrompt[]
  readonly resources: readonly ServerResource[]
  /** Names of its tools that are not offered, and why: a sentence each. */
  readonly left: readonly string[]
}

/** A prompt by its name, and the values of its arguments in their order: the last takes all that is left. */
export interface PromptRequest {
  readonly name: string
  readonly values: readonly string[]
}

/** The port of servers of tools. */
export interface ToolServers {
  /** How it is with each right now, in the order in which they were set. */
  states(): readonly ToolServer[]
  /** The same, after connecting with all of them; reconnects with servers that ended. */
  settled(signal?: AbortSignal): Promise<readonly ToolServer[]>
  /**
   * The text of a prompt of a server.
   *
   * @throws ContextError `not-found` for an unknown server or prompt; `invalid-input` without an argument that it
   * needs; `unavailable`.
   */
  prompt(server: string, ask: PromptRequest, signal: AbortSignal): Promise<string>
  /** A resource of a server, in frames. @throws ContextError `not-found`, `unavailable`. */
  resource(server: string, uri: string, signal: AbortSignal): Promise<string>
  /**
   * Signs in with a server, and connects with it.
   *
   * @throws ContextError `not-found`, `invalid-input` for one that asks for no signing in, `denied`, `unavailable`.
   */
  signIn(server: string, person: SigningPerson, signal: AbortSignal): Promise<void>
  /** Ends all of them. */
  close(): Promise<void>
}
