/** Trust of a person in the instruction files of a place. */

import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { orElse } from '../../core/errors.ts'
import { elementsOf } from '../../text/elements.ts'
import { frameText } from '../../text/frames.ts'
import type { AssistantHost } from '../host.ts'

/** Asks whether the person trusts the instruction files of an address. Undefined: the person did not decide. */
export type AskTrust = (address: string, files: readonly string[], signal?: AbortSignal) => Promise<boolean | undefined>

interface TrustParts {
  readonly engine: Pick<AssistantHost, 'config' | 'settings' | 'language'>
  readonly trust?: AskTrust
  notice?(text: string): void
}

/**
 * Asks the person whether to trust the instruction files of a context, once for each address, and stores the answer.
 * Does not ask for the built-in model, because it follows no instructions.
 */
export async function askTrust(
  { engine, trust, notice }: TrustParts,
  { place, text, model }: { readonly place: string; readonly text: string; readonly model: string | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { trusted = [], untrusted = [] } = engine.config
  const question = trust && trustQuestion(place, text, [...trusted, ...untrusted])
  if (!question || (await engine.language(model)).name === BUILT_IN_MODEL) return
  const isTrusted = await trust(question.address, question.files, signal)
  if (isTrusted === undefined) return
  await orElse(engine.settings.trust(question.address, isTrusted), ({ message }) => notice?.(message))
}

/**
 * An element that names the trusted files of a context; `''` if there are no such files. Trust in a bucket or collection covers
 * everything in it, trust in a package only its own files.
 * @param place As `load` names it.
 */
export function trustedElement(place: string, text: string, trusted: readonly string[] = []): string {
  const covering = trusted.filter((address) => isCovered(place, address))
  if (covering.length === 0) return ''
  const lines = instructionFiles(text, covering.every(isPackageAddress))
  return lines.length === 0 ? '' : frameText({ tag: 'trusted', attributes: { place }, text: lines.join('\n') })
}

/**
 * The address to ask about, and its instruction files in a context. Undefined if there are no such files, or if the person has
 * decided.
 */
function trustQuestion(place: string, text: string, decidedAddresses: readonly string[]) {
  const address = /^(?:quilt\+s3:[^@&]*#package=[^@:&]+|(?:s3|ambit):\/\/[^/@#]+)/.exec(place)?.[0]
  if (address === undefined || decidedAddresses.some((one) => isCovered(place, one))) return undefined
  const files = instructionFiles(text, isPackageAddress(address))
  return files.length === 0 ? undefined : { address, files }
}

/** The instruction files in a text of elements. `isPackageOnly`: whether to return only files of a package. */
function instructionFiles(text: string, isPackageOnly: boolean): readonly string[] {
  return elementsOf(text).flatMap(({ tag, attributes: { path = '', scope, 'package-name': name } }) => {
    const isInstruction = tag === 'context-file' && /(^|\/)AGENTS\.md$/.test(path)
    if (!isInstruction || (isPackageOnly && name === undefined)) return []
    return [`${path} (${scope}${name === undefined ? '' : ` ${name}`})`]
  })
}

/** Whether a place is within an address. `s3://BUCKET` also includes `quilt+s3://BUCKET#…`. */
function isCovered(place: string, address: string): boolean {
  return [address, `quilt+${address}`].some(
    (prefix) => place.startsWith(prefix) && /^(?:$|[/@:&#?])/.test(place.slice(prefix.length)),
  )
}

function isPackageAddress(address: string): boolean {
  return address.includes('#package=') || /^ambit:\/\/[^/]+\/./.test(address)
}
