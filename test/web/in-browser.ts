/** What tests in a browser begin with. */

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import {
  CHROMIUM,
  type Corpus,
  launch,
  type OpenPage,
  openPage,
  type Served,
  serveCorpus,
  type Viewport,
} from './support.ts'

/** A suite that is skipped without Chromium; `named` says why in its name. */
export const inBrowser = describe.skipIf(CHROMIUM === undefined)

export type Parts = NonNullable<Parameters<typeof serveCorpus>[1]>

/** One server for all tests of a file, which is there when the first of them runs. */
export function sharedServer(corpus: Corpus, parts?: Parts): Served {
  let served: Served | undefined
  beforeAll(async () => {
    if (CHROMIUM !== undefined) served = await serveCorpus(corpus, parts)
  })
  afterAll(() => served?.[Symbol.asyncDispose]())
  return new Proxy({} as Served, { get: (none, key) => Reflect.get(served ?? none, key) })
}

/** A page of the browser that all files share. */
export async function visit(served: Pick<Served, 'link'>, sight?: Viewport): Promise<OpenPage> {
  return openPage(await launch(), served, sight)
}

/** A page of a server of its own. */
export async function visitCorpus(corpus: Corpus, parts?: Parts): Promise<OpenPage & { readonly served: Served }> {
  const served = await serveCorpus(corpus, parts)
  const seen = await visit(served)
  const close = async () => {
    await seen[Symbol.asyncDispose]()
    await served[Symbol.asyncDispose]()
  }
  return { ...seen, served, [Symbol.asyncDispose]: close }
}

/** The page, which must have complained of nothing when it is closed. */
export function quiet<Seen extends OpenPage>(seen: Seen): Seen {
  const close = async () => {
    try {
      expect(seen.complaints).toEqual([])
    } finally {
      await seen[Symbol.asyncDispose]()
    }
  }
  return { ...seen, [Symbol.asyncDispose]: close }
}

/** What lasts until its test is over. */
export function lasting<Used extends AsyncDisposable>(used: Used): Used {
  onTestFinished(() => used[Symbol.asyncDispose]())
  return used
}

/** A page of a browser that nobody is signed in with. */
export function visitUnknown({ url }: Pick<Served, 'url'>, sight?: Viewport): Promise<OpenPage> {
  return visit({ link: () => url }, sight)
}

/** A page of somebody who signed in with a token. */
export async function visitAs(served: Pick<Served, 'url'>, token: string): Promise<OpenPage> {
  const seen = await visitUnknown(served)
  await seen.page.getByLabel(/sign in with a token/i).fill(token)
  await seen.page.getByRole('button', { name: 'Sign in' }).click()
  await seen.page.getByRole('heading', { name: 'Collections', level: 1 }).waitFor()
  return seen
}

/** Waits for the first of them. */
export const firstOf = (all: Locator) => all.first().waitFor()

export const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name })
