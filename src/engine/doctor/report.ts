/** A report of the doctor for a public issue: without names of people, hosts, places and collections. */

import { hostname } from 'node:os'
import { systemHome } from '../../files/home.ts'
import { quotePattern } from '../../text/wildcards.ts'
import type { DoctorAnswer } from '../config/answers.ts'
import type { DoctorConfig } from './doctor.ts'

/** Paths that the report replaces by words. */
export interface ReportPlaces {
  readonly home: string | undefined
  /** Start directory of the program. */
  readonly here: string
  readonly host?: string
}

/** Folders of every system, which do not identify anybody. */
const SYSTEM_PATH = /^\/(?:proc|dev|sys|etc|usr|bin|opt|tmp)(?:\/[a-z]{1,12}){0,2}$/

/** Checks whose messages begin with a name that a person chose. */
const CHECKS_WITH_NAMES: readonly string[] = ['database', 'MCP servers']

export function reportForIssue(answer: DoctorAnswer, { home }: Pick<DoctorConfig, 'home'>): DoctorAnswer {
  return anonymise(answer, { home: home === false ? undefined : (home ?? systemHome()), here: process.cwd() })
}

/** The same checks with `…` in place of private names. */
export function anonymise({ checks, ...rest }: DoctorAnswer, places: ReportPlaces): DoctorAnswer {
  const hiddenChecks = checks.map(({ hint, ...check }) => {
    const hide = (text: string) => hideNames(text, check.name, places)
    return { ...check, message: hide(check.message), ...(hint !== undefined && { hint: hide(hint) }) }
  })
  return { ...rest, checks: hiddenChecks }
}

function hideNames(text: string, check: string, { home, here, host = hostname() }: ReportPlaces): string {
  const places = [[here, 'PROJECT'] as const, ...(home === undefined || home === '/' ? [] : [[home, '~'] as const])]
  const withoutPlaces = places
    .filter(([place]) => place.length > 1)
    .sort(([a], [b]) => b.length - a.length)
    .reduce((all, [place, word]) => all.replaceAll(new RegExp(`${quotePattern(place)}(?![\\w.-])`, 'g'), word), text)
  const hidden = withoutPlaces
    .replace(/\b([a-z][a-z0-9+]*):\/\/[^\s"',]+/gi, '$1://…')
    .replace(/(?<![\w~.…:/])\/[^\s"':;,]*[^\s"':;,.]/g, (path) => (SYSTEM_PATH.test(path) ? path : '/…'))
    .replace(/\b[\w-]+(?:\.[\w-]+)*:\d{2,5}\b/g, '…')
    .replaceAll(new RegExp(`\\b${quotePattern(host)}\\b`, 'g'), '…')
  if (check === 'secrets') return hidden.replace(/: .*$/s, '.')
  return CHECKS_WITH_NAMES.includes(check) ? hidden.replace(/(^|\. )(?!SQLite|PostgreSQL)([^:.]+): /g, '$1…: ') : hidden
}
