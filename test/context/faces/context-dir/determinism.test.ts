import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { type LoadedContext, loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { contextTree, type Shape } from '../../../support/tree.ts'

const FILES: Shape = {
  'CONSTITUTION.md': '# Rules\n\nNever lie.\n',
  'TASKS.md': `# Tasks\n\n${'- [ ] Do something.\n'.repeat(300)}`,
  'LEARNINGS.md': `# Learnings\n\n## 2024-01-01\n\n${'A word. '.repeat(500)}\n`,
  'zebra.md': 'z\u200b',
  'Äpfel.md': 'ä\r\n',
  'a.md': '',
  'BIN.md': '\0',
  'LINK.md -> TASKS.md': '',
}

/** All of an answer that may not depend on where the tree lies. */
function withoutPlace(loaded: LoadedContext, base: string): unknown {
  return JSON.parse(JSON.stringify(loaded).replaceAll(encodeURI(base), '').replaceAll(base, ''))
}

async function answerOf(files: Shape) {
  using project = contextTree(files)
  const loaded = await loadContext({ rootDir: project.base, tokenBudget: 600 })
  return { loaded, place: withoutPlace(loaded, project.base) }
}

it.each([
  ['another language', { LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8' }],
  ['another time zone', { TZ: 'Pacific/Kiritimati' }],
])('an answer is the same in %s', async (_, env) => {
  using project = contextTree(FILES)
  const face = new URL('../../../../src/context/context-dir/load-context.ts', import.meta.url).href
  const program = `
      const { loadContext } = await import(${JSON.stringify(face)})
      process.stdout.write(JSON.stringify(await loadContext({ rootDir: process.argv[1], tokenBudget: 600 })))`
  const args = ['--input-type=module', '-e', program, project.base]
  const there = execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } })
  expect(there).toBe(JSON.stringify(await loadContext({ rootDir: project.base, tokenBudget: 600 })))
})

describe('the digest', () => {
  const base: Shape = { 'TASKS.md': 'one', 'B.md': 'two' }

  it.each<[what: string, files: Shape]>([
    ['other content', { 'TASKS.md': 'one!', 'B.md': 'two' }],
    ['another name', { 'TASKS.md': 'one', 'C.md': 'two' }],
    ['content moved over the border', { 'TASKS.md': 'onetwo', 'B.md': '' }],
    ['invisible characters', { 'TASKS.md': 'o\u200bne', 'B.md': 'two' }],
  ])('is another for %s', async (_, files) => {
    expect((await answerOf(files)).loaded.digest).not.toBe((await answerOf(base)).loaded.digest)
  })

  it('is a SHA-256, and does not depend on the budget, the task or where the walk began', async () => {
    using project = contextTree(FILES)
    project.plant({ 'a/b/': '' })
    const options = [{}, { tokenBudget: 1 }, { task: 'do' }, { rootDir: project.at('a/b') }]
    const digests = options.map(async (option) => (await loadContext({ rootDir: project.base, ...option })).digest)
    const different = new Set(await Promise.all(digests))
    expect([...different]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
  })
})
