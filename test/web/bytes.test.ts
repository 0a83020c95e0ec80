/**
 * Images and pages of PDF, as the server gives their bytes.
 *
 * @module-tag long
 */

import { expect, it } from 'vitest'
import { pdf } from '../ingest/extract/documents.ts'
import { inBrowser, sharedServer, visit } from './in-browser.ts'
import { named, takePicture } from './support.ts'

/** Eight pixels by four, blue. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="160"><rect width="320" height="160" fill="#2156d1"/></svg>'

const FILES = {
  'lab/plot.svg': SVG,
  'lab/broken.png': 'no image',
  'lab/paper.pdf': pdf([['The first page.'], ['The second page.']]),
  'lab/README.md': '# Lab\n\n![A plot](plot.svg)\n',
}

const served = sharedServer({ files: FILES, collections: { lab: 'lab' } })

inBrowser(named('bytes of files'), () => {
  it('of an image of the same folder are shown in its README', async () => {
    await using seen = await visit(served)
    const { page, complaints } = seen
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${served.url}/browse/lab`)
    const image = page.getByRole('img', { name: 'A plot' })
    await image.waitFor()
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(320)
    expect(asked.filter((path) => path.startsWith('/files/') && !path.endsWith('.md'))).toEqual(['/files/lab/plot.svg'])
    expect(complaints).toEqual([])
  })

  it('of an image are shown with its size, and of what is none it is said', async () => {
    await using seen = await visit(served)
    const { page } = seen
    await page.goto(`${served.url}/browse/lab/plot.svg`)
    await page.getByText('320 × 160 pixels').waitFor()
    await takePicture(page, 'image')
    await page.goto(`${served.url}/browse/lab/broken.png`)
    await page.getByRole('heading', { name: 'The image cannot be shown' }).waitFor()
  })

  it('of a PDF are drawn page by page, by a worker that the policy lets in', async () => {
    await using seen = await visit(served)
    const { page, complaints } = seen
    await page.goto(`${served.url}/browse/lab/paper.pdf`)
    await page.getByText('2 pages').waitFor()
    const first = page.getByRole('img', { name: 'Page 1' })
    await expect.poll(() => first.evaluate(isDrawn)).toBe(true)
    await takePicture(page, 'pdf')
    await page.getByRole('button', { name: 'Source' }).click()
    await page.getByText('The second page.').waitFor()
    expect(complaints).toEqual([])
  })
})

/** Whether a canvas has anything but white and nothing. */
function isDrawn(element: Element): boolean {
  const canvas = element as HTMLCanvasElement
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
  return data.some((value, at) => at % 4 !== 3 && value < 128 && (data[at - (at % 4) + 3] ?? 0) > 0)
}
