import { afterAll } from 'vitest'
import { KEY, REGION, type S3Server, SECRET, s3Server } from '../support/s3/server.ts'
import { s3Contract } from './s3.contract.ts'

let server: S3Server | undefined
afterAll(() => server?.[Symbol.asyncDispose]())

s3Contract('S3 in process', async () => {
  server = await s3Server()
  return { url: server.url, region: REGION, key: KEY, secret: SECRET }
})
