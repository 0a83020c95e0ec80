import type { S3Fault } from './fault.ts'

/** What an element holds: text, elements by name (a list repeats the name), or nothing. */
type Content = string | number | boolean | undefined | Elements | readonly Content[]
export interface Elements {
  readonly [name: string]: Content
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]|[^\x20-\uFFFF]/g, (char) => ESCAPES[char] ?? `&#x${char.charCodeAt(0).toString(16)};`)
}

function element(name: string, content: Content): string {
  if (content === undefined) return ''
  if (Array.isArray(content)) return content.map((one) => element(name, one)).join('')
  return `<${name}>${inner(content)}</${name}>`
}

function inner(content: Exclude<Content, undefined | readonly Content[]> | Content): string {
  if (typeof content !== 'object') return escaped(String(content))
  return Object.entries(content as Elements)
    .map(([name, one]) => element(name, one))
    .join('')
}

/** A document, as S3 writes it. */
export function xml(root: string, content: Elements): string {
  const body = inner(content)
  const namespace = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${body}</${root}>`
}

/** The texts of all elements of this name, whatever they are in. Enough for the small documents that clients send. */
export function textsOf(document: string, name: string): string[] {
  const found = [...document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))]
  return found.map(([, text = '']) =>
    text.replace(
      /&(lt|gt|quot|apos|amp);|&#(x?)([0-9a-f]+);/gi,
      (_, word: string | undefined, hex: string, code: string) =>
        word === undefined ? String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)) : (NAMED[word] ?? ''),
    ),
  )
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

export function errorDocument({ code, message, details }: S3Fault, resource: string): string {
  return xml('Error', { Code: code, Message: message, ...details, Resource: resource, RequestId: 'AMBITTEST' })
}
