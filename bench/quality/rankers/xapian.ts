import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Ranker, RankerMaker } from '../ranker.ts'

/** Where Debian's package python3-xapian can be imported; another Python on the path may not know it. */
const PYTHON = '/usr/bin/python3'
const SCRIPT = fileURLToPath(new URL('xapian_index.py', import.meta.url))

/** Why Xapian cannot be measured; undefined where it can. */
export function lacksXapian(): string | undefined {
  const { status } = spawnSync(PYTHON, ['-c', 'import xapian'])
  return status === 0 ? undefined : 'Xapian was not measured: install the Debian package python3-xapian.'
}

/** Xapian in a process of its own: BM25, English stems, words joined by OR. */
export const xapianRanker: RankerMaker = { name: 'Xapian', open: openXapian }

function openXapian(): Ranker {
  const process = spawn(PYTHON, [SCRIPT])
  let told = ''
  process.stderr.on('data', (data) => {
    told += String(data)
  })
  const lines = createInterface(process.stdout)[Symbol.asyncIterator]()
  const answer = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`Xapian ended: ${told}`)
    return JSON.parse(value)
  }
  return {
    name: xapianRanker.name,
    async index(documents) {
      for await (const { id, title, text } of documents) await say(process, { id, title, text })
      await say(process, null)
      await answer()
    },
    async search(query, k) {
      await say(process, { query, most: k })
      return answer()
    },
    async close() {
      process.stdin.end()
      if (process.exitCode === null) await once(process, 'exit')
    },
  }
}

/** Half a character is none for Python. */
async function say({ stdin }: ChildProcessWithoutNullStreams, row: unknown): Promise<void> {
  const line = `${JSON.stringify(row, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))}\n`
  if (!stdin.write(line)) await once(stdin, 'drain')
}
