import { describe, expect, it } from 'vitest'
import { openCodeIndex } from '../../src/code/code-index.ts'
import { extendHistory } from '../../src/code/commit-history.ts'
import { type RankOptions, rankForTask } from '../../src/code/rank.ts'
import type { FileJudge, PassageEmbedder } from '../../src/code/ranking/models.ts'
import { parseTask } from '../../src/code/task-query.ts'
import { ContextError } from '../../src/core/errors.ts'
import { type Shape, type Tree, tree } from '../support/tree.ts'

/** Words that the embedder takes for the same, each a direction of its own; it knows no others. */
const MEANINGS: readonly (readonly string[])[] = [
  ['drive', 'automobile', 'motorcar', 'engine'],
  ['bake', 'bread', 'oven'],
  ['swim', 'water', 'pool'],
]

const vectorOf = (text: string) =>
  Float32Array.from([...MEANINGS.map((same) => same.filter((word) => text.toLowerCase().includes(word)).length), 0.1])

/** From the table above; it counts what it is sent. */
class TableEmbedder implements PassageEmbedder {
  readonly sent: string[] = []
  fault: ContextError | undefined

  async documents(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.fault) throw this.fault
    this.sent.push(...texts)
    return texts.map(vectorOf)
  }

  async query(text: string): Promise<Float32Array> {
    if (this.fault) throw this.fault
    return vectorOf(text)
  }
}

const bodyOf = (name: string, word: string) =>
  `export function ${name}() {\n  const a = ${word}()\n  const b = a\n  return b\n}\n`
const SHAPE: Shape = {
  'w/.git/': '',
  'w/src/a.ts': `${bodyOf('motorcar', 'start')}\n${bodyOf('second', 'other')}`,
  'w/src/b.ts': bodyOf('oven', 'heat'),
  'w/src/c.ts': bodyOf('pool', 'fill'),
  'w/test/a.test.ts': bodyOf('engineTest', 'run'),
}
const UNAVAILABLE = new ContextError('unavailable', 'Nobody is there.', { hint: 'Start it.' })

async function rank(planted: Tree, task: string, options: RankOptions) {
  const index = await openCodeIndex(planted.at('w'), { cacheFile: planted.at('cache/index') })
  return rankForTask(index, parseTask(task), options)
}

const pathsOf = ({ files }: Awaited<ReturnType<typeof rank>>) => files.map(({ file }) => file.path)

describe('files for a task, with an embedding model', () => {
  it('are ranked by both: what fits by its words and its meaning comes before what fits by one', async () => {
    using planted = tree({
      ...SHAPE,
      'w/src/d.ts': bodyOf('motorcar2', 'begins'),
      'w/src/e.ts': bodyOf('plain', 'begins'),
    })
    const models = { embedder: new TableEmbedder() }
    const task = 'The automobile begins'
    expect(pathsOf(await rank(planted, task, { models }))[0]).toBe('src/d.ts')
    expect(pathsOf(await rank(planted, task, {}))[0]).not.toBe('src/a.ts')
  })

  it('are compared as far as words find them, by the best unit of each', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `w/src/f${at}.ts`,
        `export function made${at}() {\n${`  zebra(${'x'.repeat(60)})\n`.repeat(90)}}\n${bodyOf('x', 'call')}`,
      ]),
    )
    using planted = tree(many)
    const embedder = new TableEmbedder()
    const judged: string[] = []
    const judge: FileJudge = {
      rank: async (_, documents) => documents.map((text) => judged.push(text)),
    }
    const { files } = await rank(planted, 'the zebra of the automobile', { models: { embedder, judge } })
    const positions = files.map(({ file }) => judged.findIndex((text) => text.startsWith(`${file.path}\n`)))
    expect(positions).toEqual([...Array.from({ length: 20 }, (_, at) => 19 - at), ...Array(20).fill(-1)])
    expect(embedder.sent).toHaveLength(30)
    expect(embedder.sent.every((text) => text.includes('zebra') && !text.includes('call'))).toBe(true)
    expect(new Set(embedder.sent.map(({ length }) => length))).toEqual(new Set([2000]))
  })

  it.each([
    ['oven', 0],
    ['oven and pool', 2],
    ['### Environment\n\noven and pool', 0],
  ])('are compared if they are several, and something is asked in words: %s', async (task, compared) => {
    using planted = tree(SHAPE)
    const embedder = new TableEmbedder()
    await rank(planted, task, { models: { embedder } })
    expect(embedder.sent).toHaveLength(compared)
  })

  it('are ranked by words, with a notice, where the model does not answer', async () => {
    using planted = tree(SHAPE)
    const embedder = new TableEmbedder()
    embedder.fault = UNAVAILABLE
    const ranking = await rank(planted, 'the second motorcar in the oven', { models: { embedder } })
    expect(pathsOf(ranking)).toEqual(pathsOf(await rank(planted, 'the second motorcar in the oven', {})))
    expect(ranking.notices).toEqual(['Files are ranked without vectors: Nobody is there. Start it.'])
  })
})

describe('files for a task, with a reranking model', () => {
  const judge: FileJudge = {
    rank: async (_, documents) => documents.map((text) => (text.includes('pool') ? 2 : text.includes('oven') ? 1 : 0)),
  }
  const task = 'motorcar, oven and pool'

  it('are in its order', async () => {
    using planted = tree(SHAPE)
    const { files, shown } = await rank(planted, task, { models: { judge } })
    expect(files.slice(0, 3).map(({ file }) => file.path)).toEqual(['src/c.ts', 'src/b.ts', 'src/a.ts'])
    expect(shown[0]?.file.path).toBe('src/c.ts')
  })

  it('stay in its order whatever the messages of commits say', async () => {
    using planted = tree(SHAPE)
    const commits = [{ message: task, paths: ['src/a.ts'] }]
    const history = extendHistory(undefined, { head: 'abc', commits })
    const options = { history, maxShown: 1 }
    expect((await rank(planted, task, options)).files[0]?.commits).toMatchObject({ messages: 1 })
    const { files, shown } = await rank(planted, task, { ...options, models: { judge } })
    expect([files[0], shown[0]].map((one) => one?.file.path)).toEqual(['src/c.ts', 'src/c.ts'])
  })

  it('are judged by their best unit and what is wanted', async () => {
    using planted = tree(SHAPE)
    const asked: unknown[] = []
    const listens: FileJudge = {
      rank: async (query, documents) => {
        asked.push(query, ...documents.filter((text) => text.startsWith('src/a.ts')))
        return documents.map(() => 0)
      },
    }
    await rank(planted, `${task}\n\n### Environment\n\n- OS: Linux\n`, { models: { judge: listens } })
    expect(asked).toEqual([task, expect.stringMatching(/^src\/a\.ts\nexport function motorcar/)])
  })

  it('stay as they are, with a notice, where the model does not answer', async () => {
    using planted = tree(SHAPE)
    const failing: FileJudge = { rank: () => Promise.reject(UNAVAILABLE) }
    const ranking = await rank(planted, task, { models: { judge: failing } })
    expect(pathsOf(ranking)).toEqual(pathsOf(await rank(planted, task, {})))
    expect(ranking.notices).toEqual(['Files are not reranked: Nobody is there. Start it.'])
  })
})
