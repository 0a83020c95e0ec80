/**
 * A file of each kind in the browser.
 *
 * @module-tag long
 */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { pdf } from '../ingest/extract/documents.ts'
import { barriers } from './barriers.ts'
import { findCutOff } from './cut-off.ts'
import { firstOf, inBrowser, lasting, quiet, sharedServer, visit } from './in-browser.ts'
import { PREVIEWS } from './preview-corpus.ts'
import { named, type OpenPage, takePicture } from './support.ts'

/** Eight pixels by four, blue. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="160"><rect width="320" height="160" fill="#2156d1"/></svg>'

const LAB = {
  'lab/plot.svg': SVG,
  'lab/broken.png': 'no image',
  'lab/paper.pdf': pdf([['The first page.'], ['The second page.']]),
  'lab/README.md': '# Lab\n\n![A plot](plot.svg)\n',
}

const served = sharedServer({
  ...PREVIEWS,
  files: { ...PREVIEWS.files, ...LAB },
  collections: { ...PREVIEWS.collections, lab: 'lab' },
})

/** A page with a canary: what hostile files call would sing. */
async function opened(name: string, path = `/browse/data/${name}`): Promise<OpenPage & { readonly sung: string[] }> {
  const seen = await visit(served)
  const sung: string[] = []
  await seen.page.exposeFunction('pwned', () => sung.push('pwned'))
  await seen.page.goto(`${served.url}${path}`)
  return { ...seen, sung }
}

const rows = (page: Page) =>
  page
    .getByRole('region', { name: /^Rows of/ })
    .locator('tbody tr[aria-rowindex]')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))

inBrowser(named('a table'), () => {
  it('of CSV tells its ragged rows, and is sorted up, down, and not at all', async () => {
    const { page } = lasting(quiet(await opened('tides.csv')))
    await page.getByText('2 rows with a different number of cells than the header: 2, 3').waitFor()
    await page.getByText('north, quay').waitFor()
    await takePicture(page, 'preview-csv')
    expect(await rows(page)).toEqual([
      ['1', '1', 'north, quay', '2.5', ''],
      ['2 (a different number of cells)', '2', 'fuel-dock', '', ''],
      ['3 (a different number of cells)', '3', 'lighthouse', '10.5', 'extra'],
      ['4', '4', 'basin', '', ''],
      ['5', '5', 'mouth', '-1', ''],
    ])
    const sort = async (order: string, days: readonly string[]) => {
      await page.getByRole('button', { name: 'metres' }).click()
      await page.locator(`th[aria-sort=${order}]`, { hasText: 'metres' }).waitFor()
      await expect.poll(async () => (await rows(page)).map(([, day]) => day)).toEqual(days)
    }
    await sort('ascending', ['5', '1', '3', '2', '4'])
    await sort('descending', ['3', '1', '5', '2', '4'])
    await sort('none', ['1', '2', '3', '4', '5'])
  })

  it.each([
    ['tides.tsv', '2 rows, 2 columns', ['1', '1', '2,5']],
    ['points.parquet', '40 rows, 4 columns', ['1', 'S-001', '0.5', '9007199254740990', 'true']],
    ['cities.arrow', '300 rows, 2 columns', ['1', 'City 0', '0']],
  ])('of %s has all of its values', async (name, told, first) => {
    const { page } = lasting(quiet(await opened(name)))
    await page.getByText(told).waitFor()
    await expect.poll(async () => (await rows(page))[0]).toEqual(first)
    expect((await rows(page)).length).toBeLessThan(100)
    await takePicture(page, `preview-${name.replace('.', '-')}`)
  })

  it.each([
    ['broken.parquet', /The table cannot be shown/],
    ['empty.csv', /The table is empty/],
    ['wide.csv', /900 columns, of which 200 are shown/],
    ['cell.csv', /3000000 characters/],
  ])('of %s says what is wrong with it', async (name, told) => {
    await using seen = await opened(name)
    await seen.page.getByText(told).first().waitFor()
    expect(await seen.page.locator('*').count()).toBeLessThan(5_000)
    expect(((await seen.page.locator('main').textContent()) ?? '').length).toBeLessThan(20_000)
  })
})

inBrowser(named('a tree'), () => {
  it.each([
    ['settings.yaml', ['name: "relay"', 'ports: 2 items', 'body: 1048576']],
    ['settings.toml', ['made: "2026-03-02T10:00:00.000Z"', 'body: 9007199254740993']],
    ['big.json', ['id: 12345678901234567890']],
    ['lines.jsonl', ['2 items', 'a: 2']],
  ])('of %s has its values as they are written', async (name, told) => {
    const { page } = lasting(quiet(await opened(name)))
    const shown = page.locator('[data-preview=tree]')
    await shown.locator('summary').first().waitFor()
    for (const text of told) expect(await shown.textContent()).toContain(text)
  })

  it.each([
    ['wrong.json', /Shown as text, because it cannot be parsed/],
    ['laughs.yaml', /Shown as text, because it cannot be parsed: Excessive alias count/],
  ])('of %s is its text, with the reason', async (name, told) => {
    await using seen = await opened(name)
    await seen.page.getByText(told).waitFor()
    await seen.page.locator('.code').first().waitFor()
  })

  it('of 200,000 levels holds nothing up', async () => {
    const { page } = lasting(quiet(await opened('deep.json')))
    await firstOf(page.locator('[data-preview=tree]').getByText(/item|nested too deeply/))
    await page.getByRole('group', { name: 'View' }).getByText('Source').click()
    await page.locator('.code').first().waitFor()
  })
})

inBrowser(named('a notebook'), () => {
  it('shows its cells with what they gave, and runs nothing', async () => {
    const { page, complaints, sung } = lasting(await opened('tides.ipynb'))
    const shown = page.locator('[data-notebook]')
    await shown.getByRole('heading', { name: 'Tides' }).waitFor()
    await shown.locator('.hljs-keyword').first().waitFor()
    await shown.getByText('read 28 rows').waitFor()
    await shown.getByRole('cell', { name: 'north & quay' }).waitFor()
    await shown.getByRole('cell', { name: 'fuel', exact: true }).waitFor()
    await shown.getByText("KeyError: 'metres'").waitFor()
    await shown.locator('[data-html] b', { hasText: 'bold' }).waitFor()
    await shown.locator('[data-html] li', { hasText: 'north' }).waitFor()
    await shown.getByText('This output is drawn by a script, which is not run.').waitFor()
    expect((await shown.locator('[data-html]').allTextContents()).join(' ')).not.toMatch(/pwned|secret/)
    expect(
      await shown
        .locator('[data-html] :is(script, style, iframe, form, input, svg:not([aria-hidden]), [style], [onclick])')
        .count(),
    ).toBe(0)
    await shown.getByText('drift').waitFor()
    const sizes = () =>
      shown.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth))
    // The first is that of a file which is not there: its handler is gone.
    await expect.poll(sizes).toEqual([0, 4, 40])
    expect(await shown.locator('img[onerror]').count()).toBe(0)
    await takePicture(page, 'preview-notebook')
    const found = [sung, complaints, await barriers(page), await findCutOff(page)]
    expect(found).toEqual([[], [expect.stringContaining('404')], [], []])
  })

  it('of no cells is the JSON that it is', async () => {
    await using seen = await opened('not-a-notebook.ipynb')
    await seen.page.getByText('cells: 3').waitFor()
  })
})

inBrowser(named('other files'), () => {
  it.each([
    ['latin.txt', 'Grüße aus dem Hafen, für 3 £', 'Encoding: Latin-1.'],
    ['wide.txt', 'Zwei Bytes für jedes Zeichen', 'Encoding: UTF-16 LE.'],
    ['wide-bare.txt', 'No mark says that there are two bytes a letter', 'Encoding: UTF-16 LE.'],
    ['empty.txt', 'This file is empty', 'It has 0 bytes.'],
    ['unknown.bin', 'This file is not text', '11 B of data'],
    ['dot.png', '4 × 3 pixels', 'Save the file'],
    ['clip.mp4', 'The video cannot be played', 'Save the file to play it'],
  ])('%s', async (name, ...told) => {
    await using seen = await opened(name)
    for (const text of told) {
      await firstOf(seen.page.getByText(text).or(seen.page.getByRole('link', { name: text })))
    }
  })

  it('a recording is played here', async () => {
    const { page } = lasting(quiet(await opened('tone.wav')))
    await page.getByText('0:01').waitFor()
    expect(await page.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).duration)).toBeCloseTo(1)
  })

  it('an SVG with a script is an image that runs nothing', async () => {
    await using seen = await opened('drawing.svg')
    await seen.page.getByText('40 × 20 pixels').waitFor()
    await seen.page.getByRole('group', { name: 'View' }).getByText('Source').click()
    await seen.page.getByText('<rect').first().waitFor()
    expect(seen.sung).toEqual([])
  })
})

inBrowser(named('a package'), () => {
  const SPRING = '/packages/shelf/harbour/spring'

  it('has its README and what quilt_summarize.json lists on its page', async () => {
    const { page, complaints } = lasting(await opened('', SPRING))
    await page.getByRole('heading', { name: 'Spring tides' }).waitFor()
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByText('Metres above the gauge.').waitFor()
    await expect
      .poll(() => summary.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(40)
    await summary.getByRole('article', { name: 'one.csv' }).getByText('2.5').waitFor()
    expect(await summary.getByRole('article').count()).toBe(3)
    await takePicture(page, 'preview-package')
    expect([complaints, await barriers(page), await findCutOff(page)]).toEqual([[], [], []])
    await page.getByRole('link', { name: 'the first table' }).click()
    await page.waitForURL(/entry=tables(%2F|\/)one\.csv/)
    await page.getByText('2 rows, 2 columns').waitFor()
  })

  it.each([
    ['notes/empty.txt', 'This file is empty'],
    ['tree.yaml', 'gauges'],
    ['plots/levels.svg', '40 × 20 pixels'],
  ])('shows an entry as a file of its kind: %s', async (entry, told) => {
    await using seen = await opened('', `${SPRING}?entry=${encodeURIComponent(entry)}`)
    await seen.page.getByText(told).first().waitFor()
  })
})

inBrowser(named('bytes of files'), () => {
  it('of an image of the same folder are shown in its README', async () => {
    const { page } = lasting(quiet(await visit(served)))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${served.url}/browse/lab`)
    const image = page.getByRole('img', { name: 'A plot' })
    await image.waitFor()
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(320)
    expect(asked.filter((path) => path.startsWith('/files/') && !path.endsWith('.md'))).toEqual(['/files/lab/plot.svg'])
  })

  it('of an image are shown with its size, and of what is none it is said', async () => {
    const { page } = lasting(await visit(served))
    await page.goto(`${served.url}/browse/lab/plot.svg`)
    await page.getByText('320 × 160 pixels').waitFor()
    await takePicture(page, 'image')
    await page.goto(`${served.url}/browse/lab/broken.png`)
    await page.getByRole('heading', { name: 'The image cannot be shown' }).waitFor()
  })

  it('of a PDF are drawn page by page, by a worker that the policy lets in', async () => {
    const { page } = lasting(quiet(await visit(served)))
    await page.goto(`${served.url}/browse/lab/paper.pdf`)
    await page.getByText('2 pages').waitFor()
    const first = page.getByRole('img', { name: 'Page 1' })
    await expect.poll(() => first.evaluate(isDrawn)).toBe(true)
    await takePicture(page, 'pdf')
    await page.getByRole('group', { name: 'View' }).getByText('Source').click()
    await page.getByText('The second page.').waitFor()
  })
})

/** Whether a canvas has anything but white and nothing. */
function isDrawn(element: Element): boolean {
  const canvas = element as HTMLCanvasElement
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
  return data.some((value, at) => at % 4 !== 3 && value < 128 && (data[at - (at % 4) + 3] ?? 0) > 0)
}
