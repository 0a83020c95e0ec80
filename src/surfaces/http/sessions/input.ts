import { SEARCH_PROVIDERS } from '../../../core/choices.ts'
import { defineInputs } from '../../../core/define-inputs.ts'
import { STAGES } from '../../../research/settings.ts'

const listInput = (description: string) => ({ is: 'text', list: true, description }) as const
const number = (description: string, maximum?: number) =>
  ({ is: 'integer', minimum: 1, ...(maximum !== undefined && { maximum }), description }) as const

/** What a session is made with. */
export const newSession = defineInputs({
  question: { is: 'text', required: true, description: 'what is to be found out' },
  follows: { is: 'text', description: 'a session whose findings and files it begins with' },
  collections: listInput('collections that are searched; default all that are not paused'),
  searchCollections: { is: 'flag', description: 'whether collections are searched; default true' },
  web: {
    is: 'choice',
    of: ['default', ...SEARCH_PROVIDERS],
    description: 'search the web, too, by this provider; default: the one that is set',
  },
  plan: { is: 'flag', description: 'wait for a person when the first questions are there' },
  extractive: { is: 'flag', description: 'do without models' },
  model: { is: 'text', description: 'the model of all stages: provider/model' },
  models: listInput(`by stage, as STAGE=MODEL; stages are ${STAGES.join(', ')}`),
  depth: number('levels of questions; default 3', 6),
  nodes: number('questions at most; default 60', 1000),
  calls: number('requests to models at most; default 400'),
  tokens: number('tokens at most; default 4000000'),
  cost: { is: 'number', minimum: 0.000001, description: 'US dollars at most, of models whose price is known' },
  minutes: { is: 'number', minimum: 0.001, description: 'minutes at most; default 60' },
  concurrency: number('questions that are worked on at once; default 4', 64),
  language: { is: 'text', description: 'language of the report' },
  from: { is: 'text', description: 'web pages of this day or later: 2026-05-31' },
  to: { is: 'text', description: 'web pages of this day or earlier' },
  allowedDomains: listInput('web pages of these domains only'),
  blockedDomains: listInput('no web pages of these domains'),
})
