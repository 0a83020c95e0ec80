/** The directories that a client works in, by its roots: a server may have been started anywhere. */

import { fileURLToPath } from 'node:url'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** Asks a client for its roots, once for each list that it has, where it says that it has one. */
export class ClientRoots {
  readonly #server: Server
  readonly #use: (directories: readonly string[]) => void
  #isAsked = false

  /** `use` is given the directories, and is not called where there are none. */
  constructor(server: Server, use: (directories: readonly string[]) => void) {
    this.#server = server
    this.#use = use
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      this.#isAsked = false
    })
  }

  /** What the client must be asked before a call is answered; undefined where it was, or has no roots. */
  request(context: ServerContext): InputRequiredResult | undefined {
    const answer = inputResponse(context.mcpReq.inputResponses, NAME)
    if (answer.kind === 'roots') this.#answered(answer.roots)
    if (this.#isAsked || !this.#hasRoots(context)) return undefined
    this.#isAsked = true
    return inputRequired({ inputRequests: { [NAME]: inputRequired.listRoots() } })
  }

  #answered(roots: readonly { readonly uri: string }[]): void {
    const directories = roots.flatMap(({ uri }) => pathOf(uri))
    if (directories.length > 0) this.#use(directories)
  }

  #hasRoots({ mcpReq }: ServerContext): boolean {
    // The protocol of 2026 declares it with each request, that of 2025 once.
    const declared: unknown = Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]
    return Object(declared ?? this.#server.getClientCapabilities()).roots !== undefined
  }
}

const NAME = 'roots'

function pathOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)]
  } catch {
    return []
  }
}
