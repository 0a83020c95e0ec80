/** What a file of tests, or a suite, has to itself: it goes when their tests are over. */

import { afterAll, afterEach } from 'vitest'

type Owned = Disposable | AsyncDisposable | { close(): unknown }

async function end(thing: Owned): Promise<void> {
  if (Symbol.asyncDispose in thing) await thing[Symbol.asyncDispose]()
  else if (Symbol.dispose in thing) thing[Symbol.dispose]()
  else await thing.close()
}

/** Ends it after all tests. */
export function own<Thing extends Owned>(thing: Thing): Thing {
  afterAll(() => end(thing))
  return thing
}

/** Gives a function that notes what is to be ended after each test. */
export function endedAfterEach(): <Thing extends Owned>(thing: Thing) => Thing {
  const things: Owned[] = []
  afterEach(async () => {
    for (const thing of things.splice(0)) await end(thing)
  })
  return (thing) => {
    things.push(thing)
    return thing
  }
}
