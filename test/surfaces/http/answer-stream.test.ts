import { describe, expect, it } from 'vitest'
import { AnswerStream } from '../../../src/surfaces/http/chat/running.ts'
import { fc, forAllAsync } from '../../support/property.ts'

const chunk = (text: string) => ({ type: 'text-delta', id: 'text-0', delta: text })
const sized = (bytes: number) => chunk('x'.repeat(bytes))

function stream(first: readonly { type: string }[] = [], limits = { backlog: 1_000, heartbeat: 15_000 }) {
  let drops = 0
  const made = new AnswerStream(limits, () => drops++)
  made.begin(first)
  return { made, drops: () => drops }
}

describe('an stream', () => {
  it('gives what came, in order, and its end', async () => {
    const { made } = stream([chunk('a')])
    made.put([chunk('b'), chunk('c')])
    made.end()
    made.put([chunk('never')])
    const text = await new Response(made.body()).text()
    expect(text.split('\n\n').map((line) => line.slice(0, 12))).toEqual([
      'data: {"type',
      'data: {"type',
      'data: {"type',
      'data: [DONE]',
      '',
    ])
  })

  it.each([
    ['as much as may wait', 900, 0],
    ['more', 1_001, 1],
  ])('holds %s for a client that does not read', (_, bytes, drops) => {
    const { made, ...told } = stream()
    made.put([sized(bytes)])
    expect([made.isGone, told.drops()]).toEqual([drops === 1, drops])
    made.put([sized(2_000)])
    expect([made.isGone, told.drops()]).toEqual([true, 1])
  })

  it('gives whoever comes late all there was, and allows as much behind it as to anybody', async () => {
    const { made, drops } = stream([sized(50_000)])
    made.put([sized(900)])
    expect(drops()).toBe(0)
    expect((await made.body().getReader().read()).value.length).toBeGreaterThan(50_900)
    made.put([sized(1_001)])
    expect(drops()).toBe(1)
  })

  it('is over when its client is', async () => {
    const { made, drops } = stream()
    await made.body().cancel()
    made.put([sized(5_000)])
    expect([made.isGone, drops()]).toEqual([true, 0])
  })

  it('lets no text pose as another event', () =>
    forAllAsync(fc.string(), async (text) => {
      const { made } = stream([chunk(text)], { backlog: 1e6, heartbeat: 15_000 })
      made.end()
      const [first = '', done, ...rest] = (await new Response(made.body()).text()).split('\n\n')
      expect(JSON.parse(first.replace('data: ', ''))).toEqual(chunk(text))
      expect([done, rest]).toEqual(['data: [DONE]', ['']])
    }))
})
