import { inputsOf } from '../../../operations/schema.ts'
import { STAGES } from '../../../research/settings.ts'

const words = (description: string) => ({ type: 'array', items: { type: 'string' }, description }) as const
const number = (description: string, maximum?: number) =>
  ({ type: 'integer', minimum: 1, ...(maximum !== undefined && { maximum }), description }) as const

const PROVIDERS = ['default', 'searxng', 'tavily', 'brave', 'exa', 'serper'] as const

/** What a session is made with. */
export const newSession = inputsOf({
  question: { type: 'string', isRequired: true, description: 'what is to be found out' },
  follows: { type: 'string', description: 'a session whose findings and files it begins with' },
  collections: words('collections that are searched; default all that are not paused'),
  searchCollections: { type: 'boolean', description: 'whether collections are searched; default true' },
  web: {
    type: 'string',
    enum: PROVIDERS,
    description: 'search the web, too, by this provider; default: the one that is set',
  },
  plan: { type: 'boolean', description: 'wait for a person when the first questions are there' },
  extractive: { type: 'boolean', description: 'do without models' },
  model: { type: 'string', description: 'the model of all stages: provider/model' },
  models: words(`by stage, as STAGE=MODEL; stages are ${STAGES.join(', ')}`),
  depth: number('levels of questions; default 3', 6),
  nodes: number('questions at most; default 60', 1000),
  calls: number('requests to models at most; default 400'),
  tokens: number('tokens at most; default 4000000'),
  cost: { type: 'number', minimum: 0.000001, description: 'US dollars at most, of models whose price is known' },
  minutes: { type: 'number', minimum: 0.001, description: 'minutes at most; default 60' },
  concurrency: number('questions that are worked on at once; default 4', 64),
  language: { type: 'string', description: 'language of the report' },
  from: { type: 'string', description: 'web pages of this day or later: 2026-05-31' },
  to: { type: 'string', description: 'web pages of this day or earlier' },
  allowedDomains: words('web pages of these domains only'),
  blockedDomains: words('no web pages of these domains'),
})
