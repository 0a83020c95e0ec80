/** An agent loop, without a model: each step touches a file, and the prompt grows by what that brings in. */

import { fileURLToPath } from 'node:url'
import { Workspace } from 'ambit'

const root = fileURLToPath(new URL('project', import.meta.url))
const workspace = await Workspace.open({ cwd: root, root, home: false, filenames: 'relative' })

let prompt = await workspace.prompt()
console.log(`step 0, epoch ${prompt.epoch}, sent:\n${prompt.delta}`)

for (const [step, path] of ['packages/api/server.ts', 'packages/api/routes.ts'].entries()) {
  await workspace.touch(path)
  const before = prompt
  prompt = await workspace.prompt(before)
  if (prompt.text !== before.text + prompt.delta) throw new Error('What was sent has changed within an epoch.')
  console.log(`step ${step + 1}, epoch ${prompt.epoch}, touched ${path}, sent:\n${prompt.delta || '(nothing new)'}`)
}
