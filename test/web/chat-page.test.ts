/** @module-tag long */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { pdf } from '../ingest/extract/documents.ts'
import { type LanguageServer, languageServer, type Script } from '../support/language-server.ts'
import { PNG } from '../support/tree.ts'
import { barriers } from './barriers.ts'
import { TEAM } from './corpus.ts'
import { findCutOff } from './cut-off.ts'
import { firstOf, inBrowser, lasting, visit } from './in-browser.ts'
import { named, type OpenPage, type Served, serveCorpus, takePicture } from './support.ts'

interface Talking extends AsyncDisposable {
  readonly page: Page
  readonly seen: OpenPage
  readonly served: Served
  readonly model: LanguageServer
}

async function talking(script: Script, options: { readonly canSee?: boolean } = {}): Promise<Talking> {
  const model = await languageServer('chat', script)
  const served = await serveCorpus({ ...TEAM, model: model.url, ...options })
  const seen = await visit(served)
  seen.page.on('response', (response) => {
    if (response.status() >= 400) seen.complaints.push(`${response.status()} ${response.url()}`)
  })
  await seen.page.goto(`${served.url}/chat`)
  return {
    page: seen.page,
    seen,
    served,
    model,
    async [Symbol.asyncDispose]() {
      await seen[Symbol.asyncDispose]()
      await served[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })

async function ask(page: Page, question: string, answers = 1): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask about this place' }).fill(question)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await log(page)
    .getByRole('button', { name: 'Answer again' })
    .nth(answers - 1)
    .waitFor()
}

/** Something a person attaches, as the picker gives it. */
async function attach(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles([{ name, mimeType, buffer }])
}

/** All that the model was sent last, as text. */
const sent = (model: LanguageServer) => JSON.stringify(model.asked.at(-1)?.body.messages)

const RICH = `Read **this**.

> [!WARNING]
> A queue that is full refuses messages.

\`\`\`ts
export const limit = 10
\`\`\`

Inline $x^2 + 1$ costs $5 and $10, and:

$$
\\frac{a}{b} \\href{javascript:pwned()}{c}
$$

$$
\\frac{good}{formula} \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}
$$

\`\`\`mermaid
graph TD; A-->B
\`\`\`

A note.[^1]

[^1]: What the note says.
`

inBrowser(named('Chat as a page'), () => {
  it('has code with a button that copies it, alerts, footnotes and formulas', async () => {
    const { page, seen } = lasting(await talking([{ text: RICH }]))
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await ask(page, 'What limits are there?')
    const shown = log(page)
    await shown.locator('.hljs-keyword', { hasText: 'export' }).waitFor()
    await shown.locator('.alert-warning', { hasText: 'A queue that is full' }).waitFor()
    await shown.locator('.footnotes', { hasText: 'What the note says.' }).waitFor()
    await shown.locator('math mfrac').nth(1).waitFor()
    expect(await shown.locator('math').count()).toBe(3)
    const rows = await shown
      .locator('math mtr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(Math.min(...rows)).toBeGreaterThan(14)
    expect(await shown.textContent()).toContain('costs $5 and $10')
    // A formula that would lead somewhere leads nowhere.
    expect(await shown.locator('math a, math [href], a[href^=javascript]').count()).toBe(0)
    // Of code, and of the diagram, which is shown as it is written.
    expect(await shown.getByRole('button', { name: 'Copy the code' }).count()).toBe(2)
    expect(asked.filter((url) => /katex/.test(url))).toHaveLength(1)
    await takePicture(page, 'chat-page')
    expect([seen.complaints, await barriers(page), await findCutOff(page)]).toEqual([[], [], []])
  })

  it('keeps its end in view when the window becomes smaller', async () => {
    await using talk = await talking([{ text: 'A line of the answer.\n\n'.repeat(30) }])
    await ask(talk.page, 'What limits are there?')
    const fromEnd = () => log(talk.page).evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)
    for (const [width, height] of [
      [1440, 900],
      [390, 700],
      [390, 400],
      [900, 500],
    ] as const) {
      await talk.page.setViewportSize({ width, height })
      await expect.poll(fromEnd).toBeLessThan(2)
    }
  })

  it('loads what reads formulas only where there is one', async () => {
    await using talk = await talking([{ text: 'Nothing of the kind.' }])
    const asked: string[] = []
    talk.page.on('request', (request) => asked.push(request.url()))
    await ask(talk.page, 'What limits are there?')
    expect(asked.filter((url) => /katex|formulas/.test(url))).toEqual([])
  })

  it('has an address of its own once it has begun, which opens it again', async () => {
    const { page } = lasting(await talking([{ text: 'It is sent again.' }]))
    await ask(page, 'What happens after a timeout?')
    await page.waitForURL(/\/chat\/[\w-]{22}$/)
    await page.reload()
    await log(page).getByText('It is sent again.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'What happens after a timeout?' }).waitFor()
    expect(await page.getByRole('region', { name: 'Assistant' }).count()).toBe(0)
  })

  it('is opened from the side, with its conversation', async () => {
    const { page, served } = lasting(await talking([{ text: 'It is sent again.' }]))
    await page.goto(`${served.url}/browse/handbook`)
    await page.getByRole('button', { name: 'Assistant', exact: true }).first().click()
    await ask(page, 'What happens after a timeout?')
    await page.getByRole('link', { name: 'Open as a page' }).click()
    await page.getByRole('heading', { level: 1, name: 'What happens after a timeout?' }).waitFor()
    await log(page).getByText('It is sent again.').waitFor()
    await firstOf(page.getByRole('button', { name: /^The assistant uses the context of handbook|handbook/ }))
  })

  it('shows folded what the model thought', async () => {
    const delta = (part: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: part, finish_reason: finish }] })}\n\n`
    const pieces = [
      delta({ reasoning_content: 'They mean the <b>relay</b>.' }),
      delta({ content: 'Two times.' }),
      delta({}, 'stop'),
      'data: [DONE]\n\n',
    ]
    const { page } = lasting(await talking([{ stream: { pieces } }]))
    await ask(page, 'How often?')
    const thought = log(page).locator('details', { hasText: 'Thinking' })
    expect(await thought.getAttribute('open')).toBe(null)
    await thought.locator('summary').click()
    await thought.getByText('They mean the <b>relay</b>.').waitFor()
    await page.reload()
    await log(page).locator('summary', { hasText: 'Thinking' }).waitFor()
  })

  it('goes on from an answer in a conversation of its own, which knows what was said before', async () => {
    const { page, model } = lasting(
      await talking([{ text: 'First answer.' }, { text: 'Second answer.' }, { text: 'Third answer.' }]),
    )
    await ask(page, 'First question?')
    await ask(page, 'Second question?', 2)
    await log(page)
      .getByRole('button', { name: /^Branch/ })
      .first()
      .click()
    await log(page).getByText('Second answer.').waitFor({ state: 'detached' })
    await log(page).getByText('First answer.').waitFor()
    await ask(page, 'Another question?', 2)
    expect(sent(model)).toContain('First answer.')
    expect(sent(model)).not.toContain('Second question?')
    const list = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await expect.poll(() => list.count()).toBe(2)
  })
})

inBrowser(named('Attachments'), () => {
  it('reach the model: an image as it is, of a PDF and of another text its words', async () => {
    const { page, model, seen } = lasting(await talking([{ text: 'A blue dot.' }], { canSee: true }))
    await attach(page, 'dot.png', 'image/png', PNG)
    await attach(page, 'offer.pdf', 'application/pdf', pdf([['The offer is 400 EUR']]))
    await attach(page, 'notes.txt', 'text/plain', Buffer.from('Größe: 3 £', 'latin1'))
    await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor()
    await takePicture(page, 'chat-attachments')
    expect([await barriers(page), await findCutOff(page)]).toEqual([[], []])
    await ask(page, 'What is it?')
    expect(sent(model)).toContain(`data:image/png;base64,${PNG.toString('base64')}`)
    expect(sent(model)).toContain('The offer is 400 EUR')
    expect(sent(model)).toContain('Größe: 3 £')
    await page.getByRole('button', { name: 'Answer again' }).click()
    await expect.poll(() => model.asked.length).toBe(2)
    expect(sent(model)).toContain('The offer is 400 EUR')
    await page.waitForURL(/\/chat\/[\w-]{22}$/)
    await page.reload()
    await log(page).getByRole('list', { name: 'Attachments' }).getByText('dot.png').waitFor()
    expect(seen.complaints).toEqual([])
  })

  it('are refused with the reason: an image that the model cannot look at', async () => {
    const { page, model } = lasting(await talking([{ text: 'Never said.' }]))
    await attach(page, 'dot.png', 'image/png', PNG)
    await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
    await page.getByRole('textbox', { name: 'Ask about this place' }).fill('What is it?')
    await page.keyboard.press('Enter')
    await firstOf(page.getByText(/dot\.png is a picture, and the model .* is not known to look at pictures/))
    expect(model.asked).toEqual([])
  })

  it.each([
    ['program.bin', 'application/octet-stream', Buffer.from([0, 1, 2, 3]), /is not an image/],
    ['huge.png', 'image/png', Buffer.alloc(4_000_000), /at most 3\.8 MB can be attached/],
    ['empty.txt', 'text/plain', Buffer.from(' '), /has no text/],
  ])('are refused with the reason: %s', async (name, type, bytes, told) => {
    await using talk = await talking([{ text: 'Never said.' }])
    await attach(talk.page, name, type, bytes)
    await talk.page.getByRole('alert').getByText(told).waitFor()
  })
})
