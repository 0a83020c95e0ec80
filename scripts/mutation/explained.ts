/** Changes that no test can notice, or that need not be noticed, each with why. */

import type { Mutant } from './mutants.ts'

interface Explanation {
  readonly path: string
  /** Begins the changed line, without its indentation; with `after`, of this change alone. */
  readonly before: string
  readonly after?: string
  readonly why: string
}

export const explanations: readonly Explanation[] = [
  {
    path: 'src/text/invisible.ts',
    before: 'if (json === undefined ||',
    after: 'if (json === undefined &&',
    why: 'the same: what holds nothing to escape is given back as it is by the next line, too',
  },
  {
    path: 'src/surfaces/http/connections.ts',
    before: 'for (const [address, { size }] of this.#idle)',
    after: 'for (const [address, { size }] of this.#idle) if (size >= most)',
    why: 'of two addresses with as many connections, either may lose one',
  },
  {
    path: 'src/surfaces/http/connections.ts',
    before: 'const hasBody =',
    after: "const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 1)",
    why: 'a request without a body is complete, and the next look lets go of it',
  },
  {
    path: 'src/surfaces/http/connections.ts',
    before: 'this.#wake(oldest, address)',
    after: '',
    why: 'its end, which comes before another connection does, takes it out, too',
  },
  {
    path: 'src/surfaces/http/connections.ts',
    before: 'const left = (this.#counts.get(address) ?? 1)',
    after: 'const left = (this.#counts.get(address) ?? 2)',
    why: 'an address of which a connection ends is always counted',
  },
  {
    path: 'src/surfaces/http/connections.ts',
    before: '#looked = 0',
    after: '#looked = 1',
    why: 'a millisecond of the beginning of the process, before the first look',
  },
  {
    path: 'src/surfaces/http/connections.ts',
    before: 'this.#bodies.delete(request)',
    after: '',
    why: 'its connection is closed or its body complete, and the next look lets go of it or closes what is closed',
  },
  {
    path: 'src/surfaces/http/connections.ts',
    before: '} else if (now - body.at >= slowMs)',
    after: '} else if (now - body.at > slowMs)',
    why: 'two readings of a clock that are apart by exactly this time, to a fraction of a microsecond',
  },
  {
    path: 'src/text/secrets.ts',
    before: "for (let next = text.indexOf('\\n'); next !== -1 && next < at;",
    after: "for (let next = text.indexOf('\\n'); next !== -1 && next <= at;",
    why: 'no secret begins with the end of a line',
  },
  {
    path: 'src/text/secrets.ts',
    before: 'for (let at = 1; at < value.length; at++)',
    after: 'for (let at = 1; at <= value.length; at++)',
    why: 'behind the end there is no number that could be the next one',
  },
  {
    path: 'src/text/secrets.ts',
    before: 'let [bits, size, found] = [0, 0',
    after: 'let [bits, size, found] = [1, 0',
    why: 'the bit is above the eight that are taken',
  },
  {
    path: 'src/text/secrets.ts',
    before: 'if (size < 8) continue',
    after: 'if (size <= 8) continue',
    why: 'a byte is taken with the next character; the last one is the closing bracket of the JSON',
  },
  {
    path: 'src/files/roots.ts',
    before: 'const path = home === undefined ? resolve(base, word) : join(home, word.slice(1))',
    after: 'const path = home === undefined ? resolve(base, word) : join(home, word.slice(2))',
    why: 'the same: what follows `~` is nothing or a slash, and `join` puts one there',
  },
  {
    path: 'src/internet/addresses.ts',
    before: 'const [high = 0, low = 0]',
    after: 'const [high = 0, low = 1]',
    why: 'a text that begins with a colon has two groups; the defaults are there for the types',
  },
  {
    path: 'src/engine/auth/seen/index-store.ts',
    before: 'masked[doc >> 3] = (masked[doc >> 3] ?? 0)',
    after: 'masked[doc >> 3] = (masked[doc >> 3] ?? 1)',
    why: 'the array has a byte for each document; the default is there for the types',
  },
  {
    path: 'src/stores/uploads/upkeep.ts',
    before: 'const AT_ONCE = 500',
    after: 'const AT_ONCE = 501',
    why: 'how many rows one query gives: all are asked for, whatever it is',
  },
  {
    path: 'src/files/confine.ts',
    before: 'readonly ok: true',
    why: 'a type, which no program runs',
  },
  {
    path: 'src/files/confine.ts',
    before: 'const TRIES = 3',
    after: 'const TRIES = 4',
    why: 'one try more of a file that is replaced each time: the verdict is the same',
  },
  {
    path: 'src/files/disk/directory-put.ts',
    before: 'const LOOK = 2',
    after: 'const LOOK = 3',
    why: 'a millisecond more between two looks at a lock',
  },
  {
    path: 'src/stores/sqlite/patience.ts',
    before: 'await sleep(5 + Math.random() * 30)',
    after: 'await sleep(',
    why: 'a millisecond more between two tries',
  },
  {
    path: 'src/stores/sqlite/patience.ts',
    before: 'export const BLOCKED_MS = 50',
    after: 'export const BLOCKED_MS = 51',
    why: 'a millisecond more before the next try',
  },
  {
    path: 'src/stores/sqlite/sql.ts',
    before: 'const size = statSync(',
    after: `const size = statSync(\`\${this.path}-wal\`, { throwIfNoEntry: false })?.size ?? 1`,
    why: 'a log that is not there is as short as one of a byte',
  },
]

/** Why a change need not be noticed; undefined where it must. */
export function explanationOf({ path, before, after }: Mutant & { readonly path: string }): string | undefined {
  return explanations.find(
    (one) =>
      one.path === path &&
      before.trim().startsWith(one.before) &&
      (one.after === undefined || (one.after === '' ? after.trim() === '' : after.trim().startsWith(one.after))),
  )?.why
}
