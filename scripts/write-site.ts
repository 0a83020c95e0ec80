/** Builds the documentation as a static site in `.site/VERSION/`, with a search that runs in the browser. */

import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { pageHtml, SECTIONS, STYLE } from './site/layout.ts'
import { readPage, type SitePage } from './site/page.ts'
import { searchData } from './site/search.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md']

/** Reads all pages of the documentation. */
export function readPages(): readonly SitePage[] {
  const sources = globSync(SOURCES, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
  const known = new Set(sources)
  return sources.map((source) => readPage(source, readFileSync(join(ROOT, source), 'utf8'), known))
}

async function writeSite(out: string): Promise<number> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const at = join(out, version)
  rmSync(at, { recursive: true, force: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    writeFileSync(join(at, path), text)
  }
  const pages = readPages()
  for (const page of pages) write(page.address, pageHtml(page, pages, version))
  write('style.css', STYLE)
  write('search-data.js', `globalThis.ambitSearchData = ${JSON.stringify(searchData(pages))}\n`)
  await build({
    entryPoints: [join(ROOT, 'scripts/site/search-client.ts')],
    outfile: join(at, 'search.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    // The ranking uses `Buffer` to copy words, which a browser does not have. Here, a word is not copied.
    banner: { js: 'globalThis.Buffer ??= { from: (text) => text };' },
    logLevel: 'error',
  })
  for (const picture of globSync('docs/images/*', { cwd: ROOT })) {
    mkdirSync(join(at, 'images'), { recursive: true })
    copyFileSync(join(ROOT, picture), join(at, picture.replace(/^docs\//, '')))
  }
  writeVersions(out)
  return pages.length
}

/** Writes the list of the versions in a folder, and a page that redirects to the newest version. */
function writeVersions(out: string): void {
  const byNumber = new Intl.Collator('en', { numeric: true })
  const versions = globSync('*/index.html', { cwd: out })
    .map(dirname)
    .sort((a, b) => byNumber.compare(b, a))
  const [newest = ''] = versions
  writeFileSync(join(out, 'versions.js'), `globalThis.ambitVersions = ${JSON.stringify(versions)}\n`)
  const address = `${newest}/index.html`
  const redirect = `<meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">Ambit ${newest}</a>`
  writeFileSync(join(out, 'index.html'), `<!doctype html>${redirect}\n`)
}

if (process.argv[1] === import.meta.filename) {
  const out = resolve(process.argv[2] ?? join(ROOT, '.site'))
  const missing = SECTIONS.flatMap(({ pages }) => pages).filter(
    (source) => !readPages().some((page) => page.source === source),
  )
  if (missing.length > 0) throw new Error(`The sections name pages that do not exist: ${missing.join(', ')}`)
  const count = await writeSite(out)
  process.stdout.write(`${count} pages in ${out}; open ${join(out, 'index.html')}\n`)
}
