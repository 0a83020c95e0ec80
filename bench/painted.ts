/** How long a token takes from the wire of a model's service to the screen of a person. */

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { openPage, serveCorpus } from '../test/web/support.ts'

const TOKENS = 60
/** Milliseconds between tokens: a model that is quick. */
const GAP = 37

/** Milliseconds of each token, in Chromium, beside a folder with a README. */
export async function paintedTimes(browser: Browser): Promise<number[]> {
  const sent: number[] = []
  const service = createServer((request, response) => {
    request.resume()
    request.on('end', () => speak(response, sent))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const files = { 'few/README.md': '# A few files', '.git/': '' }
  await using served = await serveCorpus({ files, collections: { few: 'few' }, model: `http://127.0.0.1:${port}/v1` })
  await using seen = await openPage(browser, served)
  const { page } = seen
  await page.goto(`${served.url}/browse/few`)
  await page.getByRole('button', { name: 'Assistant', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Ask about this place' }).fill('Speak.')
  await page.evaluate(LOOK)
  await page.keyboard.press('Enter')
  await page.waitForFunction((tokens) => Reflect.get(globalThis, 'painted').length === tokens, TOKENS)
  const painted = await page.evaluate(() => Reflect.get(globalThis, 'painted') as number[])
  service.closeAllConnections()
  service.close()
  // The first waits for what is loaded when something is first said.
  return painted.map((time, at) => time - (sent[at] ?? Number.NaN)).slice(5)
}

/** In the page: the time of the frame after which each token stands there. */
const LOOK = `
  globalThis.painted = []
  const look = () => {
    const text = document.querySelector('[role=log]')?.textContent ?? ''
    const now = performance.timeOrigin + performance.now()
    while (painted.length < ${TOKENS} && text.includes('token-' + painted.length + ';')) painted.push(now)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

async function speak(response: ServerResponse, sent: number[]): Promise<void> {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < TOKENS; at++) {
    sent.push(performance.timeOrigin + performance.now())
    response.write(chunk({ content: `token-${at}; ` }))
    await pause(GAP)
  }
  response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
}
