/**
 * Rows of group M of test/reliability/README.md that are about these pages.
 *
 * @module-tag long
 */

import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { SECURITY_HEADERS } from '../../src/surfaces/http/guard.ts'
import { listening, TOKEN } from '../surfaces/http/support.ts'
import { TEAM } from './corpus.ts'
import { firstOf, inBrowser, lasting, sharedServer, visit, visitUnknown } from './in-browser.ts'
import { asName, markdownOf, PAYLOADS, TARGETS } from './payloads.ts'
import { type Corpus, named, serveCorpus, takePicture } from './support.ts'

const BIDI = 'if (access !== "user\u202e \u2066// only for admins\u2069 \u2066") {\n  grant()\u200b\n}\n'

/** As the label of a box, of a line, of a group, and in a link. */
function diagramOf(payload: string): string {
  const label = payload.replaceAll(/["|\n]/g, "'")
  return `\`\`\`mermaid\ngraph LR\nsubgraph g ["${label}"]\nA["${label}"] -->|${label}| B\nend\nclick A "javascript:pwned()"\n\`\`\``
}

const HOSTILE: Corpus = {
  files: {
    'hostile/README.md': markdownOf(PAYLOADS, TARGETS),
    'hostile/all.csv': `${PAYLOADS.map((each) => `"${each.replaceAll('"', '""')}"`).join(',')}\n`.repeat(3),
    'hostile/all.json': JSON.stringify(Object.fromEntries(PAYLOADS.map((each) => [each, { [each]: each }]))),
    'hostile/all.html': PAYLOADS.join('\n'),
    'hostile/all.txt': PAYLOADS.join('\n'),
    'hostile/bidi.js': BIDI,
    'hostile/bidi.md': `# Access\u202e\n\nNot \u202eso\u202c, and \`a\u200bb\`.\n`,
    'hostile/diagrams.md': `# Diagrams\n\n${PAYLOADS.map(diagramOf).join('\n\n')}\n`,
    'hostile/deep.md': `# Deep\n\n${'<div>'.repeat(20_000)}\n\n${'> '.repeat(90)}a\n`,
    'hostile/front.md': `---\ntitle: '${'<img src=x onerror=pwned()>'}'\n---\n\nText.\n`,
    ...Object.fromEntries(
      PAYLOADS.map((each) => [`hostile/names/${asName(each)}.md`, `# ${each}\n\nharmless ${each}\n`]),
    ),
  },
  collections: { hostile: 'hostile' },
  contexts: {
    '/': PAYLOADS.slice(0, 30).join(' '),
    hostile: PAYLOADS.slice(30).join(' '),
    'hostile/names': TARGETS.join(' '),
  },
}

const served = sharedServer(HOSTILE)

/** A page whose canary sings when anything is run, and that knows who was asked for anything. */
async function watched() {
  const seen = await visit(served)
  const requests: string[] = []
  const sung: string[] = []
  await seen.page.exposeFunction('pwned', () => sung.push('pwned'))
  seen.page.on('dialog', (dialog) => sung.push(dialog.message()))
  seen.context.on('request', (request: Request) => requests.push(request.url()))
  const foreign = () => requests.filter((url) => !url.startsWith(`${served.url}/`) && !url.startsWith('data:'))
  return { ...seen, sung, foreign, [Symbol.asyncDispose]: () => seen.context.close() }
}

/** What a page without its server showed within five seconds but its error: two rounds of what asks for the server. */
function blinks(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const seen = new Set<string>()
    const look = () => {
      if (!document.querySelector('main [role=alert]')) seen.add('no error')
      if (document.querySelector('main [data-result]')) seen.add('what was asked before')
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true })
    look()
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    observer.disconnect()
    return [...seen]
  })
}

/** What is in the page and could run something: nothing. */
function dangers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('body *')]
    const strange = all.filter((element) =>
      /^(script|iframe|object|embed|style|link|meta|base)$/i.test(element.tagName),
    )
    const handlers = all.filter((element) => element.getAttributeNames().some((name) => /^on/i.test(name)))
    const leading = all.filter((element) =>
      ['href', 'src', 'action', 'xlink:href', 'formaction'].some((name) => {
        const value = element.getAttribute(name)
        return value !== null && !/^(https?:\/\/|mailto:|[/#]|data:image)/i.test(value)
      }),
    )
    return [...strange, ...handlers, ...leading].map((element) => element.outerHTML.slice(0, 200))
  })
}

const PAGES: readonly (readonly [what: string, path: string, mark: string])[] = [
  ['the collections', '/', 'main table'],
  ['a folder of hostile names', '/browse/hostile/names', 'main table a'],
  ['Markdown under a folder', '/browse/hostile', '.prose h1'],
  ['Markdown', '/browse/hostile/README.md', '.prose h1'],
  ['its source', '/browse/hostile/README.md?view=source', '.code'],
  ['CSV', '/browse/hostile/all.csv', 'main section table'],
  ['JSON', '/browse/hostile/all.json', '.code'],
  ['HTML', '/browse/hostile/all.html', 'main article'],
  ['text', '/browse/hostile/all.txt', '.code'],
  ['diagrams', '/browse/hostile/diagrams.md', '.prose .code'],
  ['what is nested deeply', '/browse/hostile/deep.md', '.prose'],
  ['front matter', '/browse/hostile/front.md', '.prose'],
  ['what was found', '/search?q=harmless&n=100', 'main ol mark'],
  ['what was asked', `/search?q=${encodeURIComponent('<img src=x onerror=pwned()>')}`, 'main [role=status]'],
  ['a hostile address', `/browse/hostile/${encodeURIComponent('<img src=x onerror=pwned()>')}`, '[role=alert]'],
  ['hostile words in an address', '/search?c=%3Cscript%3E&q=a&path=javascript%3Apwned()&mode=x', 'main [role=alert]'],
]

inBrowser(named('M1 and M2'), () => {
  it('M1 there are 150 texts, and more, that would do something', () => {
    const places = PAGES.length - 4
    expect((PAYLOADS.length + TARGETS.length) * places).toBeGreaterThan(150)
    expect(new Set([...PAYLOADS, ...TARGETS]).size).toBe(PAYLOADS.length + TARGETS.length)
  })

  it.each(PAGES)('M1 M2 in %s nothing runs, and nothing is asked of another host', async (_, path, mark) => {
    const { page, sung, foreign, complaints } = lasting(await watched())
    await page.goto(`${served.url}${path}`)
    await page.locator(mark).first().waitFor()
    await page.waitForLoadState('networkidle')
    // The last first: what is open does not count any more.
    const closed = await page.locator('main details:not([open]) > summary').all()
    for (const summary of closed.reverse()) await summary.click()
    await page.mouse.move(700, 400)
    expect([sung, foreign(), await dangers(page)]).toEqual([[], [], []])
    expect(complaints.filter((text) => !/404|400/.test(text))).toEqual([])
  })

  it('M1 the canary would sing', async () => {
    await using seen = await watched()
    await seen.page.evaluate(() => (window as unknown as { pwned(): void }).pwned())
    expect(seen.sung).toEqual(['pwned'])
  })

  it('M1 what is not text would be found', async () => {
    await using seen = await watched()
    await seen.page.evaluate(() => {
      const link = document.createElement('a')
      link.setAttribute('href', 'javascript:pwned()')
      document.body.append(link)
    })
    expect(await dangers(seen.page)).toEqual(['<a href="javascript:pwned()"></a>'])
  })

  it('M1 the policy refuses what would get into the page all the same', async () => {
    await using seen = await watched()
    const refused = await seen.page.evaluate(() => {
      try {
        document.body.innerHTML = '<img src=x onerror=pwned()>'
        return 'taken'
      } catch (error) {
        return (error as Error).name
      }
    })
    expect([refused, seen.sung]).toEqual(['TypeError', []])
  })

  it('M1 hostile names are written as they are, and lead to their files', async () => {
    const { page, sung } = lasting(await watched())
    await page.goto(`${served.url}/browse/hostile/names`)
    const name = `${asName('<img src=x onerror=pwned()>')}.md`
    await page.getByLabel('Filter by name').fill(name)
    await page.locator(`a[title="${name}"]`).click()
    await page.getByText('harmless').first().waitFor()
    expect(await page.locator('article h1').first().textContent()).toBe(name)
    expect(sung).toEqual([])
  })

  it('M2 of an image from elsewhere it is said that it was not loaded, and from where', async () => {
    const { page, foreign } = lasting(await watched())
    await page.goto(`${served.url}/browse/hostile/README.md`)
    await page.getByText('not loaded').first().waitFor()
    expect(await page.getByText('image from remote.example').count()).toBeGreaterThan(3)
    expect(foreign()).toEqual([])
  })
})

inBrowser(named('M3 to M9'), () => {
  it('M3 links to elsewhere tell the host, and take nothing along', async () => {
    const { page } = lasting(await watched())
    await page.goto(`${served.url}/browse/hostile/README.md`)
    await page.locator('.prose h1').waitFor()
    const links = page.locator('.prose a[href^=http]')
    // The first screen is drawn before the rest of the text.
    await expect.poll(() => links.count()).toBeGreaterThan(5)
    for (const link of await links.all()) {
      const [href, rel, text] = [
        await link.getAttribute('href'),
        await link.getAttribute('rel'),
        await link.textContent(),
      ]
      expect([rel, text]).toEqual(['noopener noreferrer', expect.stringContaining(new URL(href ?? '').host)])
    }
  })

  it('M4 characters that turn the direction of code, or are not seen, are written out', async () => {
    const { page } = lasting(await watched())
    await page.goto(`${served.url}/browse/hostile/bidi.js`)
    await page.locator('.code').getByText('U+202E').waitFor()
    await takePicture(page, 'bidi')
    const shown = (await page.locator('.code').textContent()) ?? ''
    expect(shown).toContain('U+200B')
    await page.goto(`${served.url}/browse/hostile/bidi.md`)
    await page.locator('.prose h1').waitFor()
    const prose = (await page.locator('main').textContent()) ?? ''
    expect([shown, prose].join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/)
    expect(prose).toMatch(/\[U\+202E\]so/)
  })

  it('M6 no page of another site has it in a frame', async () => {
    const { page } = lasting(await watched())
    await using other = await listening()
    const response = await page.request.get(`${served.url}/`)
    expect(response.headers()['content-security-policy']).toBe(SECURITY_HEADERS['Content-Security-Policy'])
    await page.route(`${other.url}/frame`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${served.url}/"></iframe>` }),
    )
    await page.goto(`${other.url}/frame`)
    await page.waitForLoadState('networkidle')
    const frames = page.frames().filter((frame) => frame !== page.mainFrame())
    expect(frames.map((frame) => frame.url())).toEqual([expect.not.stringContaining(served.url)])
  })

  it('M7 neither the token nor the code of the link is anywhere that a script could read', async () => {
    const { context, page } = await visit(served)
    const link = served.link()
    await page.goto(link)
    await page.locator('main').waitFor()
    await page.goto(`${served.url}/search?q=harmless`)
    await page.locator('main ol mark').first().waitFor()
    const readable = await page.evaluate(() =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        location.href,
        document.referrer,
        history.state,
      ]),
    )
    const code = new URL(link).searchParams.get('code') ?? ''
    expect(code).toHaveLength(43)
    for (const secret of [TOKEN, code]) expect(readable).not.toContain(secret)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(readable).not.toContain(cookie?.value)
    await page.goBack()
    expect(page.url()).not.toContain(code)
    await context.close()
  })

  it('M9 when the server is gone the page says so, and goes on when it is back', async () => {
    await using own = await serveCorpus(TEAM)
    const { context, page } = await visit(own)
    await page.goto(`${own.url}/search?q=timeout`)
    await page.locator('main ol mark').first().waitFor()
    await own.stop()
    await page.getByRole('searchbox').fill('idempotency')
    await page.getByText('The server does not respond').first().waitFor()
    await takePicture(page, 'server-gone')
    expect(await blinks(page)).toEqual([])
    await own.start()
    await firstOf(page.locator('main ol mark', { hasText: /idempoten/i }))
    await page.getByText('The server does not respond').first().waitFor({ state: 'detached' })
    expect(await page.getByRole('searchbox').inputValue()).toBe('idempotency')
    await context.close()
  })

  it.each([
    ['a page', /assets\/Settings-.*\.js/, (page: Page) => page.getByRole('link', { name: 'Settings' }).first().click()],
    ['a reader', /assets\/Markdown-.*\.js/, (page: Page) => page.getByText('install.md').first().click()],
  ])('M9 %s that could not be loaded comes when the server is back', async (_what, part, go) => {
    await using own = await serveCorpus(TEAM)
    const { context, page } = await visit(own)
    let isGone = true
    await page.route(
      (url) => isGone && (part.test(url.pathname) || url.pathname === '/healthz'),
      (route) => route.abort('connectionrefused'),
    )
    await page.goto(`${own.url}/browse/handbook/guides`)
    await go(page)
    await page.getByText('The server does not respond').first().waitFor()
    expect(await page.getByText('dynamically imported module').count()).toBe(0)
    isGone = false
    await page.getByText('The server does not respond').first().waitFor({ state: 'detached' })
    await firstOf(page.getByRole('heading', { name: /^(Settings|Install)/ }))
    await context.close()
  })

  it('M9 a server that was started anew does not know the browser, which is told how to get in', async () => {
    await using own = await serveCorpus(TEAM)
    const { context, page } = await visit(own)
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    // The other pages are loaded ahead.
    await page.waitForLoadState('networkidle')
    await own.stop()
    await own.start({ isNew: true })
    await page.getByRole('link', { name: 'Search', exact: true }).first().click()
    await page.getByRole('searchbox').fill('timeout')
    const told = page.getByRole('status').filter({ hasText: 'sign in again' })
    await told.waitFor()
    await takePicture(page, 'signed-out')
    const other = await context.newPage()
    await other.goto(own.link())
    await other.close()
    await page.getByRole('searchbox').fill('timeouts')
    await page.locator('main ol mark').first().waitFor()
    await told.waitFor({ state: 'detached' })
    await context.close()
  })

  it('M9 who comes without a session is shown how to get one', async () => {
    const { page } = lasting(await visitUnknown({ url: `${served.url}/browse/hostile` }))
    await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor()
    await takePicture(page, 'door')
    await page.goto(served.link())
    await page.getByRole('heading', { name: 'Collections', exact: true }).first().waitFor()
  })
})
