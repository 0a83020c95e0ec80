/** A person's way through search by meaning, on the built program, beside a service on loopback. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { embeddingServer } from '../support/embedding-server.ts'
import { ambitBeside, ambitInTurnBeside, BIN, SHARED_ENV } from '../support/program.ts'
import { tree } from '../support/tree.ts'

describe('search by meaning', () => {
  it('is set up by two variables and one command, and does without when the service is gone', async () => {
    using at = tree({ 'docs/pets.md': '# Pets\n\nThe kitten sleeps.\n', 'docs/cars.md': '# Cars\n\nAn engine.\n' })
    const server = await embeddingServer()
    const env = { AMBIT_EMBEDDING_URL: server.url, AMBIT_EMBEDDING_MODEL: 'plain' }
    const run = (...lines: readonly string[]) =>
      ambitInTurnBeside(
        lines.map((line) => line.split(' ')),
        { cwd: at.base, env },
      )
    const [, , before, embedded, found, status, doctor] = await run(
      'collection add docs docs',
      'index',
      'search feline',
      'embed',
      'search feline --json',
      'status',
      'doctor',
    )
    expect(before?.stderr).toContain('run "ambit embed"')
    expect(embedded).toMatchObject({ status: 0, stdout: 'plain: 2 documents embedded, in 2 chunks\n' })
    const { results, mode } = JSON.parse(found?.stdout ?? '')
    expect([mode, results[0].path]).toEqual(['hybrid', 'pets.md'])
    expect(status?.stdout).toContain('embedded by plain: 2 documents\n')
    expect(doctor?.stdout).toContain('plain answers, with 256 dimensions.')
    await server[Symbol.asyncDispose]()
    const [alone, told, again] = await run('search kitten --json', 'search kitten', 'embed --force')
    const lexical = { mode: 'lexical', degraded: ['vector'], results: [{ path: 'pets.md' }] }
    expect(JSON.parse(alone?.stdout ?? '')).toMatchObject(lexical)
    expect(told?.stderr).toContain('Searched without the embedding model')
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('did not answer') })
  })

  it('goes on where it was killed', { tags: 'long' }, async () => {
    const files = Array.from({ length: 300 }, (_, at) => [`docs/${at}.md`, `# Lion ${at}\n\nA lion.\n`])
    using at = tree(Object.fromEntries(files))
    await using server = await embeddingServer()
    const env = { AMBIT_EMBEDDING_URL: server.url, AMBIT_EMBEDDING_MODEL: 'plain' }
    await ambitBeside(['collection', 'add', 'docs', 'docs'], { cwd: at.base, env })
    await ambitBeside(['index'], { cwd: at.base, env })
    const own = { ...SHARED_ENV, HOME: at.base, ...env }
    const missing = async () => {
      const { embedding } = JSON.parse((await ambitBeside(['status', '--json'], { cwd: at.base, env })).stdout)
      return embedding.missing
    }
    let left = 300
    for (let kills = 0; kills < 8 && left > 0; kills++) {
      const before = server.asked.length
      const child = spawn(process.execPath, [BIN, 'embed'], { cwd: at.base, env: own, stdio: 'ignore' })
      const exit = once(child, 'exit')
      while (server.asked.length < before + 3 && child.exitCode === null)
        await new Promise((next) => setTimeout(next, 2))
      child.kill('SIGKILL')
      await exit
      const now = await missing()
      expect(now).toBeLessThanOrEqual(left)
      left = now
    }
    expect(await ambitBeside(['embed'], { cwd: at.base, env })).toMatchObject({ status: 0 })
    expect(await missing()).toBe(0)
    const { stdout } = await ambitBeside(['search', 'lion', '--mode', 'vector', '-n', '300', '--format', 'files'], {
      cwd: at.base,
      env,
    })
    expect(stdout.trim().split('\n')).toHaveLength(300)
    expect((await ambitBeside(['doctor'], { cwd: at.base, env })).stdout).toMatch(/^ok\tdatabase\t/m)
  })
})
