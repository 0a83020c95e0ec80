import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Extractor } from '../../src/ingest/extractor.ts'
import { pageCache } from '../../src/research/web/page-cache.ts'
import { pageReader } from '../../src/research/web/page-reader.ts'
import { served } from '../internet/served.ts'
import { tree } from '../support/tree.ts'

const extractor = new Extractor({ workers: 1 })
const places = tree({})
afterAll(async () => {
  places[Symbol.dispose]()
  await extractor.close()
})

let made = 0
function temporaryDirectory(): string {
  const path = places.at(`${made++}`)
  mkdirSync(path)
  return path
}

const signal = AbortSignal.timeout(60_000)

type Headers = Readonly<Record<string, string>>

/** A site whose page has these headers, and says `304` to who knows them. */
async function site(headers: Headers, later: Headers = {}) {
  const server = await served(({ headers: asked }, response, index) => {
    const isKnown = 'if-none-match' in asked || 'if-modified-since' in asked
    if (isKnown) response.writeHead(304, later).end()
    else response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(`Version ${index + 1}.`)
  })
  const directory = temporaryDirectory()
  const readerOf = (owner: string, options: { mostBytes?: number } = {}) =>
    pageReader({ extractor, allowLoopback: true, cache: pageCache({ directory, owner, ...options }) })
  return { server, directory, readerOf, read: (owner = '') => readerOf(owner).read(`${server.url}/page`, signal) }
}

const FOREVER = 'max-age=31536000'

describe('a page that was read before', () => {
  it.each<[string, Headers, Headers]>([
    ['an ETag', { etag: '"one"' }, { 'if-none-match': '"one"' }],
    [
      'a day of its last change',
      { 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' },
      { 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' },
    ],
    ['an ETag, and is to be asked for each time', { etag: 'W/"1"', 'cache-control': `no-cache, ${FOREVER}` }, {}],
  ])('with %s is asked for with that, and is what it was', async (_, headers, asked) => {
    const { server, read } = await site(headers)
    await using _server = server
    const first = await read()
    expect(first.isKept).toBeUndefined()
    expect(await read()).toEqual({ ...first, isKept: true })
    expect(server.asked).toHaveLength(2)
    expect(server.asked[1]?.headers).toMatchObject(asked)
  })

  it.each<[string, Headers]>([
    ['for an hour', { 'cache-control': 'public, max-age=3600' }],
    ['until a day', { expires: 'Thu, 01 Jan 2099 00:00:00 GMT' }],
  ])('and holds %s is not asked for again', async (_, headers) => {
    const { server, read } = await site(headers)
    await using _server = server
    const first = await read()
    expect(await read()).toEqual({ ...first, isKept: true })
    expect(server.asked).toHaveLength(1)
  })

  it('is not asked for again for as long as a 304 says', async () => {
    const { server, read } = await site({ etag: '"one"' }, { 'cache-control': FOREVER })
    await using _server = server
    expect([await read(), await read(), await read()].map(({ text }) => text)).toEqual(Array(3).fill('Version 1.'))
    expect(server.asked).toHaveLength(2)
  })

  it.each<[string, Headers]>([
    ['may not be kept', { etag: '"one"', 'cache-control': `no-store, ${FOREVER}` }],
    ['differs by anything that is sent', { etag: '"one"', vary: '*' }],
    ['says nothing of itself', {}],
    ['is over already', { expires: '0', 'cache-control': 'max-age=0' }],
    ['has lain elsewhere for as long as it holds', { 'cache-control': 'max-age=60', age: '60' }],
  ])('and %s is read anew', async (_, headers) => {
    const { server, directory, read } = await site(headers)
    await using _server = server
    await read()
    expect(readdirSync(directory)).toEqual([])
    expect(await read()).toMatchObject({ text: 'Version 2.' })
    expect(server.asked[1]?.headers).not.toHaveProperty('if-none-match')
  })

  it('is what it has become, where it has changed', async () => {
    await using server = await served((_, response, index) =>
      response.writeHead(200, { 'content-type': 'text/plain', etag: `"${index}"` }).end(`Version ${index + 1}.`),
    )
    const cache = pageCache({ directory: temporaryDirectory(), owner: '' })
    const reader = pageReader({ extractor, allowLoopback: true, cache })
    await reader.read(server.url, signal)
    expect(await reader.read(server.url, signal)).toMatchObject({ text: 'Version 2.' })
  })

  it('by somebody is unknown to others', async () => {
    const { server, read } = await site({ 'cache-control': FOREVER })
    await using _server = server
    await read('ada')
    expect(await read('grace')).toMatchObject({ text: 'Version 2.' })
    expect(await read('ada')).toMatchObject({ text: 'Version 1.', isKept: true })
  })

  it('is the user’s alone on the disk, and is read anew where its file is damaged', async () => {
    const { server, directory, read } = await site({ 'cache-control': FOREVER })
    await using _server = server
    await read()
    const [path = ''] = filesIn(directory)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    expect(await read()).toMatchObject({ text: 'Version 2.' })
  })

  it('goes when there are too many bytes, the ones that were confirmed longest ago first', async () => {
    await using server = await served((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': FOREVER }).end('x'.repeat(10_000)),
    )
    const directory = temporaryDirectory()
    const cache = pageCache({ directory, owner: '', mostBytes: 25_000 })
    const reader = pageReader({ extractor, allowLoopback: true, cache })
    const all = Array.from({ length: 33 }, (_, at) => `${server.url}/${at}`)
    for (const url of all) await reader.read(url, signal)
    expect(filesIn(directory)).toHaveLength(2)
    expect(cache.find(`${server.url}/32`)).toBeDefined()
    expect(cache.find(`${server.url}/0`)).toBeUndefined()
  })

  it('and cannot be kept is read all the same', async () => {
    const directory = join(temporaryDirectory(), 'file')
    writeFileSync(directory, 'no directory')
    await using server = await served((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', etag: '"1"' }).end('Text.'),
    )
    const reader = pageReader({ extractor, allowLoopback: true, cache: pageCache({ directory, owner: '' }) })
    expect(await reader.read(server.url, signal)).toMatchObject({ text: 'Text.' })
  })
})

function filesIn(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
