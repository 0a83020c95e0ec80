/** How research is done: `research` in the file, `AMBIT_UI_DEBUG`. */

import { type ContextError, invalidInput } from '../../core/errors.ts'
import { BUDGET_NAMES, QUOTA, type ResearchConfig, STAGES } from '../../research/settings.ts'
import { switchIn } from './switch.ts'

interface ResearchSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly values: Readonly<Record<string, unknown>>
  readonly file: string | undefined
}

/** @throws ContextError `invalid-input` for what is not valid. */
export function researchIn({ environment, values, file = '' }: ResearchSources): {
  readonly research?: ResearchConfig
  readonly uiDebug?: boolean
} {
  const written = values.uiDebug ?? false
  if (typeof written !== 'boolean') throw invalidResearch('uiDebug', file, 'It is true or false.')
  const isOn = switchIn(environment, 'AMBIT_UI_DEBUG') ?? written
  const research = values.research === undefined ? {} : { research: sectionIn(values.research, file) }
  return { ...research, ...(isOn && { uiDebug: true }) }
}

function sectionIn(value: unknown, file: string): ResearchConfig {
  const hint = 'It holds "models", "budget", "quota" and "contextInQueries".'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidResearch('research', file, hint)
  const {
    models = {},
    budget = {},
    quota = {},
    contextInQueries = false,
    ...strange
  } = value as Record<string, unknown>
  const isKnown = Object.keys(strange).length === 0 && typeof contextInQueries === 'boolean'
  if (
    !isKnown ||
    !isTable(models, STAGES, 'string') ||
    !isTable(budget, BUDGET_NAMES, 'number') ||
    !isTable(quota, QUOTA_NAMES, 'number')
  )
    throw invalidResearch('research', file, hint)
  const table = { models, budget, quota } as Pick<Required<ResearchConfig>, 'models' | 'budget' | 'quota'>
  return { ...table, contextInQueries }
}

const QUOTA_NAMES = Object.keys(QUOTA)

function isTable(value: unknown, names: readonly string[], type: 'string' | 'number'): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(
    ([name, one]) => names.includes(name) && typeof one === type && (type === 'string' || Number(one) > 0),
  )
}

function invalidResearch(name: string, file: string, hint: string): ContextError {
  return invalidInput(`"${name}" in the configuration file ${file} is not valid.`, hint)
}
