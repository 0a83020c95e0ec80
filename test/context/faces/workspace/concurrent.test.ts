import { describe, expect, it } from 'vitest'
import type { Workspace } from '../../../../src/context/workspace/workspace.ts'
import { fc, forAllAsync } from '../../../support/property.ts'
import { open, type Project, project } from '../../../support/workspace.ts'

const DIRECTORIES = ['', 'a/', 'a/b/', 'c/', 'c/d/', 'e/']
const shape = {
  ...Object.fromEntries(DIRECTORIES.map((at) => [`${at}AGENTS.md`, `at ${at} @shared.md`])),
  'a/shared.md': 'shared',
  '~/.ambit/AGENTS.md': 'home',
}

type Call = { readonly touch: string } | 'contexts' | 'prompt' | 'ledger' | 'rebase'

async function answer(workspace: Workspace, call: Call): Promise<unknown> {
  if (typeof call === 'object') return workspace.touch(call.touch)
  if (call === 'contexts') return (await workspace.relevantContexts()).map(({ path, reason }) => `${path} ${reason}`)
  if (call === 'prompt') return workspace.prompt()
  return call === 'ledger' ? workspace.ledger() : workspace.rebase()
}

async function inTurn(planted: Project, calls: readonly Call[]) {
  const workspace = await open(planted)
  const answers: unknown[] = []
  for (const call of calls) answers.push(await answer(workspace, call))
  return answers
}

async function together(planted: Project, calls: readonly Call[]) {
  const workspace = await open(planted)
  return Promise.all(calls.map((call) => answer(workspace, call)))
}

describe('calls that are made at once', () => {
  it('are answered as if they had been made in turn', async () => {
    using planted = project(shape)
    const call = fc.oneof(
      fc.constantFrom(...DIRECTORIES, '../outside/').map((at) => ({ touch: `${at}x.ts` })),
      fc.constantFrom('contexts' as const, 'prompt' as const, 'prompt' as const, 'ledger' as const, 'rebase' as const),
    )
    await forAllAsync(100, fc.array(call, { maxLength: 12 }), async (calls) => {
      expect(await together(planted, calls)).toEqual(await inTurn(planted, calls))
    })
  })

  it('come to the same text with a hundred touches', async () => {
    using planted = project(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`d${index}/AGENTS.md`, `${index}`])),
    )
    const workspace = await open(planted)
    const touches = Array.from({ length: 100 }, (_, index) => workspace.touch(`d${index}/x.ts`))
    const [contexts, prompt] = await Promise.all([workspace.relevantContexts(), workspace.prompt(), ...touches])
    expect(contexts.length).toBe(100)
    expect((await workspace.prompt()).text).toBe(prompt.text)
  })

  it('go on after one that fails, and forget no rebase', async () => {
    using planted = project(shape)
    let fails = true
    const count = (text: string) => {
      if (fails) throw new Error('The counter broke.')
      return text.length
    }
    const workspace = await open(planted, { options: { budget: 1000, count } })
    await expect(workspace.prompt()).rejects.toThrow('The counter broke.')
    fails = false
    expect((await workspace.prompt()).text).toContain('at  @shared.md')
    workspace.rebase()
    fails = true
    await expect(workspace.prompt()).rejects.toThrow('The counter broke.')
    fails = false
    expect(await workspace.prompt()).toMatchObject({ epoch: 2, reason: 'rebase' })
  })
})
