import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { startHub } from '../models/static/hub.ts'
import { modelFiles, writeFiles } from '../models/static/made-model.ts'
import { BIN, SHARED_ENV } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const at = tree({
  'notes/one.md': '# Automobile\n\nThe engine of the automobile.\n',
  'notes/two.md': '# Snowfall\n\nRain and snowfall.\n',
})
afterAll(() => at[Symbol.dispose]())

/** Runs the program beside the hub. */
async function ambit(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [BIN, ...args], {
    cwd: at.base,
    env: { ...SHARED_ENV, HOME: at.base, ...env },
  })
  return stdout + stderr
}

describe('an embedding model in process', () => {
  it('is downloaded, embeds, and then finds by meaning what has none of the words', async () => {
    await ambit(['collection', 'add', 'notes', 'notes'])
    await ambit(['index'])
    expect(await ambit(['search', 'car'])).not.toContain('one.md')
    {
      await using hub = await startHub(modelFiles())
      const said = await ambit(['embed', '--get', 'made/small'], { HF_ENDPOINT: `${hub.url}/` })
      expect(said).toMatch(/^made\/small, revision [0-9a-f]{12}: .* checksums agree$/m)
    }
    expect(await ambit(['embed'])).toMatch(/^made\/small: 2 documents embedded, in 2 chunks$/m)
    const { results } = JSON.parse(await ambit(['search', 'car', '--json']))
    expect(results[0].path).toBe('one.md')
  })

  it('is not used where that is refused, and another is used where a folder is named', async () => {
    expect(await ambit(['search', 'car'], { AMBIT_EMBEDDING_MODEL: 'none' })).not.toContain('one.md')
    writeFiles(`${at.base}/own`, modelFiles())
    const embedded = await ambit(['embed', '--force'], { AMBIT_EMBEDDING_MODEL: './own' })
    expect(embedded).toMatch(/^own: 2 documents embedded/m)
    expect(await ambit(['search', 'snow', '--mode', 'vector'], { AMBIT_EMBEDDING_MODEL: './own' })).toContain('two.md')
  })

  it('says what is missing in a folder that holds none', async () => {
    const failing = ambit(['embed', '--force'], { AMBIT_EMBEDDING_MODEL: './notes' })
    await expect(failing).rejects.toMatchObject({ stderr: expect.stringContaining('There is no embedding model in') })
  })
})
