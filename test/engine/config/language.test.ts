import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig, readModel } from '../../../src/engine/config.ts'
import { openWith } from '../../../src/open.ts'
import { tree } from '../../support/tree.ts'

type Environment = Readonly<Record<string, string>>

async function modelOf(environment: Environment, file?: string, mode = 0o600) {
  using at = tree(file === undefined ? {} : { '.config/ambit/config.yaml': file })
  if (file !== undefined) chmodSync(at.at('.config/ambit/config.yaml'), mode)
  const { model, unknown } = await readConfig({ HOME: at.base, ...environment })
  expect(unknown).toEqual([])
  return model && { ...model, ...(model.openFile && { openFile: 'open' }) }
}

describe('the language model that is set', () => {
  it.each<[string, Environment, string | undefined, object | undefined]>([
    ['is none where nothing is said', {}, undefined, undefined],
    ['is the built-in one', { AMBIT_MODEL: 'local/extractive' }, undefined, { provider: 'local', model: 'extractive' }],
    [
      'has slashes in its name',
      { AMBIT_MODEL: 'openai-compatible/org/qwen3', AMBIT_MODEL_URL: 'http://127.0.0.1:1/v1' },
      undefined,
      { provider: 'openai-compatible', model: 'org/qwen3', url: 'http://127.0.0.1:1/v1' },
    ],
    [
      "takes the provider's own key",
      { AMBIT_MODEL: 'anthropic/m', ANTHROPIC_API_KEY: 'own', OPENAI_API_KEY: 'other' },
      undefined,
      { provider: 'anthropic', model: 'm', key: 'own' },
    ],
    [
      'takes a key of its own first',
      { AMBIT_MODEL: 'openai/m', OPENAI_API_KEY: 'own', AMBIT_MODEL_KEY: 'mine' },
      undefined,
      { provider: 'openai', model: 'm', key: 'mine' },
    ],
    [
      "sends the provider's own key nowhere else",
      { AMBIT_MODEL: 'openai/m', OPENAI_API_KEY: 'own', AMBIT_MODEL_URL: 'http://127.0.0.1:1' },
      undefined,
      { provider: 'openai', model: 'm', url: 'http://127.0.0.1:1' },
    ],
    [
      'has its key in the variable of Google',
      { AMBIT_MODEL: 'google/gemini-3-flash', GEMINI_API_KEY: 'own' },
      undefined,
      { provider: 'google', model: 'gemini-3-flash', key: 'own' },
    ],
    [
      'may come through OpenRouter, with an effort',
      { AMBIT_MODEL: 'openrouter/qwen/qwen3', OPENROUTER_API_KEY: 'own', AMBIT_MODEL_EFFORT: 'high' },
      undefined,
      { provider: 'openrouter', model: 'qwen/qwen3', key: 'own', effort: 'high' },
    ],
    [
      'is a resource of Azure, by its own variables',
      { AMBIT_MODEL: 'azure/d', AZURE_OPENAI_ENDPOINT: 'https://r.openai.azure.com', AZURE_OPENAI_API_KEY: 'own' },
      undefined,
      { provider: 'azure', model: 'd', url: 'https://r.openai.azure.com', key: 'own' },
    ],
    [
      'is a resource of Azure, whose key goes to no other host',
      { AMBIT_MODEL: 'azure/d', AMBIT_MODEL_URL: 'https://azure.com.example', AZURE_OPENAI_API_KEY: 'own' },
      undefined,
      { provider: 'azure', model: 'd', url: 'https://azure.com.example' },
    ],
    [
      'is one of Ollama, where that listens',
      { AMBIT_MODEL: 'ollama/qwen3', OLLAMA_HOST: '0.0.0.0:11500' },
      undefined,
      { provider: 'ollama', model: 'qwen3', url: 'http://127.0.0.1:11500' },
    ],
    ['is one of Ollama', { AMBIT_MODEL: 'ollama/qwen3' }, undefined, { provider: 'ollama', model: 'qwen3' }],
    [
      'may be in the file',
      {},
      'model: anthropic/m\nmodelUrl: http://127.0.0.1:1\nmodelKey: written\n',
      { provider: 'anthropic', model: 'm', url: 'http://127.0.0.1:1', key: 'written' },
    ],
    [
      'is that of the environment where both say one',
      { AMBIT_MODEL: 'bedrock/b' },
      'model: anthropic/m\n',
      { provider: 'bedrock', model: 'b' },
    ],
  ])('%s', async (_, environment, file, model) => {
    expect(await modelOf(environment, file)).toEqual(model)
  })

  it('does not take a key from a file that others may read, and says so when it is asked for', async () => {
    const file = 'model: anthropic/m\nmodelKey: written\n'
    expect(await modelOf({}, file, 0o644)).toEqual({ provider: 'anthropic', model: 'm', openFile: 'open' })
    const engine = openWith({ model: { provider: 'anthropic', model: 'm', openFile: '/x' }, file: '/x', unknown: [] })
    await expect(engine.language()).rejects.toMatchObject({ code: 'denied', hint: 'Run "chmod 600 /x".' })
  })

  it.each<[string, Environment, RegExp]>([
    ['has no provider', { AMBIT_MODEL: 'gpt' }, /"gpt", which is none/],
    ['has another provider', { AMBIT_MODEL: 'acme/gpt' }, /which is none/],
    ['has another local model', { AMBIT_MODEL: 'local/llama' }, /which is none/],
    ['has no URL and needs one', { AMBIT_MODEL: 'openai-compatible/m' }, /has no URL/],
    ['is of Azure, and nobody says of which resource', { AMBIT_MODEL: 'azure/m' }, /has no URL/],
    ['has an effort that is none', { AMBIT_MODEL: 'openai/m', AMBIT_MODEL_EFFORT: 'much' }, /as its effort/],
    ['has a URL that is none', { AMBIT_MODEL: 'openai/m', AMBIT_MODEL_URL: 'there' }, /as its URL/],
    ['has a password in its URL', { AMBIT_MODEL: 'openai/m', AMBIT_MODEL_URL: 'http://a:b@c' }, /with a password/],
    ['has a key that is none', { AMBIT_MODEL: 'openai/m', AMBIT_MODEL_KEY: 'a b' }, /cannot be sent in a header/],
  ])('is refused where it %s', async (_, environment, message) => {
    await expect(modelOf(environment)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(message),
    })
  })

  it('may be another for a while, without the URL and the key of the first', async () => {
    const environment = {
      HOME: '/nowhere',
      AMBIT_MODEL: 'openai/m',
      AMBIT_MODEL_URL: 'http://127.0.0.1:1',
      AMBIT_MODEL_KEY: 'k',
    }
    expect(await readModel('openai/n', environment)).toMatchObject({ model: 'n', url: 'http://127.0.0.1:1', key: 'k' })
    expect(await readModel('anthropic/n', environment)).toEqual({ provider: 'anthropic', model: 'n' })
  })

  it('has what is said of its requests, which another provider does not get', async () => {
    const file =
      'model: openai/m\nmodelOutput: 9\nmodelContext: 99\nmodelHeaders: { X-Title: mine }\nmodelBody: { top_k: 3 }\n'
    const said = { output: 9, reads: 99, headers: { 'X-Title': 'mine' }, body: { top_k: 3 } }
    expect(await modelOf({}, file)).toEqual({ provider: 'openai', model: 'm', ...said })
    expect(await modelOf({ AMBIT_MODEL_OUTPUT: '7' }, file)).toMatchObject({ output: 7 })
    await expect(modelOf({}, file, 0o644)).rejects.toMatchObject({ hint: expect.stringContaining('chmod 600') })
  })

  it.each([
    ['modelOutput: many', 'modelOutput'],
    ['modelHeaders: { X: 1 }', 'headers'],
    ['modelHeaders: x', 'headers'],
    ['modelBody: [1]', 'body'],
  ])('is refused with %s', async (line, message) => {
    await expect(modelOf({}, `model: openai/m\n${line}\n`)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(message),
    })
  })

  it('is needed with a key where its provider asks for one', async () => {
    const engine = openWith({ model: { provider: 'anthropic', model: 'm' }, file: undefined, unknown: [] })
    await expect(engine.language()).rejects.toMatchObject({
      code: 'denied',
      hint: 'Set AMBIT_MODEL_KEY or ANTHROPIC_API_KEY.',
    })
    expect((await openWith({ file: undefined, unknown: [] }).language()).name).toBe('local/extractive')
  })
})
