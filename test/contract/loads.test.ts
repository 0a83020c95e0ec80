import { expect, it } from 'vitest'
import { checkPlace } from '../../src/context/check.ts'
import { diffProfiles } from '../../src/context/diff.ts'
import { explainPlace, withAdvice } from '../../src/context/explain.ts'
import { type LoadRequest, load } from '../../src/context/load.ts'
import { PROFILE_NAMES } from '../../src/context/profiles.ts'
import { SILENT } from '../../src/core/flow.ts'
import { tree } from '../support/tree.ts'

/* What a fixed tree gives, so that whoever changes a rule sees each file and each token that moves. */

const long = (topic: string, times: number) =>
  Array.from(
    { length: times },
    (_, at) => `## ${topic} ${at}\n\n${`The ${topic} ${at} of the shop is careful. `.repeat(6)}\n`,
  ).join('\n')

const TREE = {
  'home/AGENTS.md': '# Mine\n\nI like short answers.\n',
  'home/.claude/CLAUDE.md': '# Claude of mine\n\nNo emoji.\n',
  'w/.git/': '',
  'w/AGENTS.md': `# Shop\n\nRun \`npm test\`. See src/gone.ts.\n\n${long('rule', 8)}`,
  'w/CLAUDE.md': '@AGENTS.md\n@docs/style.md\n\n# For Claude\n\nThink first.\n',
  'w/GEMINI.md': '# For Gemini\n\n@./docs/style.md\n',
  'w/docs/style.md': '# Style\n\nTwo blanks.\n',
  'w/.cursor/rules/api.mdc': '---\ndescription: API\nglobs: packages/api/**\n---\n\nAnswers are JSON.\n',
  'w/.cursor/rules/all.mdc': '---\nalwaysApply: true\n---\n\nBe kind.\n',
  'w/.github/copilot-instructions.md': '# Copilot\n\nComment little.\n',
  'w/.github/instructions/api.instructions.md': '---\napplyTo: "packages/api/**"\n---\n\nAnswers are JSON.\n',
  'w/.agents/rules/db.md': '---\npaths: packages/db/**\n---\n\nMigrate first.\n',
  'w/.windsurf/rules/a.md': '---\ntrigger: always_on\n---\n\nWind.\n',
  'w/.context/DECISIONS.md': `# Decisions\n\n${long('decision', 6)}`,
  'w/.context/TASKS.md': '# Tasks\n\n- [ ] Ship the api\n- [x] Done\n',
  'w/.context/notes/CONSTITUTION.md': '# Constitution\n\nNever delete.\n',
  'w/packages/api/AGENTS.md': `# Api\n\nCheck the token.\n\n${long('route', 4)}`,
  'w/packages/api/AGENTS.override.md': '# Override\n\nUse v2.\n',
  'w/packages/api/server.ts': 'export function serve(port: number) {\n  return port\n}\n',
  'w/packages/db/AGENTS.md': '# Db\n\nUse transactions.\n',
  'w/packages/db/rows.ts': 'export const rows = []\n',
} as const

type Requests = Readonly<Record<string, LoadRequest>>

/** Requests at a place of the tree. */
const REQUESTS: Requests = {
  plain: {},
  'a small budget': { budget: 400 },
  'a tiny budget': { budget: 40 },
  'a budget for a task': { budget: 600, task: 'change a route of the api' },
  'a touched file': { touched: ['packages/db/rows.ts'], budget: 2000 },
  'general first': { order: 'general-first', budget: 900 },
  'no home, no drift': { home: false, drift: false },
  'o200k tokens': { tokens: 'o200k', budget: 500 },
  xml: { format: 'xml', budget: 300 },
  'no instructions': { instructions: false },
  'code of a task': { task: 'serve on a port', code: true, budget: 1500, signatures: true },
  ...Object.fromEntries(PROFILE_NAMES.map((profile): [string, LoadRequest] => [`as ${profile}`, { profile }])),
}

it('a fixed tree gives these loads, verdicts and findings', async () => {
  using planted = tree(TREE)
  const home = planted.at('home')
  const shown: string[] = []
  const advices = new Set<string>()
  for (const place of ['w', 'w/packages/api']) {
    const at = planted.at(place)
    for (const [name, request] of Object.entries(REQUESTS)) {
      const touched = (request.touched ?? []).map((path) => planted.at('w', path))
      const { text, warnings, tokenCount, ledger } = await load({ home, ...request, place: at, touched })
      shown.push(`# ${name}, at ${place}: ${tokenCount} tokens`)
      for (const row of ledger) {
        if (row.why === 'missing') continue
        shown.push(`${row.decision} ${row.tokensAfter} of ${row.tokensBefore} ${row.title}: ${row.why}`)
        for (const advice of withAdvice(row)) advices.add(advice)
      }
      shown.push(...warnings.map(({ message }) => `! ${message}`))
      if (request.budget !== undefined && request.budget <= 300) shown.push(text)
    }
    const { agents, files } = await diffProfiles({ place: at, home, system: planted.at('home') }, SILENT)
    shown.push(`# diff at ${place}`, ...[...agents, ...files].map((row) => JSON.stringify(row)))
    const { whyNot } = await explainPlace({ place: at, home, whyNot: planted.at('w/packages/db/AGENTS.md') }, SILENT)
    shown.push(`# why not, at ${place}`, whyNot?.answer ?? '')
  }
  shown.push('# advice', ...[...advices].sort())
  const { findings } = await checkPlace({ place: planted.at('w'), home })
  shown.push('# check', ...findings.map((one) => JSON.stringify(one)))
  await expect(shown.join('\n').replaceAll(planted.base, '/base')).toMatchFileSnapshot('snapshots/loads.txt')
})
