/** A reader that was taken over: it tries what it may not do, and answers with what came of it. */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ExtractTask } from '../../../src/ingest/extract/format.ts'

const connected = (port: number) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('connected'))
    socket.on('error', (error) => resolve(`${'code' in error ? error.code : error}`))
  })

const tried = (work: () => unknown): string => {
  try {
    return `done: ${work()}`
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${error.code}` : `${error}`
  }
}

process.on('message', async ({ path }: ExtractTask) => {
  const { secret, port }: { secret: string; port: number } = JSON.parse(path)
  const text = JSON.stringify({
    reads: tried(() => readFileSync(secret, 'utf8')),
    lists: tried(() => readdirSync('/etc').length),
    writes: tried(() => writeFileSync(`${secret}.new`, 'x')),
    runs: tried(() => execFileSync('true')),
    evaluates: tried(() => new Function('return 1')()),
    sees: Object.keys(process.env).filter((name) => !/^(PATH|NODE_CHANNEL_.*)$/.test(name)),
    own: tried(() => readFileSync(new URL(import.meta.url), 'utf8').length > 0),
    connects: await connected(port),
    networks: Object.keys(networkInterfaces()),
  })
  process.send?.({ text })
})
process.send?.('ready')
