import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { ContextError } from '../../src/core/errors.ts'
import type { Config } from '../../src/engine/config.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { newSecret } from '../../src/engine/sign-ins.ts'
import { openWith } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import { Auth } from '../../src/surfaces/http/auth.ts'
import type { HttpParts } from '../../src/surfaces/http/http-parts.ts'
import { bindAddress, serveRequests } from '../../src/surfaces/http/listen.ts'
import { ROOT } from '../source-files.ts'
import { type Shape, tree } from '../support/tree.ts'
import { appOf, rootsOf, TOKEN } from '../surfaces/http/support.ts'

/** Where Chromium is on this machine; undefined when there is none. */
export const CHROMIUM = [
  process.env.AMBIT_CHROMIUM,
  // The same engine without what draws windows: the suites take half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((path) => path !== undefined && existsSync(path))

/** What suites are called, so that a report says why they did not run. */
export function named(what: string): string {
  return CHROMIUM === undefined ? `${what} (skipped: there is no Chromium; set AMBIT_CHROMIUM)` : what
}

/** The built UI. */
export const WEB = join(ROOT, 'dist/web')

let shared: Promise<Browser> | undefined

/** A name of somebody else that is made to lead here, as DNS rebinding does. */
export const EVIL = 'evil.example'

/** One browser for all files of a worker: to close it closes what was opened in it. */
export async function launch(): Promise<Browser> {
  const args = ['--no-sandbox', '--force-color-profile=srgb', `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`]
  const start = () => chromium.launch({ executablePath: CHROMIUM ?? '', args })
  // Elsewhere than in tests, a browser that stays would keep the program from ending.
  if (process.env.VITEST === undefined) return start()
  if (!(await shared)?.isConnected()) shared = start()
  const browser = (await shared) ?? (await start())
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
  return browser
}

/** A server of a corpus, with its collections indexed and its contexts said. */
export interface Served extends AsyncDisposable {
  readonly url: string
  readonly engine: Engine
  /** The directory that is served. */
  readonly base: string
  /** An address that signs a browser in. */
  link(): string
  stop(): Promise<void>
  /** Again, at the same address. As one that was started anew it knows no browser any more. */
  start(options?: { readonly isNew?: boolean }): Promise<void>
}

export interface Corpus {
  readonly files: Shape
  /** Root of each collection, from the tree's base, by name. */
  readonly collections?: Readonly<Record<string, string>>
  /** By place. */
  readonly contexts?: Readonly<Record<string, string>>
  /** Where the language model of the assistant is; default the one that is built in. */
  readonly model?: string
  /** Whether that model looks at images; default no. */
  readonly canSee?: boolean
  readonly mcpServers?: Config['mcpServers']
  /** Whether research shows what its nodes were given; default no. */
  readonly uiDebug?: boolean
}

/** Serves a corpus, by the real engine over a real tree. */
export async function serveCorpus(
  { files, collections = {}, contexts = {}, model, canSee = false, mcpServers = {}, uiDebug = false }: Corpus,
  parts: Partial<HttpParts> = {},
): Promise<Served> {
  const planted = tree(files)
  const scripted = { provider: 'openai-compatible', model: 'm', url: model ?? '', canSee } as const
  const set = model === undefined ? {} : { model: scripted }
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:', uiDebug, mcpServers, ...set })
  const library = await engine.library()
  for (const [name, root] of Object.entries(collections)) {
    await library.collections.add({ name, root: planted.at(root), substrings: false })
    await library.collections.index({ names: [name], force: false }, { emit: () => {} })
  }
  const said = await engine.contexts()
  for (const [place, text] of Object.entries(contexts)) await said.add(place, text)
  let bound = await boundToStay()
  const { port } = bound
  const common = { engine, operations, web: WEB, roots: rootsOf(planted.base), hosts: [`127.0.0.1:${port}`], ...parts }
  let auth = new Auth(TOKEN, engine, { rules: parts.signOn?.rules })
  let app = appOf({ ...common, auth })
  const stop = async () => {
    bound.server.closeAllConnections()
    await new Promise((resolve) => bound.server.close(resolve))
  }
  serveRequests(bound.server, app, () => false)
  return {
    url: `http://127.0.0.1:${port}`,
    engine,
    base: planted.base,
    link: () => `http://127.0.0.1:${port}/login?code=${auth.newCode()}`,
    stop,
    async start({ isNew = false } = {}) {
      if (isNew) {
        auth = new Auth(newSecret(), engine, { rules: parts.signOn?.rules })
        app = appOf({ ...common, auth })
      }
      bound = await bindAddress('127.0.0.1', port)
      serveRequests(bound.server, app, () => false)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await engine.close()
      planted[Symbol.dispose]()
    },
  }
}

/**
 * At a port that the system gives to nobody else: one that it gave could be, while the server is stopped, the end of any
 * connection of this machine.
 */
async function boundToStay(): ReturnType<typeof bindAddress> {
  for (;;) {
    try {
      return await bindAddress('127.0.0.1', 20_000 + Math.floor(Math.random() * 12_000))
    } catch (error) {
      if (!(error instanceof ContextError) || error.code !== 'conflict') throw error
    }
  }
}

export interface Viewport {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
}

/** A page of a browser that is signed in. What it complained of is in `complaints`. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[]
}

export async function openPage(
  browser: Browser,
  served: Pick<Served, 'link'>,
  sight: Viewport = {},
): Promise<OpenPage> {
  const { width = 1440, height = 900, dark = false } = sight
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  // What is not there by then says where it was looked for, before the test as a whole is over.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(served.link())
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** Keeps a picture of the page, for people; where nobody looks at it, takes none. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.CI !== undefined) return
  const folder = join(ROOT, 'test-output/web')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
