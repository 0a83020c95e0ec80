/** @module-tag long */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { TEAM } from './corpus.ts'
import { inBrowser, lasting, visit, visitCorpus } from './in-browser.ts'
import { named, serveCorpus, WEB } from './support.ts'

/** Bytes of everything that the first page loads, packed. */
const FIRST_PAGE = 200_000

/** Bytes of everything that ships, packed: pages of PDF are most of it. */
const ALL = 1_500_000

function built(pattern: string): string[] {
  return globSync(pattern, { cwd: WEB }).sort()
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(join(WEB, file)).length, 0)
}

describe('the built UI', () => {
  it('has no script and no style in its page, and nothing from elsewhere', () => {
    const page = readFileSync(join(WEB, 'index.html'), 'utf8')
    const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)[^>]*>|\son\w+=/)
    expect(sources.length).toBeGreaterThanOrEqual(3)
    expect(sources.filter((source) => !/^\/assets\/[\w-]+\.(js|css|svg)$/.test(source ?? ''))).toEqual([])
  })

  it(`takes no more than ${ALL / 1e6} MB in all, and has nothing twice`, () => {
    const files = built('assets/*')
    expect(files.filter((file) => files.includes(`${file}.br`))).toEqual([])
    expect(files.filter((file) => !file.endsWith('.br') && sizeOf([file]) >= 1024)).toEqual([])
    expect(sizeOf(files)).toBeLessThan(ALL)
  })

  it('has the licence of each package that is in it', () => {
    const notices = readFileSync(join(WEB, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of [
      'react-dom',
      'pdfjs-dist',
      'papaparse',
      'hyparquet',
      '@uwdata/flechette',
      'yaml',
      'katex',
      'lowlight',
      'highlight.js',
      'lucide-react',
    ]) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'))
    }
  })

  it('is React without its checks, and has no maps', () => {
    const scripts = built('assets/*.js.br').map((file) => String(brotliDecompressSync(readFileSync(join(WEB, file)))))
    expect(scripts.length).toBeGreaterThan(5)
    expect(scripts.join('').includes('react.dev/link/')).toBe(false)
    expect(scripts.some((script) => script.includes('sourceMappingURL'))).toBe(false)
  })
})

inBrowser(named('the first page'), () => {
  it(`loads less than ${FIRST_PAGE / 1000} kB, with what it fetches while nothing else is to do`, async () => {
    const { page } = lasting(await visitCorpus(TEAM))
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(500)
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    )
    const files = loaded.filter((path) => path.startsWith('/assets/')).map((path) => path.slice(1))
    const packed = new Set(built('**/*.br'))
    expect(files.length).toBeGreaterThan(3)
    expect(sizeOf(files.map((file) => (packed.has(`${file}.br`) ? `${file}.br` : file)))).toBeLessThan(FIRST_PAGE)
  })

  it('loads what shows PDF and colours code only when it is needed', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.waitForLoadState('networkidle')
    expect(asked.filter((url) => /pdf|highlight|Csv/i.test(url))).toEqual([])
    await page.goto(`${served.url}/browse/service/src/server.ts`)
    await page.locator('.hljs-keyword').first().waitFor()
    expect(asked.filter((url) => /highlight/.test(url))).toHaveLength(1)
    expect(asked.filter((url) => /pdf/i.test(url))).toEqual([])
  })
  it.each([1440, 390])(
    'is framed before its program has come, in the theme that was chosen, at %i px',
    async (width) => {
      await using served = await serveCorpus(TEAM)
      await using seen = await visit(served, { width })
      const { page } = seen
      const logo = page.locator('#root svg.text-accent').first()
      await page.getByRole('link', { name: 'Ambit, home' }).waitFor()
      const place = await logo.boundingBox()
      await page.evaluate(() => localStorage.setItem('ambit-theme', 'dark'))
      await page.route(/assets\/index-.*\.js/, (route) => route.abort())
      await page.reload()
      await logo.waitFor()
      expect(await page.getByRole('link', { name: 'Ambit, home' }).count()).toBe(0)
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
      expect(await logo.boundingBox()).toEqual(place)
    },
  )
})
