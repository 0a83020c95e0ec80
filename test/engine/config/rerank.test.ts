import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/engine/config.ts'
import { tree } from '../../support/tree.ts'

const FILE = '.config/ambit/config.yaml'

async function configOf(environment: Readonly<Record<string, string>>, file = '') {
  using planted = tree(file === '' ? {} : { [FILE]: file })
  return await readConfig({ HOME: planted.base, ...environment })
}

const LOCAL = { AMBIT_RERANK_MODEL: 'BAAI/bge-reranker-v2-m3', AMBIT_RERANK_URL: 'http://127.0.0.1:8080/v1' }
const READ = { model: 'BAAI/bge-reranker-v2-m3', url: 'http://127.0.0.1:8080/v1' }

describe('the reranking model', () => {
  it.each<[string, Record<string, string>, object | undefined]>([
    ['none where none is set', {}, undefined],
    ['none where only its place is', { AMBIT_RERANK_URL: 'http://127.0.0.1:1' }, undefined],
    ['one of a service, by its whole name', LOCAL, READ],
    ['one with a key', { ...LOCAL, AMBIT_RERANK_KEY: 'own' }, { ...READ, key: 'own' }],
    ['one that is not told the keys of others', { ...LOCAL, OPENAI_API_KEY: 'a', AMBIT_EMBEDDING_KEY: 'b' }, READ],
    [
      'one whose name begins as that of a company',
      { ...LOCAL, AMBIT_RERANK_MODEL: 'openai/judge' },
      { ...READ, model: 'openai/judge' },
    ],
  ])('is %s', async (_, environment, expected) => expect((await configOf(environment)).rerank).toEqual(expected))

  it('is written in the file, and the environment wins', async () => {
    const file = 'rerank:\n  model: filed\n  url: http://127.0.0.1:2\n'
    const filed = await configOf({}, file)
    expect([filed.rerank, filed.embedding, filed.unknown]).toEqual([
      { model: 'filed', url: 'http://127.0.0.1:2' },
      undefined,
      [],
    ])
    expect((await configOf(LOCAL, file)).rerank).toEqual(READ)
  })

  it.each([
    ['no place', { AMBIT_RERANK_MODEL: 'x' }, '', 'The reranking model "x" has no URL.'],
    [
      'a place that is none',
      { AMBIT_RERANK_MODEL: 'x', AMBIT_RERANK_URL: 'localhost:8080' },
      '',
      'The reranking model "x" has "localhost:8080" as its URL.',
    ],
    ['a place that is not an HTTP', { ...LOCAL, AMBIT_RERANK_URL: 'file:///etc' }, '', 'as its URL'],
    ['a password in its place', { ...LOCAL, AMBIT_RERANK_URL: 'http://me:sesame@host' }, '', 'with a password in it'],
    ['a password in a place that is none', { ...LOCAL, AMBIT_RERANK_URL: 'ftp://me:sesame@host' }, '', '"…@host"'],
    ['a key that no header holds', { ...LOCAL, AMBIT_RERANK_KEY: 'sesame\n' }, '', 'a key that cannot be sent'],
    ['a key in the file', {}, 'rerank:\n  model: x\n  url: http://127.0.0.1:2\n  key: sesame\n', '"key" of "rerank"'],
    ['what only embeddings have', {}, 'rerank:\n  dimensions: 64\n', 'it takes model, url.'],
    ['a word in place of names', {}, 'rerank: judge\n', '"rerank" of "rerank"'],
  ])('is refused with %s', async (_, environment, file, message) => {
    const error = await configOf(environment, file).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'invalid-input', message: expect.stringContaining(message) })
    expect((error as { hint?: string }).hint).toBeTruthy()
    expect(String(error)).not.toContain('sesame')
  })
})
