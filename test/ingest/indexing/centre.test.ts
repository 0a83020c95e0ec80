import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { centreFor, SAMPLES } from '../../../src/ingest/embed.ts'
import type { EmbeddingModel } from '../../../src/models/embedding.ts'
import { openLocalModel } from '../../../src/models/local/local-models.ts'
import { centreOf } from '../../../src/retrieval/packed-vectors.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import { modelFiles, wordPieces, writeFiles } from '../../models/static/made-model.ts'

let folder: string
let store: Store

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ambit-centre-'))
  store = openSqlite(':memory:')
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** A table of words that knows these, three numbers each. */
function modelOf(words: readonly string[]): Promise<EmbeddingModel> {
  const vocabulary = ['[UNK]', ...words]
  const numbers = vocabulary.flatMap((_, at) => [at, 1, -1])
  writeFiles(folder, {
    ...modelFiles({ embeddings: { dtype: 'F32', shape: [vocabulary.length, 3], numbers } }),
    'tokenizer.json': Buffer.from(JSON.stringify(wordPieces(vocabulary))),
  })
  return openLocalModel(folder)
}

/** The same model, and the lists of texts that it was asked for. */
function overheard(model: EmbeddingModel): { readonly asked: (readonly string[])[]; readonly model: EmbeddingModel } {
  const asked: (readonly string[])[] = []
  const documents: EmbeddingModel['documents'] = (texts, ...rest) => {
    asked.push(texts)
    return model.documents(texts, ...rest)
  }
  return { asked, model: { ...model, documents } }
}

const centreBy = (model: EmbeddingModel) => centreFor(store, model, { recomputesAll: false, signal: undefined })

describe('the centre of the vectors of a model', () => {
  it('is that of the samples that the model takes: it refuses texts without a word that it knows', async () => {
    const { asked, model } = overheard(await modelOf(['install', 'contract', '##s']))
    const taken = SAMPLES.filter((sample) => /\b(?:install|contract)/i.test(sample))
    expect(taken.length).toBeGreaterThan(1)
    expect(taken.length).toBeLessThan(SAMPLES.length)
    expect([...(await centreBy(model))]).toEqual([...centreOf(await model.documents(taken))])
    expect(asked[0]).toEqual(SAMPLES)
    expect(asked.slice(1, -1)).toEqual(SAMPLES.map((sample) => [sample]))
  })

  it('is asked for all samples at once where the model takes all', async () => {
    const words = new Set(SAMPLES.flatMap((sample) => sample.toLowerCase().match(/\p{L}+|[\d.]/gu) ?? []))
    const { asked, model } = overheard(await modelOf([...words, '会', '这']))
    await centreBy(model)
    expect(asked).toEqual([SAMPLES])
  })

  it('is none for a model that takes no sample, which is not asked for all of them', async () => {
    const { asked, model } = overheard(await modelOf(['zyzzyva']))
    await expect(centreBy(model)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(asked).toEqual([SAMPLES, ...SAMPLES.slice(0, 3).map((sample) => [sample])])
  })

  it.each([
    ['at once', 0],
    ['at a later sample', 5],
  ])('is none where the model fails %s, which is told', async (_, before) => {
    const { asked, model } = overheard(await modelOf(['install', 'meeting', 'contract']))
    const failing: EmbeddingModel = {
      ...model,
      documents: (texts, ...rest) => {
        if (asked.length < before) return model.documents(texts, ...rest)
        throw new ContextError('unavailable', 'The service is down.')
      },
    }
    await expect(centreBy(failing)).rejects.toMatchObject({ code: 'unavailable' })
    expect(asked).toHaveLength(before)
  })
})
