/** Answers of the commands on settings, tokens and the installation. Plain data. */

import { rebuildAnswer } from '../../collections/answers.ts'
import { type AnswerOf, array, flag, object, oneOf, text, textOrNull } from '../../core/answer.ts'
import { SCOPES } from '../../core/choices.ts'

/** Result of one check. `warning`: it works with restrictions. `message`: sentences with the values. */
const doctorCheck = () => object({ name: text, status: oneOf('ok', 'warning', 'failed'), message: text, 'hint?': text })
export type DoctorFinding = Omit<AnswerOf<typeof doctorCheck>, 'name'>

export const doctorAnswer = () => object({ checks: array(doctorCheck()) })
export type DoctorAnswer = AnswerOf<typeof doctorAnswer>

/** `repaired`: present after the rebuild of a damaged database. `made`: created tables and columns, whose content is lost. */
export const repairAnswer = () =>
  object({ checks: array(doctorCheck()), 'repaired?': rebuildAnswer(), 'made?': array(text) })

/** A configured service, without its key. */
const service = () =>
  object({
    /** `provider/model`, or the provider; absent without a service. */
    'name?': text,
    'url?': text,
    hasKey: flag,
    /** A variable of the environment sets it, so the file cannot change it. */
    isFixed: flag,
  })

export const settingsAnswer = () =>
  object({
    /** The known providers. */
    providers: object({ model: array(text), search: array(text) }),
    /** Path of the configuration file; null for guests, and if there is no directory for it. */
    file: textOrNull,
    model: service(),
    search: service(),
    embedding: service(),
    reranking: service(),
  })
export type SettingsAnswer = AnswerOf<typeof settingsAnswer>

/** A token without its secret. */
const token = {
  id: text,
  name: text,
  scopes: array(oneOf(...SCOPES)),
  'collections?': array(text),
  createdAt: text,
  'expiresAt?': text,
  'usedAt?': text,
  'revokedAt?': text,
  state: oneOf('good', 'expired', 'revoked'),
}
const tokenSchema = () => object(token)
export type TokenLine = AnswerOf<typeof tokenSchema>

export const tokensAnswer = () => object({ tokens: array(tokenSchema()) })
export const revokedTokens = () => object({ revoked: array(tokenSchema()) })

/** `token`: the secret, which is shown only once and not stored. */
export const createdToken = () => object({ ...token, token: text })
export type CreatedToken = AnswerOf<typeof createdToken>
