import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { openCurrentModel } from '../../../src/models/local/local-models.ts'
import { getModel } from '../../../src/models/static/get-model.ts'
import { type HubFaults, revisionOf, startHub } from './hub.ts'
import { modelFiles, tableOf, writeFiles } from './made-model.ts'

let directory: string

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'ambit-models-')), 'models')
})

afterEach(() => rmSync(join(directory, '..'), { recursive: true }))

/** Asks a hub that has the files for a model. */
async function get(files: Readonly<Record<string, Buffer>>, faults: HubFaults = {}, model = 'made/small') {
  await using hub = await startHub(files, faults)
  const got = await getModel({ model, hub: hub.url, directory }, SILENT)
  return { got, asked: hub.asked }
}

describe('a model that is downloaded', () => {
  it('is in use, and is named by its commit with a checksum of each file', async () => {
    const files = { ...modelFiles(), 'README.md': Buffer.from('# Small') }
    const { got, asked } = await get(files)
    const revision = revisionOf(files)
    const folder = join(directory, `made--small-${revision.slice(0, 12)}`)
    expect(got).toMatchObject({ model: 'made/small', revision, folder })
    expect(got.files.map(({ path, checksum }) => [path, checksum.replace(/:.*/, '')])).toEqual([
      ['tokenizer.json', 'git'],
      ['model.safetensors', 'sha256'],
    ])
    expect((await openCurrentModel(directory)).name).toBe('made/small')
    expect(asked.filter((url) => url.includes('README'))).toEqual([])
  })

  it('stays in its folder where that is named by its path', async () => {
    const folder = join(directory, '..', 'own')
    writeFiles(folder, modelFiles())
    const { got, asked } = await get({}, {}, folder)
    expect([got, asked]).toEqual([{ model: 'own', revision: '', folder, files: [] }, []])
    expect((await openCurrentModel(directory)).name).toBe('own')
    writeFileSync(join(directory, 'current'), '{"model":"own"}')
    await expect(openCurrentModel(directory)).rejects.toThrow('There is no embedding model')
  })

  it('is of the revision that is named', async () => {
    const { asked } = await get(modelFiles(), {}, 'made/small@v1')
    expect(asked[0]).toBe('/api/models/made/small/revision/v1?blobs=true')
  })

  it('tells how far it is', async () => {
    await using hub = await startHub(modelFiles())
    const told: { done: number; total: number }[] = []
    await getModel({ model: 'made/small', hub: hub.url, directory }, { emit: (event) => told.push(event as never) })
    const { 'tokenizer.json': one, 'model.safetensors': other } = modelFiles()
    expect(told.at(-1)).toMatchObject({
      done: (one?.length ?? 0) + (other?.length ?? 0),
      total: (one?.length ?? 0) + (other?.length ?? 0),
    })
  })

  it('stays as it was where another cannot be downloaded', async () => {
    const { got } = await get(modelFiles())
    const before = readdirSync(directory)
    await expect(get(modelFiles({ other: tableOf() }))).rejects.toThrow('holds no vectors')
    const bytes = readFileSync(join(got.folder, 'tokenizer.json'))
    await expect(
      get(
        { ...modelFiles(), 'tokenizer.json': Buffer.from('{}') },
        { sends: { 'tokenizer.json': Buffer.from('{"a":1}') } },
      ),
    ).rejects.toThrow()
    await expect(get(modelFiles(), { cuts: 'model.safetensors' })).rejects.toThrow('cannot be reached')
    expect(readdirSync(directory)).toEqual(before)
    expect(readFileSync(join(got.folder, 'tokenizer.json'))).toEqual(bytes)
    expect((await openCurrentModel(directory)).name).toBe('made/small')
  })

  it('stays where it is not in use, and another download of it fails', async () => {
    const { got } = await get(modelFiles())
    const own = join(directory, '..', 'own')
    writeFiles(own, modelFiles())
    await get({}, {}, own)
    await expect(get(modelFiles(), { cuts: 'model.safetensors' })).rejects.toThrow('cannot be reached')
    expect(readdirSync(got.folder)).toEqual(['model.safetensors', 'tokenizer.json'])
  })

  it.each(['before it begins', 'in the middle'])('is let go of when the caller stops waiting %s', async (when) => {
    await using hub = await startHub(modelFiles())
    const controller = new AbortController()
    if (when === 'before it begins') controller.abort()
    const run = { emit: () => controller.abort(), signal: controller.signal }
    await expect(getModel({ model: 'made/small', hub: hub.url, directory }, run)).rejects.toThrow('cancelled')
    expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([])
  })

  it('stays where another process completed it, and this one fails', async () => {
    await using hub = await startHub(modelFiles(), { cuts: 'model.safetensors' })
    const folder = `made--small-${revisionOf(modelFiles()).slice(0, 12)}`
    const emit = () => {
      writeFiles(join(directory, folder), modelFiles())
      writeFileSync(join(directory, 'current'), JSON.stringify({ model: 'made/small', folder }))
    }
    await expect(getModel({ model: 'made/small', hub: hub.url, directory }, { emit })).rejects.toThrow()
    expect((await openCurrentModel(directory)).name).toBe('made/small')
  })
})

const TENSORS = modelFiles()['model.safetensors'] ?? Buffer.alloc(0)
const changed = Buffer.from(TENSORS)
changed.writeUInt8(changed.readUInt8(TENSORS.length - 1) ^ 1, TENSORS.length - 1)

describe('a hub that does not keep its word', () => {
  it.each<[string, HubFaults, string]>([
    ['sends another', { sends: { 'model.safetensors': changed } }, 'does not have the checksum that is listed for it'],
    ['sends more', { sends: { 'model.safetensors': Buffer.concat([TENSORS, TENSORS]) } }, 'does not have the checksum'],
    ['sends less', { sends: { 'model.safetensors': TENSORS.subarray(0, 20) } }, 'does not have the checksum'],
    ['sends another small file', { sends: { 'tokenizer.json': Buffer.from('{}') } }, 'does not have the checksum'],
    ['ends in the middle', { cuts: 'model.safetensors' }, 'cannot be reached'],
    ['lists nothing', { list: { status: 200, body: '[]' } }, 'does not list its models as Hugging Face does'],
    ['lists a web page', { list: { status: 200, body: '<!doctype html>' } }, 'does not list its models'],
    ['lists without end', { list: { status: 200, body: 'x'.repeat(5_000_000) } }, 'does not list its models'],
    ...[{ size: 1 }, { blobId: '0' }].map((listed): [string, HubFaults, string] => {
      const siblings = ['tokenizer.json', 'model.safetensors'].map((rfilename) => ({ rfilename, ...listed }))
      const body = JSON.stringify({ sha: '0'.repeat(40), siblings })
      return [`lists but ${JSON.stringify(listed)}`, { list: { status: 200, body } }, 'lists no checksum']
    }),
    ['has no such model', { list: { status: 404, body: '{}' } }, 'has no public model made/small'],
    ['is broken', { list: { status: 500, body: '' } }, 'answered 500'],
  ])('leaves no model behind: it %s', async (_, faults, message) => {
    await expect(get(modelFiles(), faults)).rejects.toThrow(message)
    expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([])
  })

  it('cannot be reached', async () => {
    const asked = getModel({ model: 'made/small', hub: 'http://127.0.0.1:9', directory }, SILENT)
    await expect(asked).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('AMBIT_EMBEDDING_MODEL'),
    })
  })

  it.each(['small', 'a/b/c', '../x/y', 'a/..', 'a b/c', 'made/small@../x', ''])(
    'is not asked for what is no name: %j',
    async (model) => {
      await expect(get(modelFiles(), {}, model)).rejects.toMatchObject({ code: 'invalid-input' })
      expect(existsSync(directory)).toBe(false)
    },
  )

  it('has a model of another kind', async () => {
    await expect(get({ 'model.onnx': Buffer.from('x') })).rejects.toThrow('made/small is not an embedding model')
  })
})
