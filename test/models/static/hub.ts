import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { listenOnLoopback } from '../../support/loopback.ts'

/** The commit of some files. */
export function revisionOf(files: Readonly<Record<string, Buffer>>): string {
  const hash = createHash('sha1')
  for (const [path, bytes] of Object.entries(files)) hash.update(path).update(bytes)
  return hash.digest('hex')
}

/** How the hub lies. */
export interface HubFaults {
  /** What it sends for a path, in place of the file that it lists. */
  readonly sends?: Readonly<Record<string, Buffer>>
  /** Ends the connection in the middle of this path. */
  readonly cuts?: string
  /** Answers the list of files with this. */
  readonly list?: { readonly status: number; readonly body: string }
}

/** A hub with one model, as Hugging Face answers: large files are listed with SHA-256, small ones with the hash of git. */
export async function startHub(files: Readonly<Record<string, Buffer>>, { sends = {}, cuts, list }: HubFaults = {}) {
  const asked: string[] = []
  const revision = revisionOf(files)
  const siblings = Object.entries(files).map(([rfilename, bytes]) => ({
    rfilename,
    size: bytes.length,
    blobId: createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
    ...(rfilename.endsWith('.safetensors') && {
      lfs: { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length },
    }),
  }))
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const path = new RegExp(`^(?:/cdn)?/made/small/resolve/${revision}/(.*)$`).exec(url)?.[1]
    const isListed = /^\/api\/models\/made\/small\/revision\/(main|v1)\?blobs=true$/.test(url)
    const body = JSON.stringify({ id: 'made/small', sha: revision, siblings })
    if (isListed) response.writeHead(list?.status ?? 200).end(list?.body ?? body)
    else if (path === undefined) response.writeHead(404).end('{"error":"Repository not found"}')
    // Large files are elsewhere.
    else if (path.endsWith('.safetensors') && !url.startsWith('/cdn'))
      response.writeHead(302, { location: `/cdn${url}` }).end()
    else sendFile(path, response)
  })
  const sendFile = (path: string, response: ServerResponse) => {
    const bytes = sends[path] ?? files[path] ?? Buffer.alloc(0)
    if (path !== cuts) response.end(bytes)
    else
      response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 8), () => response.destroy())
  }
  return { ...(await listenOnLoopback(server)), asked }
}
