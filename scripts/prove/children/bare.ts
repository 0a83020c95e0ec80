/** Run as a program: a server of the library that the product is built on, which says yes. Says its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/healthz', (ask) => ask.json({ status: 'ok' }))
const server = createServer(getRequestListener((request) => app.fetch(request)))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
