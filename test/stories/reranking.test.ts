/** A person's way through reranking, on the built program, beside a service on loopback. */

import { expect, it } from 'vitest'
import { ambitInTurnBeside } from '../support/program.ts'
import { rerankServer } from '../support/rerank-server.ts'
import { tree } from '../support/tree.ts'

it('reranking is set up by two variables, asked for by one flag, and done without when the service is gone', async () => {
  using at = tree({
    'docs/a.md': '# Timeouts\n\nA timeout, a timeout, and a timeout.\n',
    'docs/b.md': '# Requests\n\nAfter a timeout a request is sent again.\n',
    'docs/sea.md': '# Sea\n\nWaves.\n',
  })
  const server = await rerankServer()
  server.judge = (_, document) => (document.includes('sent again') ? 4 : -4)
  const env = { AMBIT_RERANK_URL: server.url, AMBIT_RERANK_MODEL: 'judge', AMBIT_RERANK_KEY: 'open-sesame' }
  const run = (lines: readonly string[], own: Readonly<Record<string, string>> = env) =>
    ambitInTurnBeside(
      lines.map((line) => line.split(' ')),
      { cwd: at.base, env: own },
    )
  const SEARCH = 'search timeout --json'
  const answersIn = (told: readonly { readonly stdout: string }[]) => told.map(({ stdout }) => JSON.parse(stdout))
  const [, , plain] = await run(['collection add docs docs', 'index', SEARCH])
  expect(JSON.parse(plain?.stdout ?? '').results[0].path).toBe('a.md')
  expect(server.asked).toEqual([])
  const [doctor, ...reranked] = await run([
    'doctor',
    `${SEARCH} --rerank --explain`,
    `${SEARCH} --rerank --min-score 0.5 -n 1`,
  ])
  expect(answersIn(reranked)).toMatchObject([
    {
      mode: 'lexical',
      degraded: [],
      results: [
        { path: 'b.md', score: 0.982, explain: { lexical: { rank: 2 }, rerank: { rank: 1, score: 4 } } },
        { path: 'a.md', score: 0.018, explain: { lexical: { rank: 1 }, rerank: { rank: 2, score: -4 } } },
      ],
    },
    { results: [{ path: 'b.md' }] },
  ])
  expect(server.asked.at(-1)?.body.documents[0]).toMatch(/^Timeouts\n\n# Timeouts\n\nA timeout/)
  expect(doctor?.stdout).toMatch(/^ok\treranking\tjudge answers, with scores\.$/m)
  await server[Symbol.asyncDispose]()
  const gone = await run([`${SEARCH} --rerank`, 'search timeout --rerank', 'doctor'])
  expect(answersIn(gone.slice(0, 1))).toMatchObject([{ degraded: ['rerank'], results: [{ path: 'a.md' }, {}] }])
  const [, alone, checked] = gone
  expect(alone).toMatchObject({ status: 0, stderr: expect.stringContaining('Not reranked: The reranking service') })
  expect(checked?.stdout).toMatch(/^failed\treranking\t.*did not answer/m)
  expect(JSON.stringify(gone)).not.toContain('sesame')
  const [unset] = await run(['search timeout --rerank'], {})
  expect(unset).toMatchObject({ status: 0, stderr: expect.stringContaining('AMBIT_RERANK_MODEL') })
})
