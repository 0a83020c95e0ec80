import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openDirectory } from '../../src/files/directory.ts'
import { tree } from '../support/tree.ts'
import { descriptorsBelow } from './fixtures.ts'
import { HELD_BY_SOME } from './keys.ts'
import { objectsContract } from './objects.contract.ts'

objectsContract(
  'a directory',
  async () => {
    const at = tree({}, 'ambit-objects-')
    return {
      objects: openDirectory(at.base),
      fill: async (objects) => {
        for (const [key, bytes] of objects) {
          mkdirSync(dirname(at.at(key)), { recursive: true })
          writeFileSync(at.at(key), bytes)
        }
      },
      running: () => descriptorsBelow(at.base).length,
      close: async () => at[Symbol.dispose](),
    }
  },
  { holds: (key) => !HELD_BY_SOME.includes(key) },
)
