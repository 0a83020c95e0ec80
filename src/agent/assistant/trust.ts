/** Instruction files of buckets and packages that the person trusts: what they ask is as if the person asked it. */

import { elementsOf } from '../../text/elements.ts'
import { frameText } from '../../text/frames.ts'

/**
 * An element that names the trusted files among those of a context; `''` without any. A trusted bucket or collection covers all
 * in it, a trusted package only its own files.
 *
 * @param place As `load` names it.
 */
export function trustedElement(place: string, text: string, trusted: readonly string[] = []): string {
  const within = trusted.filter((address) => isWithin(place, address))
  if (within.length === 0) return ''
  const isPackage = within.every(isOfPackage)
  const lines = elementsOf(text).flatMap(({ tag, attributes: { path = '', scope, 'package-name': name } }) => {
    const isInstruction = tag === 'context-file' && /(^|\/)AGENTS\.md$/.test(path)
    if (!isInstruction || (isPackage && name === undefined)) return []
    return [`${path} (${scope}${name === undefined ? '' : ` ${name}`})`]
  })
  return lines.length === 0 ? '' : frameText({ tag: 'trusted', attributes: { place }, text: lines.join('\n') })
}

/** `s3://BUCKET` is the bucket of `quilt+s3://BUCKET#…`, too. */
function isWithin(place: string, address: string): boolean {
  return [address, `quilt+${address}`].some(
    (one) => place.startsWith(one) && /^(?:$|[/@:&#?])/.test(place.slice(one.length)),
  )
}

function isOfPackage(address: string): boolean {
  return address.includes('#package=') || /^ambit:\/\/[^/]+\/./.test(address)
}
