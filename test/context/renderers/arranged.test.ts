import { describe, expect, it } from 'vitest'
import { limit } from '../../../src/context/passes/limits.ts'
import { arranged, markdown } from '../../../src/context/renderers/renderers.ts'
import { assemble } from '../../../src/core/assemble.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { fragment, left, namesOf, plainly, recipeOf, selectionOf } from '../../core/fragments.ts'

const backwards = arranged((kept) => kept.toReversed(), plainly)
const abc = selectionOf(['a', 'b', 'c'].map((name) => fragment(name, name)))

describe('arranged', () => {
  it('prints in another order', () => {
    expect(backwards(abc)).toBe('c\nb\na\n')
    expect(backwards(selectionOf([], [left('x')]))).toBe('')
  })

  it('gives its text in parts where the renderer does', () => {
    const render = arranged((kept) => kept.toReversed(), markdown({ heading: 'All' }))
    expect(render.parts?.(abc).join('')).toBe(render(abc))
    expect(render(abc).match(/^#.*/gm)).toEqual(['# All', '## c', '## b', '## a'])
    expect(backwards.parts).toBeUndefined()
  })

  it('changes neither what is kept, nor its order of importance, nor the ledger', async () => {
    const passes = [limit(2)]
    const plain = await assemble(recipeOf(abc, { passes }), {}, SILENT)
    const other = await assemble(recipeOf(abc, { passes, render: backwards }), {}, SILENT)
    expect(other).toEqual({ ...plain, text: 'b\na\n' })
    expect(namesOf(other.selection.kept)).toEqual(['a', 'b'])
    expect(namesOf(abc.kept)).toEqual(['a', 'b', 'c'])
  })
})
