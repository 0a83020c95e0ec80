import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { networkIsolation, WorkerProcess } from '../../../src/ingest/extract/worker-process.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'
import { openWith } from '../../../src/open.ts'

const dir = mkdtempSync(join(tmpdir(), 'ambit-sandbox-'))
const secret = join(dir, 'secret.txt')
const visits: unknown[] = []
const server = createServer((request, response) => response.end(visits.push(request.url)))
let found: Readonly<Record<string, unknown>> = {}

beforeAll(async () => {
  writeFileSync(secret, 'the word is sesame')
  process.env.AMBIT_TEST_SECRET = 'sesame'
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const worker = new WorkerProcess(new URL('./prying-worker.ts', import.meta.url), EXTRACT_LIMITS)
  const path = JSON.stringify({ secret, port: (server.address() as AddressInfo).port })
  const answer = await worker.run({ path, format: 'html', bytes: new Uint8Array(), limits: EXTRACT_LIMITS })
  found = JSON.parse((answer as { readonly text: string }).text)
  await worker.end()
})

afterAll(() => {
  delete process.env.AMBIT_TEST_SECRET
  server.close()
  rmSync(dir, { recursive: true })
})

describe('a process that reads documents, taken over by one of them', () => {
  it.each([
    ['reads', 'a file of the person'],
    ['lists', 'a directory'],
    ['writes', 'a file'],
    ['runs', 'a program'],
  ])('is denied when it %s %s', (deed) => {
    expect(found[deed]).toBe('ERR_ACCESS_DENIED')
    expect(existsSync(`${secret}.new`)).toBe(false)
  })

  it('evaluates no text', () => {
    expect(found.evaluates).toContain('Code generation from strings disallowed')
  })

  it('has nothing of the environment', () => {
    expect(found.sees).toEqual([])
  })

  it('reads its own program', () => {
    expect(found.own).toBe('done: true')
  })

  it.runIf(networkIsolation().by === 'namespace')('reaches no network, not even this machine', () => {
    expect(found.connects).toBe('ENETUNREACH')
    expect(found.networks).toEqual([])
    expect(visits).toEqual([])
  })

  it('is told of by doctor as it is: with a network, or without', async () => {
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { checks } = await engine.doctor(SILENT).finally(() => engine.close())
    const told = checks.find(({ name }) => name === 'document readers')
    const [status, message] =
      found.connects === 'connected' ? ['warning', /may use the network: \S/] : ['ok', /It has no network\.$/]
    expect(told).toMatchObject({ status, message: expect.stringMatching(message) })
  })
})
