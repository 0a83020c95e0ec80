import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../source-files.ts'

const IMAGES = join(ROOT, 'docs/images')

/** Bytes of a picture. */
const MOST = 100_000

describe('pictures of the web UI', () => {
  const names = readdirSync(IMAGES).filter((name) => /^web-.*\.webp$/.test(name))
  const guide = readFileSync(join(ROOT, 'docs/guides/web.md'), 'utf8')

  it('are those that the guide shows', () => {
    const shown = [...guide.matchAll(/\]\(\.\.\/images\/(web-[\w-]+\.webp)\)/g)].map(([, name]) => name)
    expect(shown.length).toBeGreaterThanOrEqual(5)
    expect(shown.toSorted()).toEqual(names.toSorted())
  })

  it('are those that the script draws', () => {
    const script = readFileSync(join(ROOT, 'scripts/write-web-pictures.ts'), 'utf8')
    const scenes = [...script.matchAll(/^ {2}(\w+): async \(page, url\) =>/gm)].map(([, name]) => `web-${name}.webp`)
    expect(scenes.toSorted()).toEqual(names.toSorted())
  })

  it.each(names)('are small: %s', (name) => {
    expect(statSync(join(IMAGES, name)).size).toBeLessThanOrEqual(MOST)
  })
})
