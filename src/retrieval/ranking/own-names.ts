/** What a document calls itself beside its title. */

import { splitFrontMatter } from '../../text/front-matter.ts'
import { plainHeading } from '../../text/headings.ts'
import { mainTerms } from '../terms.ts'
import { tellingTerms } from './names.ts'

interface NamedDocument {
  readonly title: string
  readonly path: string
  readonly metadata: Readonly<Record<string, string>>
}

/** Characters of a text that are searched for its first heading. */
const SEARCHED = 64 * 1024

const HEADING = /^(?:#{1,6}[ \t]+(\S[^\r\n]*)|(\S[^\r\n]*)\r?\n=+[ \t]*)$/m
const FENCE = /^[ \t]*(?:```|~~~)/m
const ANCHOR = /<[a-z]\w{0,20}\s[^<>]{0,200}?\b(?:id|name)=["']([^"'<>]{1,128})["']|\{#([\w.:-]{1,128})\}/gi

/** Names that the index holds beside title and path: aliases, and the first heading where it is not the title. */
export function indexedNames({ title, metadata }: Omit<NamedDocument, 'path'>, text: string): string[] {
  const body = text.slice(splitFrontMatter(text).body)
  const found = HEADING.exec(body.slice(0, SEARCHED))
  const heading = found && !FENCE.test(body.slice(0, found.index)) ? plainHeading(found[1] ?? found[2] ?? '') : ''
  const { aliases, alias } = metadata
  const names = new Set([...listedIn(aliases), ...listedIn(alias), heading])
  return [...names].filter((name) => name !== '' && name !== title)
}

/** A value of front matter: a list is JSON. */
function listedIn(value = ''): string[] {
  if (!value.startsWith('[')) return [value]
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}

/** Says whether a document is called as a query says: by its title, its path or the end of that, a further name, an anchor. */
export function ownNameFinder(query: string): (document: NamedDocument, text: string) => boolean {
  const [asked, all] = [tellingTerms(query), mainTerms(query).join(' ')]
  // Of one word, those that say little make a difference: `once_flag`.
  const isAsked = (name: string) =>
    mainTerms(name).join(' ') === all || (asked.length > 1 && tellingTerms(name).join(' ') === asked.join(' '))
  return (document, text) => {
    const { title, path } = document
    const file = path.slice(path.lastIndexOf('/') + 1)
    const paths = [path, file].flatMap((one) => [one, one.replace(/(?<=.)\.\w{1,8}$/, '')])
    const anchors = [...text.matchAll(ANCHOR)].map(([, tag, brace]) => tag ?? brace ?? '')
    return asked.length > 0 && [title, ...paths, ...indexedNames(document, text), ...anchors].some(isAsked)
  }
}
