import { PassThrough } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { LineTransport } from '../../../src/surfaces/mcp/stdio.ts'
import { fc, forAllAsync } from '../../support/property.ts'

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' } as const

/** A transport between two streams, and what it heard and said. */
async function transport() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const lines = new LineTransport(input, output)
  const heard: JSONRPCMessage[] = []
  const seen = { closed: 0, errors: 0 }
  lines.onmessage = (message) => heard.push(message)
  lines.onclose = () => seen.closed++
  lines.onerror = () => seen.errors++
  await lines.start()
  const said = () =>
    (output.read()?.toString() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line: string) => JSON.parse(line))
  return { input, output, lines, heard, seen, said, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}

describe('a line', () => {
  it('is a message, however it is cut into pieces', async () => {
    const messages = fc.array(fc.record({ id: fc.nat(), text: fc.string() }), { minLength: 1, maxLength: 5 })
    await forAllAsync(messages, fc.integer({ min: 1, max: 20 }), async (parts, size) => {
      const { input, heard, settled } = await transport()
      const asked = parts.map(({ id, text }) => ({ jsonrpc: '2.0', id, method: 'a', params: { text } }))
      const bytes = Buffer.from(asked.map((message) => `${JSON.stringify(message)}\r\n`).join(''))
      for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size))
      await settled()
      expect(heard).toEqual(JSON.parse(JSON.stringify(asked)))
    })
  })

  it.each([
    ['no JSON', 'garbage', -32700],
    ['half of JSON', '{"jsonrpc":"2.0","id":1', -32700],
    ['no message', '{"hello":"there"}', -32600],
    ['a list', '[]', -32600],
    ['a number', '1', -32600],
    ['bytes that are no text', '\u0000\u0001', -32700],
  ])('that is %s is answered with an error, and the next one is heard', async (_, line, code) => {
    const { input, heard, said, seen, settled } = await transport()
    input.write(`${line}\n${JSON.stringify(PING)}\n`)
    await settled()
    expect(said()).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code } }])
    expect([heard, seen]).toEqual([[PING], { closed: 0, errors: 1 }])
  })

  it('that is empty is nothing', async () => {
    const { input, said, seen, settled } = await transport()
    input.write('\n  \n\r\n')
    await settled()
    expect([said(), seen.errors]).toEqual([[], 0])
  })

  it('of as many bytes as are allowed is a message', async () => {
    const { input, heard, said, settled } = await transport()
    const frame = JSON.stringify({ ...PING, params: { text: '' } }).length
    const text = 'x'.repeat(4 * 1024 * 1024 - frame)
    input.write(`${JSON.stringify({ ...PING, params: { text } })}\n`)
    input.write(`${JSON.stringify({ ...PING, params: { text: `${text}x` } })}\n`)
    await settled()
    expect([heard.length, said().length]).toEqual([1, 1])
  })
})

describe('a client that does not read', () => {
  const answer = (id: number, bytes: number) => ({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(bytes) } }) as const

  it('costs one listener, however many answers wait', async () => {
    const { output, lines } = await transport()
    const before = output.listenerCount('drain')
    const sent = Promise.all(Array.from({ length: 100 }, (_, id) => lines.send(answer(id, 20_000))))
    expect(output.listenerCount('drain') - before).toBeLessThan(2)
    output.resume()
    await sent
    expect(output.listenerCount('drain')).toBe(before)
  })

  it('is heard again when it has read 16 MiB of answers', async () => {
    const { input, output, lines, heard, settled } = await transport()
    const sent = Promise.all(Array.from({ length: 17 }, (_, id) => lines.send(answer(id, 1_000_000))))
    input.write(`${JSON.stringify(PING)}\n`)
    await settled()
    expect(heard).toEqual([])
    output.resume()
    await sent
    await settled()
    expect(heard).toEqual([PING])
  })
})

describe('the end of the input', () => {
  it('lets what was asked be answered, also what had no line break', async () => {
    const { input, lines, seen, said, settled } = await transport()
    input.end(JSON.stringify(PING))
    await settled()
    await settled()
    expect(seen.closed).toBe(0)
    await lines.send({ jsonrpc: '2.0', id: 1, result: {} })
    expect([said(), seen.closed]).toEqual([[{ jsonrpc: '2.0', id: 1, result: {} }], 1])
  })

  it('does not wait for what was cancelled, nor for long', async () => {
    const { input, seen, settled } = await transport()
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    input.end(`${JSON.stringify(PING)}\n${JSON.stringify(cancelled)}\n`)
    await settled()
    await settled()
    expect(seen.closed).toBe(1)
    const other = await transport()
    other.input.end(`${JSON.stringify(PING)}\n`)
    await expect.poll(() => other.seen.closed).toBe(1)
  })

  it('is also that of the output, and nothing is said after it', async () => {
    const { output, lines, seen, settled } = await transport()
    output.destroy(new Error('EPIPE'))
    await settled()
    expect(seen.closed).toBe(1)
    await lines.send({ jsonrpc: '2.0', id: 1, result: {} })
    await lines.close()
    expect(seen.closed).toBe(1)
  })

  it('ends the wait for room', async () => {
    const { output, lines } = await transport()
    const large = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(1_000_000) } } as const
    const sent = lines.send(large)
    setTimeout(() => output.destroy(), 10)
    await expect(sent).resolves.toBeUndefined()
  })
})
