import { afterAll } from 'vitest'
import { type S3Server, s3Server } from './server.ts'

/** Starts an S3 when the tests of a file or suite first ask for it, and ends it afterwards. */
export function ownS3(): () => Promise<S3Server> {
  let server: Promise<S3Server> | undefined
  afterAll(async () => (await server)?.[Symbol.asyncDispose]())
  return () => {
    server ??= s3Server()
    return server
  }
}
