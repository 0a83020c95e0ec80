import { KNOWN_RULES, wrongRules } from '../test/context/profiles/known-rules.ts'
import { bound, type Findings } from './harness.ts'

/** Of the rules that are known of each tool, how many its profile gets right. */
export async function profilesFigures(): Promise<Findings> {
  const rows: string[][] = []
  for (const [profile, { length }] of Object.entries(KNOWN_RULES)) {
    const wrong = await wrongRules(profile)
    rows.push([profile, String(length), String(length - wrong.length), wrong.join('; ')])
  }
  const share = ([, known = '', right = '']: readonly string[]) => Number(right) / Number(known)
  const [worst = []] = rows.toSorted((a, b) => share(a) - share(b))
  return {
    verdicts: [
      bound(`profiles: rules right, of the worst of ${rows.length} tools`, share(worst), {
        unit: 'score',
        limit: 0.95,
        atLeast: true,
      }),
    ],
    tables: [{ title: 'Rules of each tool', columns: ['profile', 'known', 'right', 'wrong'], rows }],
  }
}
