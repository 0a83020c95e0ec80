/** What leaves by routes that no operation stands behind: sessions of research, their events and reports, and the chat. */

import { afterAll, describe, expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { neutralise } from '../../../src/text/invisible.ts'
import { chatting } from './chatting.ts'
import { appOf, ask, post } from './support.ts'

/** Tags, an override, a blank of no width, a selector, a control of a terminal. */
const HIDDEN = '\u{e0049}\u{e0067}\u202e\u200b\u{e0100}\u009b2J'
const UNSEEN = /[\u007f-\u009f\u200b\u202e\u{e0000}-\u{e0fff}]/u
const FERRY = `# Ferry ${HIDDEN}\n\nThe last boat in winter ${HIDDEN} leaves at 19:40.\n`

describe('a session of research', () => {
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
  const app = appOf({ engine })
  afterAll(() => engine.close())

  it('shows all that its question and its files hold, in answers, events, errors and reports', async () => {
    const question = `When does the last boat ${HIDDEN} leave in winter?`
    const { body: made, json } = await ask(app, '/api/sessions', post({ question }))
    const url = `/api/sessions/${json.session_id}`
    const form = new FormData()
    form.append('file', new File([FERRY], `fer${HIDDEN}ry.md`))
    const added = await ask(app, `${url}/files`, { method: 'POST', body: form })
    await ask(app, `${url}/start`, post({}))
    const answers = [made, added.body]
    for (const path of ['/events', '', '/report?format=json', `/files/${added.json.id}/text`])
      answers.push((await ask(app, `${url}${path}`)).body)
    for (const path of [`/api/sessions/${HIDDEN}`, `${url}/report?format=${HIDDEN}`, `${url}/events?after=${HIDDEN}`])
      answers.push((await ask(app, path)).body)
    expect(answers.map((text, at) => [at, UNSEEN.exec(text)?.[0]])).toEqual(answers.map((_, at) => [at, undefined]))
    expect(answers.filter((text) => text.includes('\\u202e')).length).toBeGreaterThan(5)
    // A program gets the question and the text of the file as they are.
    expect((await ask(app, url)).json.question).toBe(question)
    expect((await ask(app, `${url}/files/${added.json.id}/text`)).json.text).toBe(FERRY)
    // A report is a file: nothing in it is escaped, so nothing is left in it.
    for (const format of ['md', 'html', 'docx', 'bib', 'csl']) {
      const { body } = await ask(app, `${url}/report?format=${format}`)
      expect([format, neutralise(body).removed, /ferry/i.test(body)]).toEqual([format, 0, true])
    }
  })
})

it('a conversation shows all that its model says, as it is streamed and as it is kept', () =>
  chatting([{ text: [`It ${HIDDEN} `, 'leaves.'] }], async ({ post: send, get }) => {
    const id = 'talk-0123456789abcdef'
    const message = { id: 'message-one', role: 'user', parts: [{ type: 'text', text: `When? ${HIDDEN}` }] }
    const streamed = await (await send('/api/chat', { id, messages: [message] })).text()
    const kept = await (await get(`/api/conversations.show?id=${id}`)).text()
    const prompt = await (await get(`/api/chat/${id}/prompt`)).text()
    expect([streamed, kept, prompt].map((text) => UNSEEN.exec(text)?.[0])).toEqual([undefined, undefined, undefined])
    expect([streamed, kept, prompt].map((text) => text.includes('\\u202e'))).toEqual([true, true, true])
  }))
