import { relative } from 'node:path'
import { it } from 'vitest'
import { importsIn, importWordsIn, looksLikeFile, pointersIn } from '../../src/context/discovery/instruction-file.ts'
import { type JsonEdit, withEdits, withoutEdits } from '../../src/context/init/json-edit.ts'
import { type BlockOrder, importanceOf } from '../../src/context/passes/budget/block-order.ts'
import { type Piece, piecesOf, shownText } from '../../src/context/passes/budget/pieces.ts'
import { readCommandLines } from '../../src/context/reach/shell/shell-reader.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { blocksOf } from '../../src/text/blocks.ts'
import { fragment } from '../core/fragments.ts'
import { tree } from '../support/tree.ts'
import { perform, record } from './recorded.ts'

/* What is read in instruction files, command lines and settings, and in which order, and how, parts of a file are shown. */

/** The blocks that are no headings, the most important first, each by the last word of its first line. */
function ordered(text: string, order: BlockOrder): string {
  const blocks = blocksOf(text)
  const firstLines = importanceOf({ text, blocks, order }).map(
    (index) => text.slice(blocks[index]?.start).split('\n')[0],
  )
  return firstLines.map((line = '') => line.trim().split(' ').at(-1)).join(' ')
}

/** What is shown of a text when only the pieces that hold one of the words are. */
function shown(text: string, ...words: readonly string[]): string {
  const { pieces } = piecesOf(fragment('a', text, { syntax: 'markdown' }), { order: 'written', count: bytes4 })
  const holds = ({ start, end }: Piece) => words.some((word) => text.slice(start, end).includes(word))
  return shownText(text, pieces, new Set(pieces.filter(holds)))
}

const PUSH: JsonEdit = { at: ['hooks', 'Start'], push: { run: 'ours' }, ownPattern: /ours/ }
const SHARED: JsonEdit = { at: ['version'], set: 1, isShared: true }

/** The text with an entry; and after a second time, if that changes anything. */
function put(text: string, edit = PUSH): unknown {
  const once = withEdits(text, [edit])
  if (!('text' in once)) return once
  const twice = withEdits(once.text, [edit])
  return 'text' in twice && twice.text === once.text ? once : [once, twice]
}

it('instruction files, command lines and settings are read so, and parts of files shown so', async () => {
  const names = 'a/x.ts|a/y.ts|b/x.ts|b/c/z.ts|a b/x.ts|home/n.md|.hidden/x.ts|x=y|lib/a.c|c1/y.c|c2/y.c'.split('|')
  using planted = tree(Object.fromEntries(names.map((name) => [name, ''])))
  const variables: Readonly<Record<string, string>> = { PKG: 'b', ABS: planted.at('a') }
  const around = { cwd: planted.base, root: planted.base, home: planted.at('home') }
  const pathsOf = async (line: string) => {
    const { paths } = await readCommandLines([line], { ...around, variable: (name) => variables[name] })
    return paths.map((path) => (path.startsWith(planted.base) ? relative(planted.base, path) || '.' : path))
  }
  const targets = {
    file: { importsIn, importWordsIn, looksLikeFile, pointersIn },
    blocks: { ordered, shown },
    json: { put, take: (text: string) => withoutEdits(text, [SHARED, PUSH]) ?? 'nothing is left' },
    shell: { paths: pathsOf },
  }
  await record(await perform('readers', targets, planted.base), 'context/readers')
})
