import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { openWith } from '../../../src/open.ts'
import { inspection } from '../../../src/operations/context/inspect.ts'
import { tree } from '../../support/tree.ts'

const { explain: explainOperation } = inspection

async function explained(place: string, whyNot?: string) {
  const engine = openWith({ file: undefined, unknown: [], home: false })
  const input = explainOperation.input.parse({ place, whyNot, home: false })
  const output = await explainOperation.run(engine, input, SILENT)
  await engine.close()
  return { text: explainOperation.text(output, input), failed: explainOperation.failed?.(output), output }
}

describe('an explanation', () => {
  it.each([
    ['is there', 'AGENTS.md', false],
    ['is there, and no context', 'other.txt', false],
    ['is not there', 'none.md', true],
  ])('of why not fails by whether the file is: one that %s', async (_, name, failed) => {
    using files = tree({ '.git/': '', 'AGENTS.md': '# Rules\n', 'other.txt': 'x' })
    expect((await explained(files.base, files.at(name))).failed).toBe(failed)
  })

  it('has no rows for the files of a context directory that is not there, and its ledger has them', async () => {
    using files = tree({ '.git/': '' })
    const { text, output, failed } = await explained(files.base)
    expect(text).toBe(
      'There is no context here: no instruction file and no .context/. "ambit init" writes skeletons.\n0 of 8000 tokens\n',
    )
    expect(output.ledger.length).toBeGreaterThan(5)
    expect(failed).toBe(false)
  })

  it('has them where there is one', async () => {
    using files = tree({ '.git/': '', '.context/TASKS.md': '# Tasks\n\n- [ ] a\n' })
    expect((await explained(files.base)).text).toContain('left\t0/0\tGlossary\tmissing\n')
  })
})
