import { afterAll, describe, expect, it } from 'vitest'
import { startHub } from '../models/static/hub.ts'
import { modelFiles, writeFiles } from '../models/static/made-model.ts'
import { ambitInTurnBeside } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const at = tree({
  'notes/one.md': '# Automobile\n\nThe engine of the automobile.\n',
  'notes/two.md': '# Snowfall\n\nRain and snowfall.\n',
})
afterAll(() => at[Symbol.dispose]())

/** Runs command lines beside the hub; what was said to each, on both ends. */
async function run(lines: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const words = lines.map((line) => line.split(' '))
  const told = await ambitInTurnBeside(words, { cwd: at.base, env })
  return told.map(({ stdout, stderr }) => stdout + stderr)
}

describe('an embedding model in process', () => {
  it('is downloaded, embeds, and then finds by meaning what has none of the words', async () => {
    const [, , before] = await run(['collection add notes notes', 'index', 'search car'])
    expect(before).not.toContain('one.md')
    await using hub = await startHub(modelFiles())
    const [downloaded] = await run(['embed --get made/small'], { HF_ENDPOINT: `${hub.url}/` })
    expect(downloaded).toMatch(/^made\/small, revision [0-9a-f]{12}: .* checksums agree$/m)
    const [embedded, found = ''] = await run(['embed', 'search car --json'])
    expect(embedded).toMatch(/^made\/small: 2 documents embedded, in 2 chunks$/m)
    expect(JSON.parse(found).results[0].path).toBe('one.md')
  })

  it('is not used where that is refused, and another is used where a folder is named', async () => {
    expect(await run(['search car'], { AMBIT_EMBEDDING_MODEL: 'none' })).not.toEqual([
      expect.stringContaining('one.md'),
    ])
    writeFiles(`${at.base}/own`, modelFiles())
    expect(await run(['embed --force', 'search snow --mode vector'], { AMBIT_EMBEDDING_MODEL: './own' })).toEqual([
      expect.stringMatching(/^own: 2 documents embedded/m),
      expect.stringContaining('two.md'),
    ])
  })

  it('says what is missing in a folder that holds none', async () => {
    expect(await run(['embed --force'], { AMBIT_EMBEDDING_MODEL: './notes' })).toEqual([
      expect.stringContaining('There is no embedding model in'),
    ])
  })
})
