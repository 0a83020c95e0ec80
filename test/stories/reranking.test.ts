/** A person's way through reranking, on the built program, beside a service on loopback. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { BIN, SHARED_ENV } from '../support/program.ts'
import { rerankServer } from '../support/rerank-server.ts'
import { tree } from '../support/tree.ts'

/** Not waited for by a stop of this process: the service answers from here. */
async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const own = { ...SHARED_ENV, HOME: cwd, AMBIT_DB: `${cwd}/ambit.db`, NO_COLOR: '1', ...env }
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: own, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status, stdout, stderr }
}

describe('reranking', () => {
  it('is set up by two variables, asked for by one flag, and done without when the service is gone', async () => {
    using at = tree({
      'docs/a.md': '# Timeouts\n\nA timeout, a timeout, and a timeout.\n',
      'docs/b.md': '# Requests\n\nAfter a timeout a request is sent again.\n',
      'docs/sea.md': '# Sea\n\nWaves.\n',
    })
    const server = await rerankServer()
    server.judge = (_, document) => (document.includes('sent again') ? 4 : -4)
    const env = { AMBIT_RERANK_URL: server.url, AMBIT_RERANK_MODEL: 'judge', AMBIT_RERANK_KEY: 'open-sesame' }
    const ambit = (...args: string[]) => run(args, at.base, env)
    await ambit('collection', 'add', 'docs', 'docs')
    await ambit('index')
    const found = async (...args: string[]) => JSON.parse((await ambit('search', 'timeout', '--json', ...args)).stdout)
    const first = (answer: { results: readonly { path: string }[] }) => answer.results[0]?.path
    expect(first(await found())).toBe('a.md')
    expect(server.asked).toEqual([])
    const answer = await found('--rerank', '--explain')
    expect(answer).toMatchObject({
      mode: 'lexical',
      degraded: [],
      results: [
        { path: 'b.md', score: 0.982, explain: { lexical: { rank: 2 }, rerank: { rank: 1, score: 4 } } },
        { path: 'a.md', score: 0.018, explain: { lexical: { rank: 1 }, rerank: { rank: 2, score: -4 } } },
      ],
    })
    expect(server.asked[0]?.body.documents[0]).toMatch(/^Timeouts\n\n# Timeouts\n\nA timeout/)
    expect(first(await found('--rerank', '--min-score', '0.5', '-n', '1'))).toBe('b.md')
    expect((await ambit('doctor')).stdout).toMatch(/^ok\treranking\tjudge answers, with scores\.$/m)
    await server[Symbol.asyncDispose]()
    expect(await found('--rerank')).toMatchObject({ degraded: ['rerank'], results: [{ path: 'a.md' }, {}] })
    const alone = await ambit('search', 'timeout', '--rerank')
    expect(alone).toMatchObject({ status: 0, stderr: expect.stringContaining('Not reranked: The reranking service') })
    const doctor = await ambit('doctor')
    expect(doctor.stdout).toMatch(/^failed\treranking\t.*did not answer/m)
    expect(JSON.stringify([alone, doctor])).not.toContain('sesame')
    const unset = await run(['search', 'timeout', '--rerank'], at.base, {})
    expect(unset).toMatchObject({ status: 0, stderr: expect.stringContaining('AMBIT_RERANK_URL') })
  })
})
