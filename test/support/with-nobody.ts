import { describe } from 'vitest'
import { lacksNobody } from './nobody.ts'

/** A suite with processes of a user who is not root; where there can be none it is skipped, by a name that says why. */
export function withNobody(title: string, suite: () => void): void {
  const reason = lacksNobody()
  describe.skipIf(reason !== undefined)(reason === undefined ? title : `${title} (${reason})`, suite)
}
