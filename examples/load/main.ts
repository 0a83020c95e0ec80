/** Loads the context of a small project under two budgets, and says what the smaller one cut. */

import { fileURLToPath } from 'node:url'
import { loadContext } from 'ambit'

const rootDir = fileURLToPath(new URL('project', import.meta.url))

for (const tokenBudget of [8000, 80]) {
  const { summary, tokenCount, ledger } = await loadContext({ rootDir, tokenBudget })
  console.log(`--- budget ${tokenBudget}: ${tokenCount} tokens`)
  console.log(summary)
  for (const { title, decision, why = '' } of ledger) console.log(`${decision.padEnd(10)} ${title} ${why}`.trimEnd())
}
