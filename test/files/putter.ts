/**
 * Run as a process of its own, with a channel: says that it is ready, and puts `a` when it is told to.
 * Arguments: the directory; the etag that is to be replaced, and a text. With `again` for the etag it puts for ever.
 */
import { openDirectory } from '../../src/files/directory.ts'

const [base = '', etag = '', text = ''] = process.argv.slice(2)
const objects = openDirectory(base)

async function forEver(): Promise<never> {
  for (const [old, other] = [Buffer.alloc(2_000_000, 'o'), Buffer.alloc(2_000_000, 'n')]; ; ) {
    await objects.put('a', other)
    await objects.put('a', old)
  }
}

process.once('message', async () => {
  if (etag === 'again') return forEver()
  const put = objects.put('a', Buffer.from(text), { if: { etag } })
  const result = await put.then(
    () => 'done',
    (error: { readonly code?: string }) => error.code ?? 'failed',
  )
  process.send?.(result, undefined, undefined, () => process.disconnect())
})
process.send?.('ready')
