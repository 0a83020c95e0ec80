/** Models and services, as they may be set while a server runs. */

import { type SettingsAnswer, settingsAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

const common = {
  scope: 'admin',
  output: settingsAnswer,
  text: settingLines,
} as const

/** Models and services, as they may be set while a server runs. */
export const settings = {
  /** What is set, without keys. */
  show: defineOperation({
    ...common,
    name: 'settings.show',
    summary: 'Show which models and which web search are set; keys are never shown',
    effect: 'read',
    examples: { 'ambit settings show': 'show what is set, and whether there is a key' },
    inputs: {},
    run: (engine) => engine.settings.show(),
  }),

  /** Sets models and services, in the configuration file and at once. */
  set: defineOperation({
    ...common,
    name: 'settings.set',
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
      modelUrl: { is: 'text', placeholder: 'URL', description: 'where it is asked, if not at its provider' },
      modelKey: {
        is: 'text',
        placeholder: 'KEY',
        description: 'its key; a change of provider or URL drops the key before',
      },
      search: { is: 'text', placeholder: 'PROVIDER', description: 'the web search; "" for none' },
      searchUrl: { is: 'text', placeholder: 'URL', description: 'where it is asked, if not at its provider' },
      searchKey: {
        is: 'text',
        placeholder: 'KEY',
        description: 'its key; a change of provider or URL drops the key before',
      },
      embedding: {
        is: 'text',
        placeholder: 'MODEL',
        description: 'the embedding model, as its service calls it, or openai/NAME; "" for none of a service',
      },
      embeddingUrl: { is: 'text', placeholder: 'URL', description: 'the base URL of its service' },
      embeddingKey: { is: 'text', placeholder: 'KEY', description: 'its key; a change of URL drops the key before' },
      reranking: {
        is: 'text',
        placeholder: 'MODEL',
        description: 'the reranking model, as its service calls it; "" for none',
      },
      rerankingUrl: { is: 'text', placeholder: 'URL', description: 'the base URL of its service' },
      rerankingKey: { is: 'text', placeholder: 'KEY', description: 'its key; a change of URL drops the key before' },
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
