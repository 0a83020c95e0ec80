import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/engine/config.ts'
import { tree } from '../../support/tree.ts'

const FILE = '.config/ambit/config.yaml'

async function embeddingOf(environment: Readonly<Record<string, string>>, file = '') {
  using planted = tree(file === '' ? {} : { [FILE]: file })
  return (await readConfig({ HOME: planted.base, ...environment })).embedding
}

const LOCAL = { AMBIT_EMBEDDING_MODEL: 'nomic-embed-text', AMBIT_EMBEDDING_URL: 'http://127.0.0.1:11434/v1' }

describe('the embedding model', () => {
  it.each<[string, Record<string, string>, object | undefined]>([
    ['none where none is set', {}, undefined],
    ['none where only its place is', { AMBIT_EMBEDDING_URL: 'http://127.0.0.1:1' }, undefined],
    ['one of a service', LOCAL, { model: 'nomic-embed-text', url: 'http://127.0.0.1:11434/v1' }],
    [
      'one of a service, by its kind',
      { ...LOCAL, AMBIT_EMBEDDING_MODEL: 'openai-compatible/org/name' },
      { model: 'org/name', url: 'http://127.0.0.1:11434/v1' },
    ],
    [
      'one of OpenAI, with the key that is there',
      { AMBIT_EMBEDDING_MODEL: 'openai/text-embedding-3-small', OPENAI_API_KEY: 'sesame' },
      { model: 'text-embedding-3-small', url: 'https://api.openai.com/v1', key: 'sesame' },
    ],
    [
      'one elsewhere, which is not told the key of OpenAI',
      { ...LOCAL, OPENAI_API_KEY: 'sesame' },
      { model: 'nomic-embed-text', url: 'http://127.0.0.1:11434/v1' },
    ],
    [
      'one with a key of its own',
      { ...LOCAL, AMBIT_EMBEDDING_KEY: 'own' },
      { model: 'nomic-embed-text', url: 'http://127.0.0.1:11434/v1', key: 'own' },
    ],
  ])('is %s', async (_, environment, expected) => expect(await embeddingOf(environment)).toEqual(expected))

  it('is written in the file, and the environment wins', async () => {
    const file = 'embedding:\n  model: filed\n  url: http://127.0.0.1:2\n  dimensions: 64\n  queryPrefix: "q: "\n'
    const filed = { model: 'filed', url: 'http://127.0.0.1:2', dimensions: 64, queryPrefix: 'q: ' }
    expect(await embeddingOf({}, file)).toEqual(filed)
    const flat = 'embeddingModel: filed\nembeddingUrl: http://127.0.0.1:2\n'
    expect(await embeddingOf({}, flat)).toEqual({ model: 'filed', url: 'http://127.0.0.1:2' })
    expect(await embeddingOf(LOCAL, file)).toEqual({
      ...filed,
      model: 'nomic-embed-text',
      url: 'http://127.0.0.1:11434/v1',
    })
  })

  it.each([
    ['no place', { AMBIT_EMBEDDING_MODEL: 'x' }, ''],
    ['a place that is none', { AMBIT_EMBEDDING_MODEL: 'x', AMBIT_EMBEDDING_URL: 'localhost:11434' }, ''],
    ['a place that is not an HTTP', { AMBIT_EMBEDDING_MODEL: 'x', AMBIT_EMBEDDING_URL: 'file:///etc' }, ''],
    ['a key in the file', {}, 'embedding:\n  model: x\n  url: http://127.0.0.1:2\n  key: secret\n'],
    ['dimensions in words', {}, 'embedding:\n  model: x\n  url: http://127.0.0.1:2\n  dimensions: many\n'],
    ['a word in place of names', {}, 'embedding: nomic\n'],
  ])('is refused with %s', async (_, environment, file) => {
    await expect(embeddingOf(environment, file)).rejects.toMatchObject({
      code: 'invalid-input',
      hint: expect.any(String),
    })
  })
})
