/** Answers of the commands on settings, tokens and the installation. Plain data. */

import { rebuildAnswer } from '../../collections/answers.ts'
import { type AnswerOf, array, flag, object, oneOf, text, textOrNull } from '../../core/answer.ts'
import { SCOPES } from '../../core/choices.ts'

/** `warning`: it works, with less. `message`: one sentence or more, with the values. */
const finding = { status: oneOf('ok', 'warning', 'failed'), message: text, 'hint?': text }
const findingSchema = () => object(finding)
export type DoctorFinding = AnswerOf<typeof findingSchema>

/** Result of one check. */
const doctorCheck = () => object({ name: text, ...finding })

export const doctorAnswer = () => object({ checks: array(doctorCheck()) })
export type DoctorAnswer = AnswerOf<typeof doctorAnswer>

/** `repaired`: where the database was damaged. `made`: tables and columns that were missing; what they held is lost. */
export const repairAnswer = () =>
  object({ checks: array(doctorCheck()), 'repaired?': rebuildAnswer(), 'made?': array(text) })

/** A service that is set. Its key is never shown. */
const service = () =>
  object({
    /** `provider/model`, or the provider; absent where none is set. */
    'name?': text,
    'url?': text,
    hasKey: flag,
    /** A variable of the server's environment sets it, which the file cannot change. */
    isFixed: flag,
  })

export const settingsAnswer = () =>
  object({
    /** The providers that can be set. */
    providers: object({ model: array(text), search: array(text) }),
    /** The file that changes are kept in; null where there is no place for one. */
    file: textOrNull,
    model: service(),
    search: service(),
    embedding: service(),
    reranking: service(),
  })
export type SettingsAnswer = AnswerOf<typeof settingsAnswer>

const tokenState = oneOf('good', 'expired', 'revoked')
export type TokenState = AnswerOf<typeof tokenState>

/** A token as people see it: never its secret. */
const token = {
  id: text,
  name: text,
  scopes: array(oneOf(...SCOPES)),
  'collections?': array(text),
  createdAt: text,
  'expiresAt?': text,
  'usedAt?': text,
  'revokedAt?': text,
  state: tokenState,
}
const tokenSchema = () => object(token)
export type TokenLine = AnswerOf<typeof tokenSchema>

export const tokensAnswer = () => object({ tokens: array(tokenSchema()) })
export const revokedTokens = () => object({ revoked: array(tokenSchema()) })

/** `token`: the secret, which is shown once and not kept. */
export const createdToken = () => object({ ...token, token: text })
export type CreatedToken = AnswerOf<typeof createdToken>
