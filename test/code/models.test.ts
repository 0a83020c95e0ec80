import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openCodeIndex } from '../../src/code/code-index.ts'
import type { FileJudge } from '../../src/code/meaning/judge.ts'
import type { UnitEmbedder } from '../../src/code/meaning/unit-vectors.ts'
import { type RankOptions, rankForTask } from '../../src/code/rank.ts'
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
class TableEmbedder implements UnitEmbedder {
  readonly sent: string[] = []
  readonly fingerprint: string
  fault: ContextError | undefined

  constructor(fingerprint = 'table') {
    this.fingerprint = fingerprint
  }

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
  return rankForTask(index, parseTask(task), { vectorFile: planted.at('cache/vectors'), ...options })
}

const pathsOf = ({ files }: Awaited<ReturnType<typeof rank>>) => files.map(({ file }) => file.path)

describe('files for a task, with an embedding model', () => {
  it('are found by meaning where they share no word with it, and their nearest unit is shown', async () => {
    using planted = tree(SHAPE)
    const embedder = new TableEmbedder()
    const task = 'The automobile does not begin'
    expect(pathsOf(await rank(planted, task, {}))).toEqual([])
    const { files, shown } = await rank(planted, task, { models: { embedder } })
    expect(files[0]).toMatchObject({ file: { path: 'src/a.ts' }, meaning: 1 })
    const [best] = (shown[0]?.ranked ?? []).toSorted((a, b) => b.score - a.score)
    expect(best?.names).toEqual(['motorcar'])
  })

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

  it('have vectors once: only what changed is sent again, and tests are not sent', async () => {
    using planted = tree(SHAPE)
    const embedder = new TableEmbedder()
    await rank(planted, 'automobile', { models: { embedder } })
    expect(embedder.sent.map((text) => text.split('\n')[0]).sort()).toEqual([
      'src/a.ts motorcar',
      'src/a.ts second',
      'src/b.ts oven',
      'src/c.ts pool',
    ])
    embedder.sent.length = 0
    await rank(planted, 'bread', { models: { embedder } })
    expect(embedder.sent).toEqual([])
    writeFileSync(planted.at('w/src/a.ts'), `${bodyOf('motorcar', 'start')}\n${bodyOf('second', 'changed')}`)
    rmSync(planted.at('w/src/c.ts'))
    const { files } = await rank(planted, 'swim', { models: { embedder } })
    expect(embedder.sent).toEqual([expect.stringContaining('changed()')])
    expect(files.map(({ file }) => file.path)).not.toContain('src/c.ts')
  })

  it('have new vectors for another model, and after the file of the vectors is damaged', async () => {
    using planted = tree(SHAPE)
    const first = new TableEmbedder()
    await rank(planted, 'automobile', { models: { embedder: first } })
    const other = new TableEmbedder('other')
    await rank(planted, 'automobile', { models: { embedder: other } })
    expect(other.sent).toHaveLength(first.sent.length)
    writeFileSync(planted.at('cache/vectors'), 'ambit code vectors 1\nand nothing of it')
    const again = new TableEmbedder('other')
    expect(pathsOf(await rank(planted, 'automobile', { models: { embedder: again } }))[0]).toBe('src/a.ts')
    expect(again.sent).toHaveLength(first.sent.length)
  })

  it('are ranked by words, with a notice, where the model does not answer', async () => {
    using planted = tree(SHAPE)
    const embedder = new TableEmbedder()
    embedder.fault = UNAVAILABLE
    const ranking = await rank(planted, 'the second motorcar', { models: { embedder } })
    expect(pathsOf(ranking)).toEqual(pathsOf(await rank(planted, 'the second motorcar', {})))
    expect(ranking.notices).toEqual(['Files are ranked without vectors: Nobody is there. Start it.'])
  })

  it('get their vectors over several calls where one has no time for all, the most relevant first', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`w/src/f${at}.ts`, bodyOf(`made${at}`, 'call')]),
    )
    using planted = tree({ ...many, 'w/src/z.ts': bodyOf('motorcar', 'zebra') })
    const models = { embedder: new TableEmbedder(), patienceMs: 0 }
    const first = await rank(planted, 'the zebra of the automobile', { models })
    expect(first.files[0]).toMatchObject({ file: { path: 'src/z.ts' }, meaning: 1 })
    expect(first.notices).toEqual([expect.stringMatching(/^\d+ of 301 files have vectors; later calls make more\.$/)])
    for (let calls = 0; calls < 10; calls++) await rank(planted, 'the zebra of the automobile', { models })
    expect(models.embedder.sent).toHaveLength(301)
    expect((await rank(planted, 'the zebra of the automobile', { models })).notices).toEqual([])
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
