/**
 * The search of the site and its choice of versions, in the browser. Everything is a classic script, because a browser loads no
 * module and fetches no file for a page that was opened from disk.
 */

import type { PassageIndex } from '../../src/retrieval/passages.ts'
import { type FoundPassage, findPassages, indexPassages, type SearchData } from './search.ts'

const field = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLElement>('#results')
const root = document.documentElement.dataset.root ?? ''
let index: Promise<{ passages: PassageIndex; data: SearchData }> | undefined

/** Variables that the scripts beside the pages set. */
declare global {
  var ambitSearchData: SearchData | undefined
  var ambitVersions: readonly string[] | undefined
}

/** Runs a script of the site. */
function runScript(path: string): Promise<void> {
  const script = document.createElement('script')
  script.src = `${root}${path}`
  return new Promise((resolve, reject) => {
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${path} cannot be loaded`))
    document.head.append(script)
  })
}

async function load() {
  await runScript('search-data.js')
  const data = globalThis.ambitSearchData
  if (!data) throw new Error('search-data.js is empty')
  return { passages: indexPassages(data), data }
}

/** Turns the version into a choice if there are several versions. */
async function offerVersions(): Promise<void> {
  await runScript('../versions.js')
  const shown = document.querySelector('#version')
  const versions = globalThis.ambitVersions ?? []
  if (!shown || versions.length < 2) return
  const choice = document.createElement('select')
  choice.setAttribute('aria-label', 'Version')
  choice.append(...versions.map((version) => new Option(version, version, false, version === shown.textContent)))
  choice.addEventListener('change', () => {
    location.href = `${root}../${choice.value}/index.html`
  })
  shown.replaceWith(choice)
}

function row({ address, title, text }: FoundPassage): HTMLElement {
  const link = document.createElement('a')
  link.href = `${root}${address}`
  const [head, body] = [document.createElement('strong'), document.createElement('span')]
  head.textContent = title
  body.textContent = text
  link.append(head, body)
  return link
}

async function search(): Promise<void> {
  const query = field?.value.trim() ?? ''
  if (!list) return
  list.hidden = query === ''
  if (query === '') return
  if (!index) list.textContent = 'Searching …'
  index ??= load()
  const { passages, data } = await index
  if (query !== field?.value.trim()) return
  const found = findPassages(passages, data, query)
  list.replaceChildren(...found.map(row))
  if (found.length === 0) list.textContent = 'Not found in these pages.'
}

field?.addEventListener('input', () => void search())
field?.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    field.value = ''
    void search()
  }
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  field?.focus()
})
// A version that was copied alone has no list of versions.
offerVersions().catch(() => undefined)
