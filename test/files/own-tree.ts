import { afterAll, expect } from 'vitest'
import { descriptorsBelow, plantTree, type Tree } from './fixtures.ts'

/** A tree of a file of tests, of which none leaves anything open. */
export function ownTree(): Tree {
  const tree = plantTree()
  afterAll(() => {
    tree[Symbol.dispose]()
    expect(descriptorsBelow(tree.base)).toEqual([])
  })
  return tree
}
