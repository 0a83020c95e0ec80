/** Run as a program: a minimal server with the HTTP library of the product. Prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/healthz', (ask) => ask.json({ status: 'ok' }))
const server = createServer(getRequestListener((request) => app.fetch(request)))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
