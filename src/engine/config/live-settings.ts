import { ContextError } from '../../core/errors.ts'
import { type Config, changeSettings, readSettings, type SettingsChange } from '../config.ts'
import { isLocalOwner, LOCAL_OWNER, type Principal } from '../principal.ts'
import type { SettingsAnswer } from './answers.ts'

/** Settings that the local owner may change while the program runs. */
export interface LiveSettings {
  /** Answers never contain keys; only the local owner sees the path of the file. */
  show(): Promise<SettingsAnswer>
  /** @throws ContextError `denied`; as `changeSettings`. */
  set(change: SettingsChange): Promise<SettingsAnswer>
}

/** `principal`: the owner of the engine; undefined for the local owner. */
export function liveSettings(config: Config, principal: Pick<Principal, 'name'> = LOCAL_OWNER): LiveSettings {
  const isOwner = isLocalOwner({ scopes: [], ...principal })
  const assertOwner = () => {
    if (isOwner) return
    const hint = 'Ask the owner: the keys and credentials are theirs.'
    throw new ContextError('denied', 'Only the owner of the server can change its settings.', { hint })
  }
  const show = async () => {
    const answer = await readSettings(config)
    return isOwner ? answer : { ...answer, file: null }
  }
  return {
    show,
    set: async (change) => {
      assertOwner()
      await changeSettings(config, change)
      return show()
    },
  }
}
