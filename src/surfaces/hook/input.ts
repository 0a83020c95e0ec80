import { BOUNDS } from '../../core/bounds.ts'

/** Milliseconds after which a tool that closes its end never is not waited for any longer. */
const PATIENCE_MS = 2_000

/**
 * All that comes on stdin; undefined for more than is read. Some tools leave their end open: then what came by the time that
 * it is a whole object.
 */
export async function readEvent(stdin: NodeJS.ReadStream = process.stdin): Promise<string | undefined> {
  stdin.setEncoding('utf8')
  return new Promise((resolve) => {
    const chunks: string[] = []
    let length = 0
    const done = (text: string | undefined) => {
      clearTimeout(timer)
      stdin.destroy()
      resolve(text)
    }
    const timer = setTimeout(() => done(chunks.join('')), PATIENCE_MS)
    stdin.on('data', (chunk: string) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > BOUNDS.hookEvent) done(undefined)
      else timer.refresh()
    })
    stdin.on('end', () => done(chunks.join('')))
    stdin.on('error', () => done(undefined))
  })
}
