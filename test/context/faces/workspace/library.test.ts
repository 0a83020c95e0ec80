import { describe, expect, it } from 'vitest'
import { Workspace } from '../../../../src/context/workspace/workspace.ts'
import { tree } from '../../../support/tree.ts'

describe('a workspace as a library', () => {
  it('takes a profile by its name, and says which there are', async () => {
    using at = tree({ '.git/': '', 'GEMINI.md': 'For one tool.', 'AGENTS.md': 'For others.' })
    const workspace = await Workspace.open({ cwd: at.base, home: false, profile: 'gemini' })
    expect((await workspace.relevantContexts()).map(({ content }) => content)).toEqual(['For one tool.'])
    await expect(Workspace.open({ cwd: at.base, profile: 'nobody' })).rejects.toMatchObject({
      code: 'invalid-input',
      hint: expect.stringContaining('claude'),
    })
  })

  it('tells what was noticed, once for each file', async () => {
    using at = tree({ '.git/': '', 'AGENTS.md': 'a\u202eb', 'sub/AGENTS.md': Uint8Array.of(0x61, 0xff) })
    const workspace = await Workspace.open({ cwd: at.base, home: false })
    await workspace.touch('sub/x.ts')
    expect((await workspace.warnings()).map(({ path, message }) => [path, message])).toEqual([
      [at.at('sub/AGENTS.md'), expect.stringContaining('U+FFFD')],
      [at.at('AGENTS.md'), expect.stringContaining('U+202E')],
    ])
  })
})
