import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Config,
  changeSettings,
  readConfig,
  readSettings,
  type SettingsChange,
} from '../../../src/engine/config.ts'
import { openWith } from '../../../src/open.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { tree } from '../../support/tree.ts'
import { FILE, homeWith } from './home.ts'

interface Given {
  readonly config: Config
  readonly path: string
  text(): string
  set(change: SettingsChange, environment?: Readonly<Record<string, string>>): Promise<void>
}

/** With a configuration file of this text; without one, there is none yet. */
async function withFile(text: string | undefined, test: (given: Given) => Promise<void>): Promise<void> {
  using at = tree({ 'ambit/': '' })
  const path = at.at('ambit/config.yaml')
  if (text !== undefined) writeFileSync(path, text)
  const config: Config = { file: path, unknown: [], home: false }
  await test({
    config,
    path,
    text: () => readFileSync(path, 'utf8'),
    set: (change, environment = {}) => changeSettings(config, change, environment),
  })
}

const CANARY = 'canary-key-0123456789'
const MINE = { model: 'openai-compatible/qwen3', modelUrl: 'http://127.0.0.1:9/v1', modelKey: CANARY }

describe('what is set while a server runs', () => {
  it('is in force at once, and in a file of the owner alone, whose comments stay', () =>
    withFile('# mine\nhome: /srv/home # where\n', async ({ config, path, text, set }) => {
      await set(MINE)
      const model = { provider: 'openai-compatible', model: 'qwen3', url: MINE.modelUrl, key: CANARY }
      expect(config.model).toMatchObject(model)
      expect(text()).toMatch(/^# mine\nhome: \/srv\/home # where\nmodel: openai-compatible\/qwen3\n/)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }))

  it('makes the file where there is none, and leaves a link to one a link', () =>
    withFile(undefined, async ({ path, text, set }) => {
      await set({ search: 'searxng', searchUrl: 'http://127.0.0.1:8888' })
      expect(text()).toBe('search: searxng\nsearchUrl: http://127.0.0.1:8888\n')
      const link = `${path}.link`
      symlinkSync(path, link)
      await changeSettings({ file: link, unknown: [] }, { search: '' }, {})
      expect(text().trim()).toBe('{}')
    }))

  it('drop the place and the key of a reranking service for a language model', () =>
    withFile(undefined, async ({ config, text, set }) => {
      await set({ reranking: 'bge', rerankingUrl: 'http://127.0.0.1:9/v1', rerankingKey: CANARY })
      await set({ reranking: 'anthropic/claude-x' })
      expect(config.rerank).toEqual({ model: 'anthropic/claude-x' })
      expect(text()).toBe('rerankModel: anthropic/claude-x\n')
    }))

  it('never tells a key', () =>
    withFile(undefined, async ({ config, set }) => {
      await set({ ...MINE, search: 'brave', searchKey: CANARY })
      const told = await readSettings(config, {})
      expect(told).toMatchObject({
        model: { name: MINE.model, url: MINE.modelUrl, hasKey: true, isFixed: false },
        search: { name: 'brave', hasKey: true },
      })
      expect(JSON.stringify(told)).not.toContain(CANARY)
    }))

  it.each<readonly [what: string, change: SettingsChange, hasKey: boolean]>([
    ['stays with another model of the same service', { model: 'openai-compatible/other' }, true],
    ['stays where nothing changes', { model: MINE.model, modelUrl: MINE.modelUrl }, true],
    ['goes with another address', { modelUrl: 'http://127.0.0.1:10/v1' }, false],
    ['goes with another provider', { model: 'ollama/qwen3' }, false],
    ['goes with another provider at the same address', { model: 'openai/gpt', modelUrl: MINE.modelUrl }, false],
    ['goes where it is taken away', { modelKey: '' }, false],
    ['goes with the model', { model: '' }, false],
  ])('a key %s', (_, change, hasKey) =>
    withFile(undefined, async ({ config, text, set }) => {
      await set(MINE)
      await set(change)
      expect([text().includes(CANARY), config.model?.key === CANARY]).toEqual([hasKey, hasKey])
    }),
  )

  it('are an embedding and a reranking model, too, each with its key', () =>
    withFile('home: /srv/home\n', async ({ config, text, set }) => {
      const [embedding, reranking] = ['nomic-embed-text', 'bge-reranker-v2-m3']
      const [one, other] = ['http://127.0.0.1:9/v1', 'http://127.0.0.1:10/v1']
      await set({ embedding, embeddingUrl: one, embeddingKey: CANARY, reranking, rerankingUrl: other })
      expect(config.embedding).toEqual({ model: embedding, url: one, key: CANARY })
      expect(config.rerank).toEqual({ model: reranking, url: other })
      expect(await readSettings(config, {})).toMatchObject({
        embedding: { name: embedding, url: one, hasKey: true, isFixed: false },
        reranking: { name: reranking, url: other, hasKey: false, isFixed: false },
      })
      await set({ embedding: 'bge-m3' })
      expect(config.embedding).toEqual({ model: 'bge-m3', url: one, key: CANARY })
      await set({ embedding: 'openai/text-embedding-3-small', embeddingUrl: '' })
      expect([config.embedding, text().includes(CANARY)]).toEqual([
        { model: 'text-embedding-3-small', url: 'https://api.openai.com/v1' },
        false,
      ])
      await set({ embedding: '', reranking: '' })
      expect([config.embedding, config.rerank, text()]).toEqual([undefined, undefined, 'home: /srv/home\n'])
    }))

  it('takes the place of what a part of the file says, whose other lines stay with their model', async () => {
    const file = 'embedding:\n  model: filed\n  url: http://127.0.0.1:2\n  dimensions: 64\n'
    await withFile(file, async ({ config, text, set }) => {
      await set({ embeddingKey: CANARY })
      expect(config.embedding).toEqual({ model: 'filed', url: 'http://127.0.0.1:2', key: CANARY, dimensions: 64 })
      await set({ embedding: 'other', embeddingUrl: 'http://127.0.0.1:2' })
      expect(config.embedding).toEqual({ model: 'other', url: 'http://127.0.0.1:2', key: CANARY })
      expect(text()).not.toContain('dimensions')
    })
  })

  it('gives no key of the file to a service that a variable names, nor one that others may read', async () => {
    using at = homeWith(`embeddingModel: a\nembeddingUrl: http://127.0.0.1:2\nembeddingKey: ${CANARY}\n`)
    const keyFor = async (environment: Readonly<Record<string, string>>) =>
      Object(await readConfig({ HOME: at.base, ...environment })).embedding.key
    expect(await keyFor({})).toBe(CANARY)
    expect(await keyFor({ AMBIT_EMBEDDING_URL: 'http://evil.example' })).toBeUndefined()
    chmodSync(at.at(FILE), 0o644)
    expect(await keyFor({})).toBeUndefined()
  })

  it('a key goes to no other place, whatever is set in whichever order', async () => {
    const url = fc.constantFrom('http://127.0.0.1:1/v1', 'http://127.0.0.1:2/v1', 'http://evil.example/v1')
    const change = fc.record({ modelUrl: url, modelKey: fc.constantFrom('k1', 'k2') }, { requiredKeys: [] })
    await forAllAsync(40, fc.array(change, { maxLength: 6 }), (changes) =>
      withFile(undefined, async ({ config, set }) => {
        // Where each key was given for.
        const meant = new Map<string, string>()
        await set({ model: 'openai-compatible/m', modelUrl: 'http://127.0.0.1:1/v1' })
        for (const one of changes) {
          await set(one)
          if (one.modelKey !== undefined) meant.set(one.modelKey, config.model?.url ?? '')
          const { key, url: place } = config.model ?? {}
          if (key !== undefined) expect(meant.get(key)).toBe(place)
        }
      }),
    )
  })

  it.each<readonly [SettingsChange, RegExp]>([
    [{ model: 'nobody/m' }, /which is not valid/],
    [{ model: 'openai-compatible/m' }, /has no URL/],
    [{ model: 'openai/m', modelUrl: 'ftp://x' }, /as its URL/],
    [{ model: 'openai/m', modelKey: 'line\nbreak' }, /header/],
    [{ search: 'brave' }, /no key/],
    [{ search: 'nobody' }, /which is not valid/],
    [{ embedding: 'm' }, /embedding model "m" has no URL/],
    [{ reranking: 'm', rerankingUrl: 'http://user:secret@127.0.0.1' }, /password/],
  ])('is refused where it is not valid, and nothing is written: %j', (change, message) =>
    withFile('home: /srv/home\n', async ({ config, text, set }) => {
      await expect(set(change)).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringMatching(message),
      })
      expect(text()).toBe('home: /srv/home\n')
      expect(config.model).toBeUndefined()
    }),
  )

  it('is refused where a variable sets it, and where the file is broken', async () => {
    await withFile(undefined, async ({ set }) => {
      const environment = { AMBIT_MODEL: 'local/extractive' }
      await expect(set({ model: 'ollama/x' }, environment)).rejects.toMatchObject({ code: 'conflict' })
    })
    await withFile('a: [\n', async ({ text, set }) => {
      await expect(set({ model: 'ollama/x' })).rejects.toMatchObject({ code: 'invalid-input' })
      expect(text()).toBe('a: [\n')
    })
    const nowhere: Config = { file: undefined, unknown: [] }
    await expect(changeSettings(nowhere, { model: 'ollama/x' }, {})).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is for the owner to change, and for others of the server in force all the same', async () => {
    using at = tree({ 'ambit/': '' })
    mkdirSync(at.at('home'))
    const engine = openWith({ file: at.at('ambit/config.yaml'), unknown: [], home: at.at('home'), db: ':memory:' })
    try {
      const guest = engine.as({ name: 'admin', scopes: ['admin', 'read'] })
      await expect(guest.settings.set({ search: '' })).rejects.toMatchObject({ code: 'denied' })
      await engine.settings.set({ model: 'ollama/qwen3' })
      expect(await guest.settings.show()).toMatchObject({ file: null, model: { name: 'ollama/qwen3' } })
      expect(guest.config.model?.model).toBe('qwen3')
      expect(guest.config.home).toBe(false)
      expect((await engine.language()).name).toBe('ollama/qwen3')
      await engine.settings.set({ model: 'ollama/other' })
      expect((await guest.language()).name).toBe('ollama/other')
      const models = async () => (await (await guest.library()).collections.status()).embedding?.model
      expect(await models()).toBeUndefined()
      await engine.settings.set({ embedding: 'm1', embeddingUrl: 'http://127.0.0.1:9/v1' })
      expect(await models()).toMatch(/m1/)
      await engine.settings.set({ embedding: 'm2' })
      expect(await models()).toMatch(/m2/)
      await engine.settings.set({ embedding: '' })
      expect(await models()).toBeUndefined()
    } finally {
      await engine.close()
    }
  })
})
