import { describe, expect, it } from 'vitest'
import { Extractor } from '../../src/ingest/extractor.ts'
import { pageReader, parseRobots } from '../../src/research/web/page-reader.ts'
import { served } from '../internet/served.ts'
import { own } from '../support/own.ts'
import { fc, forAll } from '../support/property.ts'

const isAllowed = (robots: string, path: string) => parseRobots(robots).isAllowed(new URL(path, 'https://example.org'))

describe('the robots.txt of a site', () => {
  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Ambit\nDisallow: /private', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Ambit\nDisallow: /private', '/private/x', false],
    ['User-agent: other\nUser-agent: *\nDisallow: /a # why\n', '/a/b', false],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['User-agent: *\nDisallow: /a*b*c', '/a-b-d-c-e', false],
    ['User-agent: *\nDisallow: /a$', '/a', false],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: /%7Ejoe', '/~joe/x', false],
    ['User-agent: *\r\nDisallow: /a\r\n', '/a', false],
    ['Disallow: /', '/a', true],
    ['User-agent: *\nCrawl-delay: *', '/a', true],
    ['<html>no rules</html>', '/a', true],
  ])('%j lets %s be read: %s', (robots, path, expected) => {
    expect(isAllowed(robots, path)).toBe(expected)
  })

  it.each([
    ['User-agent: *\nCrawl-delay: 0.5', 0.5],
    ['User-agent: *\nCrawl-delay: 60', 10],
    ['User-agent: *\nCrawl-delay: -2', 0],
    ['User-agent: *\nCrawl-delay: soon', 0],
    ['Crawl-delay: 2', 0],
  ])('%j asks for %d seconds between two requests', (robots, seconds) => {
    expect(parseRobots(robots).delay).toBe(seconds)
  })

  it('never takes longer than its length allows, and never throws', () => {
    forAll(
      fc.array(fc.constantFrom('a', '*', '/', '$', '%2', '%2f', ':', '\n', 'Disallow: ', 'User-agent: *\n')),
      (pieces) => {
        expect(typeof isAllowed(pieces.join(''), '/aaa/a?a')).toBe('boolean')
      },
    )
    expect(isAllowed(`User-agent: *\nDisallow: /${'*a'.repeat(2000)}$`, `/${'a'.repeat(1900)}`)).toBe(true)
  })
})

const extractor = own(new Extractor())
const signal = new AbortController().signal

/** A site; `gate`: what each page waits for. */
async function site(robots: { readonly status?: number; readonly body?: string }, gate?: () => Promise<void>) {
  let [open, most] = [0, 0]
  const server = await served(async ({ url = '' }, response) => {
    if (url === '/robots.txt') return void response.writeHead(robots.status ?? 200).end(robots.body ?? '')
    most = Math.max(most, ++open)
    await gate?.()
    open--
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>The page ${url} says something.</p>`)
  })
  return {
    asked: () => server.asked.map(({ path }) => path),
    most: () => most,
    url: server.url,
    reader: pageReader({ extractor, allowLoopback: true, isPolite: true }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe('a reader of pages', () => {
  it('asks a site for its rules once, and reads nothing that it asks not to be read', async () => {
    await using one = await site({ body: 'User-agent: *\nDisallow: /private' })
    await one.reader.read(`${one.url}/a`, signal)
    await expect(one.reader.read(`${one.url}/private/b`, signal)).rejects.toThrow(/robots\.txt of its site/)
    await one.reader.read(`${one.url}/c`, signal)
    expect(one.asked()).toEqual(['/robots.txt', '/a', '/c'])
  })

  it.each([
    [404, true],
    [403, true],
    [500, false],
    [503, false],
  ])('of a site that answers %i for its rules reads: %s', async (status, reads) => {
    await using one = await site({ status, body: 'User-agent: *\nDisallow: /' })
    const read = one.reader.read(`${one.url}/a`, signal)
    if (reads) expect((await read).text).toContain('says something')
    else await expect(read).rejects.toThrow(/robots\.txt/)
  })

  it('asks a site for two pages at once, and no more', async () => {
    const waiting: (() => void)[] = []
    await using one = await site({}, () => new Promise((resolve) => waiting.push(resolve)))
    const reads = Promise.all(Array.from({ length: 7 }, (_, at) => one.reader.read(`${one.url}/${at}`, signal)))
    let [isDone, left] = [false, 7]
    const done = reads.finally(() => {
      isDone = true
    })
    while (!isDone) {
      // One goes on when as many wait as may.
      if (waiting.length === Math.min(2, left) && left > 0) {
        waiting.shift()?.()
        left--
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    await done
    expect(one.most()).toBe(2)
    expect(one.asked().filter((path) => path !== '/robots.txt')).toHaveLength(7)
  })
})
