import { describe, expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import type { Config } from '../../src/engine/config.ts'
import type { Principal } from '../../src/engine/principal.ts'
import { openWith } from '../../src/open.ts'
import { embeddingServer } from '../support/embedding-server.ts'
import { languageServer } from '../support/language-server.ts'
import { rerankServer } from '../support/rerank-server.ts'
import { type Shape, type Tree, tree } from '../support/tree.ts'

const bodyOf = (name: string, word: string) => `export function ${name}() {\n  const a = ${word}()\n  return a\n}\n`
const SHAPE: Shape = {
  'w/.git/': '',
  'w/src/pets.ts': bodyOf('feline', 'purr'),
  'w/src/ledger.ts': bodyOf('parseLedgerLine', 'split'),
  'w/src/other.ts': bodyOf('unrelated', 'nothing'),
}

async function ask(
  planted: Tree,
  config: Partial<Config>,
  request: { task: string; rewrite?: boolean },
  guest?: Principal,
) {
  const engine = openWith({ file: undefined, unknown: [], cache: planted.at('cache'), home: false, ...config })
  try {
    const asked = guest ? engine.as(guest) : engine
    const { files, warnings } = await asked.task({ ...request, place: planted.at('w') }, SILENT)
    return { paths: files.map(({ path }) => path), warnings: warnings.map(({ message }) => message) }
  } finally {
    await engine.close()
  }
}

describe('the models of a task', () => {
  it('put what words find in the order of an embedding service that is set', async () => {
    using planted = tree(SHAPE)
    const server = await embeddingServer()
    const embedding = { model: 'm', url: server.url }
    const task = 'the cat of unrelated, or feline'
    expect((await ask(planted, {}, { task })).paths).toEqual(['src/other.ts', 'src/pets.ts'])
    expect(await ask(planted, { embedding }, { task })).toEqual({
      paths: ['src/pets.ts', 'src/other.ts'],
      warnings: [],
    })
    expect(server.texts.filter((text) => text.startsWith('src/pets.ts'))).toHaveLength(1)
    await server[Symbol.asyncDispose]()
  })

  it('put files in the order of a reranking service that is set', async () => {
    using planted = tree(SHAPE)
    const server = await rerankServer()
    server.judge = (_, text) => (text.startsWith('src/other.ts') ? 1 : 0)
    const rerank = { model: 'm', url: server.url }
    const task = 'feline, parseLedgerLine, unrelated'
    expect((await ask(planted, { rerank }, { task })).paths[0]).toBe('src/other.ts')
    await server[Symbol.asyncDispose]()
    const { warnings } = await ask(planted, { rerank }, { task })
    expect(warnings).toEqual([expect.stringMatching(/^Files are not reranked: /)])
  })

  it('put files in the order of a language model that is set to rerank', async () => {
    using planted = tree(SHAPE)
    await using server = await languageServer('chat', [
      ({ messages }) => {
        const [, ...texts] = JSON.stringify(messages).split('<text id=')
        return { text: texts.map((text, at) => `${at + 1} ${text.includes('src/other.ts') ? 0.9 : 0.1}`).join('\n') }
      },
    ])
    const model = { provider: 'openai-compatible', model: 'm', url: server.url } as const
    const rerank = { model: 'openai-compatible/m' }
    const task = 'feline, parseLedgerLine, unrelated'
    const { paths, warnings } = await ask(planted, { model, rerank }, { task })
    expect([paths[0], warnings]).toEqual(['src/other.ts', []])
    const guest = { name: 'guest', scopes: ['read' as const] }
    const count = server.asked.length
    expect(
      (await ask(planted, { model, rerank, taskRewrite: true }, { task, rewrite: false }, guest)).warnings,
    ).toEqual([])
    expect(server.asked).toHaveLength(count)
  })

  it('rank by words where that language model cannot be opened', async () => {
    using planted = tree(SHAPE)
    const { paths, warnings } = await ask(
      planted,
      { rerank: { model: 'openai-compatible/m' } },
      { task: 'feline, unrelated' },
    )
    expect(paths).toHaveLength(2)
    expect(warnings).toEqual([expect.stringMatching(/^Files are not reranked: .* has no URL/)])
  })

  it('rewrite a task into identifiers by one call, where that is asked for or set, and not otherwise', async () => {
    using planted = tree(SHAPE)
    const server = await languageServer('chat', [{ text: '1. `parseLedgerLine()`\n- Ledger\n' }])
    const model = { provider: 'openai-compatible', model: 'm', url: server.url } as const
    const task = 'Die Buchungszeile verliert ihre letzte Zelle'
    expect((await ask(planted, { model }, { task })).paths).toEqual([])
    expect(server.asked).toEqual([])
    expect(await ask(planted, { model }, { task, rewrite: true })).toEqual({ paths: ['src/ledger.ts'], warnings: [] })
    expect(server.asked).toHaveLength(1)
    expect(JSON.stringify(server.asked[0]?.body)).toContain(task)
    expect((await ask(planted, { model, taskRewrite: true }, { task })).paths).toEqual(['src/ledger.ts'])
    expect((await ask(planted, { model, taskRewrite: true }, { task, rewrite: false })).paths).toEqual([])
    await server[Symbol.asyncDispose]()
  })

  it('are not asked to rewrite a task for guests of a server, unless its owner has set that', async () => {
    using planted = tree(SHAPE)
    const server = await languageServer('chat', [{ text: 'parseLedgerLine\n' }])
    const model = { provider: 'openai-compatible', model: 'm', url: server.url } as const
    const guest = { name: 'ana', scopes: ['read'] } as const
    const asked = { task: 'Die Buchungszeile', rewrite: true }
    const refused = await ask(planted, { model }, asked, guest)
    expect(refused).toEqual({ paths: [], warnings: [expect.stringContaining('sends no task to a language model.')] })
    expect(server.asked).toEqual([])
    expect((await ask(planted, { model, taskRewrite: true }, asked, guest)).paths).toEqual(['src/ledger.ts'])
    await server[Symbol.asyncDispose]()
  })

  it('say why no model suggested identifiers, and rank by its words', async () => {
    using planted = tree(SHAPE)
    const server = await languageServer('chat', [{ fault: { status: 401, body: '{}' } }])
    const model = { provider: 'openai-compatible', model: 'm', url: server.url } as const
    const task = 'parseLedgerLine'
    for (const config of [{ model }, {}]) {
      const { paths, warnings } = await ask(planted, config, { task, rewrite: true })
      expect(paths).toEqual(['src/ledger.ts'])
      expect(warnings).toEqual([expect.stringMatching(/^No model suggested identifiers: /)])
    }
    await server[Symbol.asyncDispose]()
  })
})
