import { it } from 'vitest'
import { committed, driftIn, plant } from '../drift/fixtures.ts'
import { SECRET_LINE, type Shape } from '../support/tree.ts'
import { filesIn, perform, record } from './recorded.ts'

/* What of texts is found to be gone, with its line, what became of it, and what is said of it. */

const FEW = {
  'src/core/flow.ts': '',
  'src/env.ts': '',
  'packages/web/src/app/page.tsx': '',
  'port/out/repository/x.ts': '',
}
const EMPTY = 'docs/site/page.md docs/a b.md src/core/flow.ts src/index.ts scripts/build.sh packages/api/src/server.ts'
const MORE = 'packages/api/AGENTS.md tools/ client/ .github/workflows/ci.yml node_modules/lodash/'

it('drift in these texts is this', async () => {
  const names = [...EMPTY.split(/ (?=docs|src|scripts|packages)/), ...MORE.split(' ')]
  const empty = Object.fromEntries(names.map((name) => [name, '']))
  const ignored = { '.gitignore': `${SECRET_LINE}generated/\n*.log\n/site.json\n` }
  using whole = plant({ ...empty, ...ignored, ...Object.fromEntries(filesIn('project.txt')) })
  using plain = plant(FEW)
  using past = committed(FEW)
  const targets = {
    tree: {
      drift: (text: string, name?: string) => driftIn(whole, text, name === undefined ? {} : { name }),
      both: async (text: string) => {
        const fence = `\`\`\`sh\n${text.replaceAll('`', '')}\n\`\`\``
        return [...(await driftIn(whole, text)), ...(await driftIn(whole, fence))]
      },
    },
    other: {
      drift: async (files: Shape, text: string) => {
        using other = plant(files)
        return await driftIn(other, text)
      },
    },
    plain: { states: (text: string) => driftIn(plain, text) },
    past: { states: (text: string) => driftIn(past, text, { history: true }) },
  }
  const roots = [whole, plain, past].map(({ root }) => root)
  const lines = await perform('drift', targets)
  // Each tree of its own lies elsewhere.
  const shown = lines.map((line) => roots.reduce((text, root) => text.replaceAll(`${root}/`, ''), line))
  await record(
    shown.map((line) => line.replace(/"path":"[^"]*\/project\//g, '"path":"')),
    'drift',
  )
})
