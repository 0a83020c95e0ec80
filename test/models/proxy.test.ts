/** A model behind a proxy, in a process of its own: what a process fetches through is set once. */

import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { proxySettings } from '../../src/engine/parts/proxy.ts'
import { ROOT } from '../source-files.ts'
import { languageServer } from '../support/language-server.ts'
import { listenOnLoopback } from '../support/loopback.ts'

/** A proxy on loopback that leads all to one port, and what it was asked for. */
async function proxyTo(port: number) {
  const asked: string[] = []
  const server = createServer()
  server.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '')
    const to = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      to.write(head)
      to.pipe(socket).pipe(to)
    })
    socket.on('error', () => to.destroy())
    to.on('error', () => socket.destroy())
  })
  return { ...(await listenOnLoopback(server)), asked }
}

const ASK = `
const { useProxy } = await import(${JSON.stringify(join(ROOT, 'src/engine/parts/proxy.ts'))})
const { languageModel } = await import(${JSON.stringify(join(ROOT, 'src/models/language-providers.ts'))})
useProxy(process.env)
const model = await languageModel({ provider: 'openai-compatible', model: 'm', url: process.env.AT })
for await (const part of model.step({ system: '', messages: [{ role: 'user', text: 'Why?' }], tools: [] })) {
  if (part.type === 'text') console.log(part.text)
}
`

it.each([
  ['is asked through the proxy', 'http://models.example/v1', '', ['models.example:80']],
  ['on this machine is asked by itself', undefined, '', []],
])('a model %s', async (_, url, noProxy, hosts) => {
  await using server = await languageServer('chat', [{ text: 'Because.' }])
  await using proxy = await proxyTo(Number(new URL(server.url).port))
  const env = { PATH: process.env.PATH, http_proxy: proxy.url, NO_PROXY: noProxy, AT: url ?? server.url }
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', ASK], { env })
  expect((await run).stdout).toBe('Because.\n')
  expect(proxy.asked).toEqual(hosts)
})

it.each([
  [{}, undefined],
  [{ HTTPS_PROXY: '', NO_PROXY: 'a.example', PATH: '/bin' }, undefined],
  [
    { HTTPS_PROXY: 'http://p', PATH: '/bin' },
    { https_proxy: 'http://p', no_proxy: 'localhost,127.0.0.1,[::1]' },
  ],
  [
    { http_proxy: 'http://p', no_proxy: 'a.example' },
    { http_proxy: 'http://p', no_proxy: 'localhost,127.0.0.1,[::1],a.example' },
  ],
])('the environment %j sets for Node the proxy %j', (environment, settings) =>
  expect(proxySettings(environment)).toEqual(settings),
)
