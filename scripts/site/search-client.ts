/** The search of the site, in the browser: the passages of all pages, ranked by Ambit's own ranking. */

import type { PassageIndex } from '../../src/retrieval/passages.ts'
import { type FoundPassage, findPassages, indexPassages, type SearchData } from './search.ts'

const field = document.querySelector<HTMLInputElement>('#search')
const list = document.querySelector<HTMLElement>('#results')
const root = document.documentElement.dataset.root ?? ''
let index: Promise<{ passages: PassageIndex; data: SearchData }> | undefined

async function load() {
  const response = await fetch(`${root}search.json`)
  const data = (await response.json()) as SearchData
  return { passages: indexPassages(data), data }
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
