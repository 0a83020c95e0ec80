/** Operations on the settings of models and services, which may change while a server runs. */

import { type SettingsAnswer, settingsAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

const common = { scope: 'admin', output: settingsAnswer, text: settingLines } as const

const providerInputs = {
  url: { is: 'text', placeholder: 'URL', description: 'the base URL; default the URL of the provider' },
  key: { is: 'text', placeholder: 'KEY', description: 'the key; a change of provider or URL removes the old key' },
} as const

const serviceInputs = {
  url: { is: 'text', placeholder: 'URL', description: 'the base URL of the service' },
  key: { is: 'text', placeholder: 'KEY', description: 'the key; a change of URL removes the old key' },
} as const

export const settings = {
  show: defineOperation({
    ...common,
    name: 'settings.show',
    command: 'settings show',
    summary: 'Show which models and which web search are set; keys are never shown',
    effect: 'read',
    examples: { 'ambit settings show': 'show what is set, and whether there is a key' },
    inputs: {},
    run: (engine) => engine.settings.show(),
  }),

  set: defineOperation({
    ...common,
    name: 'settings.set',
    command: 'settings set',
    summary: 'Set models and the web search, in the configuration file; a server uses them at once',
    effect: 'write',
    examples: {
      'ambit settings set --model ollama/qwen3': 'use a model of this machine',
      'ambit settings set --search searxng --search-url http://127.0.0.1:8888': 'search the web',
    },
    inputs: {
      model: {
        is: 'text',
        placeholder: 'PROVIDER/MODEL',
        description: 'the language model, such as anthropic/NAME; "" for none',
      },
      modelUrl: providerInputs.url,
      modelKey: providerInputs.key,
      search: { is: 'text', placeholder: 'PROVIDER', description: 'the web search; "" for none' },
      searchUrl: providerInputs.url,
      searchKey: providerInputs.key,
      embedding: {
        is: 'text',
        placeholder: 'MODEL',
        description: 'the embedding model, as its service calls it, or openai/NAME; "" to use no service',
      },
      embeddingUrl: serviceInputs.url,
      embeddingKey: serviceInputs.key,
      reranking: {
        is: 'text',
        placeholder: 'MODEL',
        description:
          'the reranking model, as its service calls it; anthropic/NAME and the like need no URL; "" for none',
      },
      rerankingUrl: serviceInputs.url,
      rerankingKey: serviceInputs.key,
    },
    run: (engine, change) => engine.settings.set(change),
  }),
}

function settingLines({ file, model, search, embedding, reranking }: SettingsAnswer): string {
  const lines = Object.entries({ model, search, embedding, reranking }).map(([what, { name, url, hasKey }]) => {
    const words = [name ?? 'none', ...(url === undefined ? [] : [url]), ...(hasKey ? ['with a key'] : [])]
    return `${what.padEnd(10)} ${oneLine(words.join('  '))}\n`
  })
  return `${lines.join('')}${file === null ? '' : `file       ${oneLine(file)}\n`}`
}
