import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { readHtml } from '../src/ingest/extract/html.ts'
import { EXTRACT_LIMITS } from '../src/ingest/extracted.ts'
import type { Endpoint } from '../test/support/s3/admin.ts'
import type { IndexCost } from './catalog/index-process.ts'
import { scratch } from './fixtures.ts'
import { type BenchOptions, bound, type Verdict } from './harness.ts'

const OBJECTS = 100_000
const MIB = 1 << 20

/** Measures the index of many objects, and the reading of many HTML pages. */
export async function catalogFigures({ files = OBJECTS }: BenchOptions): Promise<Verdict[]> {
  await using local = await localS3(files)
  return [...htmlFigures(), ...(await objectsFigures(local.endpoint, files))]
}

async function localS3(objects: number): Promise<AsyncDisposable & { readonly endpoint: Endpoint }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'catalog', 's3-process.ts'), String(objects)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    endpoint: JSON.parse(line),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/**
 * Reads objects of ten bytes from the bucket `many`: with the SDK alone, into an index, and into an index that has them already.
 */
async function objectsFigures(endpoint: Endpoint, objects: number): Promise<Verdict[]> {
  const bucket = 'many'
  const root = scratch()
  try {
    const bare = await run(['bare', JSON.stringify(endpoint), bucket])
    const ours = await run(['index', JSON.stringify(endpoint), bucket, join(root, 'whole.db')])
    const again = await run(['index', JSON.stringify(endpoint), bucket, join(root, 'whole.db')])
    if (bare.read !== objects || ours.read !== objects || again.unchanged !== objects)
      throw new Error(`Not all objects were read: ${JSON.stringify([bare, ours, again])}.`)
    const figure = `catalog: indexing ${objects.toLocaleString('en')} objects`
    const over = `${figure} over listing and getting them by the SDK`
    return [
      ratioOf(over, ours.milliseconds / bare.milliseconds),
      ratioOf(`${over}, in processor time`, ours.processor / bare.processor),
      bound(`${figure}: peak of memory`, ours.peak / MIB, { unit: 'MB', limit: 300 }),
      bound(`${figure} again, none of which has changed: peak of memory`, again.peak / MIB, { unit: 'MB', limit: 300 }),
    ]
  } finally {
    rmSync(root, { recursive: true })
  }
}

function ratioOf(figure: string, value: number): Verdict {
  return { figure, value, unit: '×', limit: 1.5, held: value <= 1.5 }
}

async function run(args: readonly string[]): Promise<IndexCost> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'catalog', 'index-process.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')])
  return JSON.parse(printed)
}

const PAGES = 200

/** Measures HTML pages a second on one core. Each page has about 35 kB, as documentation tools write them. */
function htmlFigures(): Verdict[] {
  const pages = Array.from({ length: PAGES }, (_, at) => Buffer.from(pageOf(at)))
  for (const page of pages.slice(0, 20)) readHtml('page.html', page, EXTRACT_LIMITS)
  const start = process.cpuUsage()
  for (const page of pages) if (!readHtml('page.html', page, EXTRACT_LIMITS).ok) throw new Error('A page has no text.')
  const { user, system } = process.cpuUsage(start)
  const bytes = pages.reduce((sum, { length }) => sum + length, 0) / PAGES
  const figure = `catalog: pages of HTML of ${Math.round(bytes / 1000)} kB, a second and core`
  return [bound(figure, PAGES / ((user + system) / 1e6), { unit: 'files/s', limit: 150, atLeast: true })]
}

function pageOf(number: number): string {
  const methods = Array.from({ length: 42 }, (_, at) => {
    const name = `method${number}_${at}`
    return `<li><section class="detail" id="${name}(int)"><h3>${name}</h3>
<div class="member-signature"><span class="modifiers">public</span>&nbsp;<span class="return-type"><a href="../lang/String.html" title="class in lang">String</a></span>&nbsp;<span class="element-name">${name}</span><wbr><span class="parameters">(int&nbsp;limit, <a href="../util/List.html">List</a>&lt;T&gt;&nbsp;all)</span></div>
<div class="block">Gives what is known of <code>limit</code> as a text, &amp; nothing else. Where there is <em>none</em>, an empty one.</div>
<dl class="notes"><dt>Parameters:</dt><dd><code>limit</code> - most of them, from ${at}</dd><dt>Returns:</dt><dd>the text</dd></dl></section></li>`
  })
  const rows = methods.map((_, at) => `<tr><td>method${at}</td><td>What it does in <b>short</b>.</td></tr>`)
  return `<!DOCTYPE html><html lang="en"><head><title>Class ${number}</title><meta name="description" content="A class"><script>var a = 1;</script></head><body><header><nav><ul><li><a href="index.html">Overview</a></li></ul></nav></header><main><h1>Class ${number}</h1><table><tr><th>Method</th><th>Description</th></tr>${rows.join('')}</table><ul class="member-list">${methods.join('')}</ul></main></body></html>`
}
