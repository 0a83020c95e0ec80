import { execFile, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openDirectory } from '../../src/files/directory.ts'
import { NOBODY, nodeForNobody } from '../support/nobody.ts'
import { PIPE, SOCKET, tree } from '../support/tree.ts'
import { withNobody } from '../support/with-nobody.ts'
import { descriptorsBelow } from './fixtures.ts'
import { bytesOf, textIn } from './objects.contract.ts'

const SECRET = 'the secret outside'

function withLinks() {
  const at = tree({
    'outside/secret.md': SECRET,
    'root/a.md': 'a',
    'root/docs/b.md': 'b',
    'root/docs/deep/c.md': 'c',
    'root/link.md -> /root/a.md': '',
    'root/linked -> /root/docs': '',
    'root/docs/deep/up -> /root/docs': '',
    'root/out.md -> /outside/secret.md': '',
    'root/out -> /outside': '',
    'root/nothing -> /root/none': '',
    'root/round -> round': '',
    'root/pipe': PIPE,
    'root/socket': SOCKET,
  })
  return { at, objects: openDirectory(at.at('root')), [Symbol.dispose]: () => at[Symbol.dispose]() }
}

describe('in a directory, links', () => {
  it('are followed inside it', async () => {
    using on = withLinks()
    expect(await textIn(on.objects, 'link.md')).toBe('a')
    expect(await textIn(on.objects, 'linked/b.md')).toBe('b')
    expect(await on.objects.head('linked/deep/c.md')).toMatchObject({ key: 'linked/deep/c.md', size: 1 })
  })

  it('that lead outside are denied, and nothing of what is there is told', async () => {
    using on = withLinks()
    for (const key of ['out.md', 'out/secret.md']) {
      for (const work of [() => on.objects.read(key), () => on.objects.head(key), () => textIn(on.objects, key)]) {
        const error: unknown = await work().catch((error: unknown) => error)
        expect(error).toMatchObject({ code: 'denied' })
        expect(String(error)).not.toContain('outside/secret')
      }
    }
    await expect(on.objects.list({ prefix: 'out/' })).rejects.toMatchObject({ code: 'denied' })
  })

  it('are listed where they lead to files, once, and what cannot be given is told', async () => {
    using on = withLinks()
    const { objects, left, next } = await on.objects.list()
    expect(objects.map(({ key }) => key)).toEqual(
      'a.md docs/b.md docs/deep/c.md link.md linked/b.md linked/deep/c.md'.split(' '),
    )
    expect(left.map(({ key, why }) => [key, why])).toEqual(
      [
        ['docs/deep/up/', 'duplicate'],
        ['linked/deep/up/', 'duplicate'],
        ['nothing', 'missing'],
        ['out/', 'denied'],
        ['out.md', 'denied'],
        ['pipe', 'unreadable'],
        ['round', 'unreadable'],
        ['socket', 'unreadable'],
      ].sort((a, b) => Buffer.compare(Buffer.from(a[0] ?? ''), Buffer.from(b[0] ?? ''))),
    )
    expect(next).toBeUndefined()
  })

  it('are listed the same by folder, and from wherever one begins', async () => {
    using on = withLinks()
    const folder = async (prefix: string) => {
      const { objects, prefixes, left } = await on.objects.list({ prefix, delimiter: '/' })
      return [objects.map(({ key }) => key), prefixes, left.map(({ key }) => key)]
    }
    expect((await folder('')).slice(1)).toEqual([
      ['docs/', 'linked/'],
      ['nothing', 'out.md', 'out/', 'pipe', 'round', 'socket'],
    ])
    expect(await folder('linked/')).toEqual([['linked/b.md'], ['linked/deep/'], []])
    expect(await folder('linked/deep/')).toEqual([['linked/deep/c.md'], [], ['linked/deep/up/']])
    expect(await folder('docs/deep/up/')).toEqual([[], [], ['docs/deep/up/']])
  })

  it('are listed the same in the smallest of pages', async () => {
    using on = withLinks()
    const keys: string[] = []
    const left: string[] = []
    for (let token: string | undefined; ; ) {
      const page = await on.objects.list({ limit: 1, ...(token !== undefined && { token }) })
      keys.push(...page.objects.map(({ key }) => key))
      left.push(...page.left.map(({ key }) => key))
      token = page.next
      if (token === undefined) break
    }
    const whole = await on.objects.list()
    expect([keys, left]).toEqual([whole.objects.map(({ key }) => key), whole.left.map(({ key }) => key)])
  })

  it('are replaced by what is put in their place, and never written through', async () => {
    using on = withLinks()
    await on.objects.put('out.md', bytesOf('new'))
    await on.objects.put('link.md', bytesOf('new'))
    expect(fs.readFileSync(on.at.at('outside/secret.md'), 'utf8')).toBe(SECRET)
    expect(await textIn(on.objects, 'a.md')).toBe('a')
    expect(await textIn(on.objects, 'out.md')).toBe('new')
    await expect(on.objects.put('out/new.md', bytesOf('x'))).rejects.toMatchObject({ code: 'denied' })
    await expect(on.objects.put('nothing', bytesOf('x'), { if: 'absent' })).rejects.toMatchObject({ code: 'conflict' })
    expect(fs.readdirSync(on.at.at('outside'))).toEqual(['secret.md'])
    expect(descriptorsBelow(on.at.base)).toEqual([])
  })
})

describe('in a directory, files', () => {
  it('that are no files, and directories, are not found', async () => {
    using on = withLinks()
    for (const key of ['docs', 'pipe', 'socket', 'nothing', 'a.md/b']) {
      await expect(on.objects.read(key)).rejects.toMatchObject({ code: 'not-found' })
    }
  })

  it('cannot be put where a directory is, nor below a file', async () => {
    using on = withLinks()
    await expect(on.objects.put('docs', bytesOf('x'))).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(on.objects.put('a.md/b', bytesOf('x'))).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(on.objects.put('a.md/b/c', bytesOf('x'))).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('have another etag after an edit that keeps size and time', async () => {
    using at = tree({ a: 'old' })
    const old = new Date('2026-01-01')
    fs.utimesSync(at.at('a'), old, old)
    await sleep(150)
    const objects = openDirectory(at.base)
    const { etag } = await objects.head('a')
    expect(await objects.read('a', { unless: etag })).toBe('unchanged')
    fs.writeFileSync(at.at('a'), 'new')
    fs.utimesSync(at.at('a'), old, old)
    expect(await objects.read('a', { unless: etag })).toMatchObject({ bytes: Buffer.from('new') })
  })

  it('are never held for unchanged while they may still be written within one tick of the clock', async () => {
    using at = tree({})
    const objects = openDirectory(at.base)
    for (let round = 0; round < 200; round++) {
      fs.writeFileSync(at.at('a'), `${round}`.padStart(4, '0'))
      const { etag } = await objects.head('a')
      fs.writeFileSync(at.at('a'), `${round}`.padStart(4, 'x'))
      expect(await objects.read('a', { unless: etag })).toMatchObject({
        bytes: Buffer.from(`${round}`.padStart(4, 'x')),
      })
    }
  })

  it('that grow while they are streamed are told as a conflict', async () => {
    using at = tree({ a: 'x'.repeat(1_000_000) })
    const stream = openDirectory(at.base).stream('a')[Symbol.asyncIterator]()
    await stream.next()
    fs.appendFileSync(at.at('a'), 'more')
    await expect(stream.next()).rejects.toMatchObject({ code: 'conflict' })
    expect(descriptorsBelow(at.base)).toEqual([])
  })

  withNobody('of a user who is not root', () => {
    it('of a directory that may not be read are denied', async () => {
      using at = tree({ 'open/a': 'a', 'closed/b': 'b' })
      fs.chmodSync(at.at('closed'), 0)
      const [node, module] = nodeForNobody(join(import.meta.dirname, '../../src/files/directory.ts'))
      const program = `import { openDirectory } from ${JSON.stringify(module)}
        if (process.getuid() === 0) process.setuid(${NOBODY})
        const objects = openDirectory(${JSON.stringify(at.base)})
        const code = (work) => work.then(() => 'done', (error) => error.code)
        const { objects: listed, left } = await objects.list()
        console.log(JSON.stringify([
          await code(objects.read('closed/b')), await code(objects.put('closed/c', Buffer.from(''))), await code(objects.list({ prefix: 'closed/' })),
          listed.map(({ key }) => key), left.map(({ key, why }) => [key, why])]))`
      const { stdout } = await promisify(execFile)(node, ['--input-type=module', '--eval', program])
      fs.chmodSync(at.at('closed'), 0o755)
      expect(JSON.parse(stdout)).toEqual(['denied', 'denied', 'denied', ['open/a'], [['closed/', 'unreadable']]])
    })
  })

  it.runIf(process.platform === 'linux')('whose names are not UTF-8 are told, and not given', async () => {
    using at = tree({ a: 'a' })
    fs.writeFileSync(Buffer.concat([Buffer.from(`${at.base}/x`), Buffer.from([0xff])]), 'x')
    const { objects, left } = await openDirectory(at.base).list()
    expect([objects.map(({ key }) => key), left]).toEqual([
      ['a'],
      [{ key: 'x\\xff', why: 'unreadable', detail: expect.any(String) }],
    ])
  })

  it('below too long a path are told, and not given', async () => {
    using at = tree({})
    const segment = 'x'.repeat(250)
    fs.writeFileSync(join(at.at(), 'a'), 'a')
    let path = at.base
    for (let depth = 0; depth < 5; depth++) {
      path = join(path, segment)
      fs.mkdirSync(path)
    }
    fs.writeFileSync(join(path, 'b'), 'b')
    const { objects, left } = await openDirectory(at.base).list()
    expect(objects.map(({ key }) => key)).toEqual(['a'])
    expect(left).toMatchObject([{ why: 'over-limit', key: `${Array(5).fill(segment).join('/')}/` }])
  })
})

describe('in a directory, what is being written', () => {
  it('is not listed, nor read, nor written by its name', async () => {
    using at = tree({
      a: 'a',
      '.ambit-put-0123456789abcdef': 'part',
      '.ambit-put-0123456789abcdef.lock': '',
      '.ambit-put-mine': 'x',
    })
    const objects = openDirectory(at.base)
    expect((await objects.list()).objects.map(({ key }) => key)).toEqual(['.ambit-put-mine', 'a'])
    const key = '.ambit-put-0123456789abcdef'
    await expect(objects.read(key)).rejects.toMatchObject({ code: 'not-found' })
    await expect(objects.put(key, bytesOf('x'))).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('leaves nothing behind, also when it fails', async () => {
    using at = tree({ 'docs/a': 'a' })
    const objects = openDirectory(at.base)
    await objects.put('docs/b', bytesOf('b'))
    await objects.put('docs/b', bytesOf('b'), { if: 'absent' }).catch(() => undefined)
    await objects.put('docs/b', bytesOf('b'), { if: { etag: 'other' } }).catch(() => undefined)
    await objects.put('docs', bytesOf('b')).catch(() => undefined)
    await objects.put('docs/c', Buffer.alloc(5_000_000), { signal: AbortSignal.timeout(1) }).catch(() => undefined)
    expect([fs.readdirSync(at.base), fs.readdirSync(at.at('docs'))]).toEqual([['docs'], ['a', 'b']])
    expect(descriptorsBelow(at.base)).toEqual([])
  })

  it('waits for a lock, but not for that of a process that is gone', async () => {
    using at = tree({})
    const objects = openDirectory(at.base)
    await objects.put('a', bytesOf('old'))
    const lock = at.at(`.ambit-put-${createHash('sha256').update('a').digest('hex').slice(0, 16)}.lock`)
    fs.writeFileSync(lock, '')
    await expect(objects.put('a', bytesOf('new'), { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      code: 'cancelled',
    })
    const before = new Date(Date.now() - 60_000)
    fs.utimesSync(lock, before, before)
    await objects.put('a', bytesOf('new'))
    expect(await textIn(objects, 'a')).toBe('new')
  })

  const title = 'by %i processes at once is written by one of them, of those that know what is there'
  it.each([3])(title, oneWrites)
  it.each([10])(title, { tags: 'long' }, oneWrites)

  async function oneWrites(count: number): Promise<void> {
    using at = tree({})
    const { etag } = await openDirectory(at.base).put('a', bytesOf('before'))
    expect((await writers(count, at.base, etag)).toSorted()).toEqual([...Array(count - 1).fill('conflict'), 'done'])
  }

  /** What became of each of some processes that put the same at once. */
  async function writers(count: number, base: string, etag: string): Promise<string[]> {
    const children = Array.from({ length: count }, (_, at) =>
      fork(join(import.meta.dirname, 'putter.ts'), [base, etag, `writer ${at}`]),
    )
    await Promise.all(children.map((child) => once(child, 'message')))
    const results = children.map(async (child) => String((await once(child, 'message'))[0]))
    for (const child of children) child.send('go')
    return Promise.all(results)
  }

  it('is old or new after its process was killed, never a part; what it left is taken away in time', {
    tags: 'long',
  }, async () => {
    using at = tree({})
    const [old, other] = [Buffer.alloc(2_000_000, 'o'), Buffer.alloc(2_000_000, 'n')]
    const objects = openDirectory(at.base)
    await objects.put('a', old)
    for (let round = 0; round < 40; round++) {
      const child = fork(join(import.meta.dirname, 'putter.ts'), [at.base, 'again'])
      await once(child, 'message')
      child.send('go')
      await sleep(2 + Math.random() * 30)
      child.kill('SIGKILL')
      await once(child, 'exit')
      const bytes = fs.readFileSync(at.at('a'))
      expect(bytes.equals(old) || bytes.equals(other)).toBe(true)
      expect((await objects.list()).objects.map(({ key }) => key)).toEqual(['a'])
    }
    const orphans = fs.readdirSync(at.base).filter((name) => name !== 'a')
    expect(orphans.length).toBeGreaterThan(0)
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const name of orphans) fs.utimesSync(at.at(name), longAgo, longAgo)
    await openDirectory(at.base).sweep(['a'])
    expect(fs.readdirSync(at.base)).toEqual(['a'])
  })

  it('is a file that others may read as their umask says', async () => {
    using at = tree({})
    await openDirectory(at.base).put('a', bytesOf('a'))
    expect(fs.statSync(at.at('a')).mode & 0o777).toBe(0o666 & ~process.umask())
    fs.symlinkSync('a', at.at('b'))
    expect(await textIn(openDirectory(at.base), 'b')).toBe('a')
  })
})
