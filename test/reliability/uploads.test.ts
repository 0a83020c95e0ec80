/**
 * What becomes of uploads: where they are, when they are cut off, when there is no room, and when they are lost.
 *
 * @module-tag long
 */

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { openWith } from '../../src/open.ts'
import { withEnvironment } from '../files/s3-bucket.ts'
import { filesBelow } from '../stores/uploads/beside.ts'
import { Bucket } from '../support/s3/bucket.ts'
import { S3Fault } from '../support/s3/fault.ts'
import { KEY, REGION, SECRET, s3Server } from '../support/s3/server.ts'
import { tree } from '../support/tree.ts'
import { appOf, ask, eventsIn, listening, post } from '../surfaces/http/support.ts'
import { type Served, served } from './served.ts'
import { ALONE, canMount } from './small-disk.ts'

const FERRY = '# Ferry\n\nThe last boat in winter leaves at 19:40.\nA single ticket costs 4.50 euros.\n'
const NOTES = '# Notes\n\nA bicycle costs 2 euros more on the last boat.\n'
const QUESTION = 'When does the last boat leave in winter, and how much is a single ticket?'

function form(name: string, bytes: string | Uint8Array<ArrayBuffer>) {
  const data = new FormData()
  data.append('file', new File([bytes], name))
  return { method: 'POST', body: data }
}

interface Around {
  readonly engine: Engine
  readonly objects: string
  /** A session with these files. */
  session(files: Readonly<Record<string, string>>): Promise<string>
  get(path: string): Promise<Awaited<ReturnType<typeof ask>>>
  /** Runs it to its end, and gives its events. */
  run(id: string, how?: 'start' | 'resume'): Promise<ReturnType<typeof eventsIn>>
}

/** A server in this process over a database in a file. */
async function around(work: (on: Around) => Promise<void>, settings: Partial<Parameters<typeof openWith>[0]> = {}) {
  using at = tree({})
  const engine = openWith({ file: undefined, unknown: [], home: false, db: at.at('a.db'), ...settings })
  const app = appOf({ engine })
  const get = (path: string) => ask(app, path)
  const session: Around['session'] = async (files) => {
    const { json } = await ask(app, '/api/sessions', post({ question: QUESTION }))
    for (const [name, text] of Object.entries(files)) {
      expect((await ask(app, `/api/sessions/${json.session_id}/files`, form(name, text))).status).toBe(201)
    }
    return json.session_id
  }
  const run: Around['run'] = async (id, how = 'start') => {
    expect((await ask(app, `/api/sessions/${id}/${how}`, post({}))).status).toBe(202)
    return eventsIn((await get(`/api/sessions/${id}/events`)).body)
  }
  try {
    await work({ engine, objects: at.at('a.db.objects'), session, get, run })
  } finally {
    await engine.close()
  }
}

const filesOf = (events: ReturnType<typeof eventsIn>) =>
  events.filter(({ event }) => event === 'context_binding_parsing_file_completed').map(({ data }) => data)

describe('uploads over HTTP', () => {
  it('are in the place of objects, and nowhere else; reports are made when they are asked for', () =>
    around(async ({ objects, session, run, get }) => {
      const id = await session({ 'ferry.md': FERRY })
      expect(filesBelow(objects)).toHaveLength(1)
      await run(id)
      const before = filesBelow(join(objects, '..')).toSorted()
      for (const format of ['md', 'html', 'json']) {
        expect((await get(`/api/sessions/${id}/report?format=${format}`)).status).toBe(200)
      }
      expect(filesBelow(join(objects, '..')).toSorted()).toEqual(before)
    }))

  it(
    'I4 that are cut off a thousand times leave nothing open, and nothing behind',
    () =>
      around(async ({ engine, objects, session, get }) => {
        const id = await session({})
        await using server = await listening({ engine })
        const head = [
          `POST /api/sessions/${id}/files HTTP/1.1`,
          `Host: 127.0.0.1:${server.port}`,
          `Authorization: ${server.headers.authorization}`,
          'Content-Type: multipart/form-data; boundary=x',
          'Content-Length: 100000',
          '',
          `--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n${'text '.repeat(500)}`,
        ].join('\r\n')
        const cutOff = (bytes: number) =>
          new Promise<void>((resolve) => {
            const socket = connect(server.port, '127.0.0.1', () =>
              socket.write(head.slice(0, bytes), () => socket.destroy()),
            )
            socket.on('error', () => {})
            socket.on('close', () => resolve())
          })
        const descriptors = () => readdirSync('/proc/self/fd').length
        const before = descriptors()
        for (let done = 0; done < 1000; done += 20) {
          await Promise.all(Array.from({ length: 20 }, (_, at) => cutOff(1 + (((done + at) * 37) % head.length))))
        }
        await expect.poll(descriptors, { timeout: 60_000 }).toBeLessThanOrEqual(before + 5)
        expect((await get(`/api/sessions/${id}`)).json.files).toEqual([])
        expect(filesBelow(objects)).toEqual([])
        // Whoever was cut off holds none of the places of those who come now.
        await expect
          .poll(
            async () =>
              (
                await fetch(`${server.url}/api/sessions/${id}/files`, {
                  ...form('a.md', FERRY),
                  headers: server.headers,
                })
              ).status,
            { timeout: 60_000 },
          )
          .toBe(201)
        expect(filesBelow(objects)).toHaveLength(1)
      }),
    120_000,
  )
})

describe('a disk without room', () => {
  it.skipIf(!canMount())(
    'I5 is told as 507, nothing is listed, and it goes on when there is room',
    async () => {
      using at = tree({ 'disk/': '' })
      const mount = `mount -t tmpfs -o size=1m tmpfs ${at.at('disk')} && exec "$0" "$@"`
      const env = { AMBIT_DB: at.at('a.db'), AMBIT_OBJECTS: at.at('disk/objects') }
      await using server = await served(at.base, { env, within: [...ALONE, 'sh', '-c', mount] })
      const asked = (path: string, init: RequestInit = {}) =>
        fetch(`${server.url}/api/sessions${path}`, { ...init, headers: { ...authorized(server), ...init.headers } })
      const made = async () => {
        const init = { method: 'POST', body: JSON.stringify({ question: QUESTION }), headers: JSON_TYPE }
        return ((await (await asked('', init)).json()) as { session_id: string }).session_id
      }
      const [first, second] = [await made(), await made()]
      const most = new Uint8Array(700_000).fill(65)
      const other = new Uint8Array(700_000).fill(66)
      expect((await asked(`/${first}/files`, form('most.txt', most))).status).toBe(201)
      const refused = await asked(`/${second}/files`, form('other.txt', other))
      expect([refused.status, await refused.json()]).toEqual([
        507,
        {
          type: 'about:blank',
          title: 'Insufficient Storage',
          status: 507,
          code: 'unavailable',
          detail: 'The place where files are kept is full.',
          hint: 'Free some space and try again; nothing is lost.',
        },
      ])
      const filesOf = async (id: string) =>
        ((await (await asked(`/${id}`)).json()) as { files: readonly { alias: string }[] }).files.map(
          ({ alias }) => alias,
        )
      expect([await filesOf(first), await filesOf(second)]).toEqual([['most.txt'], []])
      expect((await asked(`/${first}`, { method: 'DELETE' })).status).toBe(204)
      expect((await asked(`/${second}/files`, form('other.txt', other))).status).toBe(201)
      expect(await filesOf(second)).toEqual(['other.txt'])
    },
    120_000,
  )
})

const JSON_TYPE = { 'content-type': 'application/json' }
const authorized = ({ token }: Served) => ({ authorization: `Bearer ${token}` })

describe('a run whose file was lost', () => {
  it.each([
    ['is gone', (path: string) => rmSync(path), /^The bytes of the file are gone: there is no object uploads\//],
    ['was changed', (path: string) => writeFileSync(path, 'other'), /^The bytes of the file changed/],
  ])('because it %s goes on without it, and says which', (_, harm, reason) =>
    around(async ({ objects, session, run, get }) => {
      const id = await session({ 'ferry.md': FERRY })
      const [kept] = filesBelow(objects)
      const both = await session({ 'ferry.md': FERRY, 'notes.md': NOTES })
      harm(kept ?? '')
      const events = await run(both)
      expect(filesOf(events)).toMatchObject([
        { file: 'ferry.md', status: 'error', reason: expect.stringMatching(reason) },
        { file: 'notes.md', status: 'ready' },
      ])
      expect(events.at(-1)?.event).toBe('run_completed')
      const { json } = await get(`/api/sessions/${both}`)
      expect(json.context_processing).toMatchObject({ files_ready: 1, files_error: 1 })
      expect((await get(`/api/sessions/${both}/report`)).body).toContain('A bicycle costs 2 euros more')
      // It is not remembered as what cannot be read: once it is there again, the next run has it.
      const third = await session({ 'ferry.md': FERRY })
      expect(filesOf(await run(third))).toMatchObject([{ file: 'ferry.md', status: 'ready' }])
      expect(filesOf(await run(id))).toMatchObject([{ file: 'ferry.md', status: 'ready' }])
    }),
  )

  it('says so once where none is left', () =>
    around(async ({ objects, session, run }) => {
      const id = await session({ 'ferry.md': FERRY })
      for (const path of filesBelow(objects)) rmSync(path)
      const events = await run(id)
      expect(events.filter(({ event }) => event === 'context_unavailable')).toHaveLength(1)
      expect(events.at(-1)?.event).toBe('run_completed')
    }))
})

describe('a run whose files cannot be had now', () => {
  it('ends, and has them all when it is gone on with', async () => {
    await using server = await s3Server()
    server.buckets.set('uploads', new Bucket(REGION))
    const settings = { objects: 's3://uploads/here', s3: { endpoint: server.url, region: REGION } }
    await withEnvironment({ AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET }, () =>
      around(async ({ session, engine, get }) => {
        const id = await session({ 'ferry.md': FERRY })
        const answer = new S3Fault(503, 'SlowDown', 'Reduce your request rate')
        server.troubles.push({ of: ({ method }) => method === 'GET', times: 1000, answer })
        const research = await engine.research()
        await expect(research.run(id)).rejects.toMatchObject({ code: 'unavailable' })
        server.troubles.splice(0)
        await research.run(id)
        const { json } = await get(`/api/sessions/${id}`)
        expect([json.status, json.context_processing]).toMatchObject(['completed', { files_ready: 1, files_error: 0 }])
      }, settings),
    )
  })
})
