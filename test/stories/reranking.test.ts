/** A person's way through reranking, on the built program, beside a service on loopback. */

import { describe, expect, it } from 'vitest'
import { ambitBeside } from '../support/program.ts'
import { rerankServer } from '../support/rerank-server.ts'
import { tree } from '../support/tree.ts'

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
    const ambit = (...args: string[]) => ambitBeside(args, { cwd: at.base, env })
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
    const unset = await ambitBeside(['search', 'timeout', '--rerank'], { cwd: at.base })
    expect(unset).toMatchObject({ status: 0, stderr: expect.stringContaining('AMBIT_RERANK_URL') })
  })
})
