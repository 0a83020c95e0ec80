/** A chat whose conversations take a while to be read. */

import { setTimeout as sleep } from 'node:timers/promises'
import { open } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { chat } from '../../../src/surfaces/cli/chat.ts'

const slowly = async () => {
  const engine = await open({ db: ':memory:' })
  const conversations = async () => {
    await sleep(300)
    return engine.conversations()
  }
  return Object.assign(Object.create(engine), { conversations, close: () => engine.close() })
}

process.exitCode = await chat({}, {}, { plain: true, operations, open: slowly })
