/** Converts files that a person sends with a question to a form that the model accepts. */

import type { PlaceReader } from '../../context/place-reader.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { invalidInput } from '../../core/errors.ts'
import type { LanguageModel, Message } from '../../models/language.ts'
import { oneLine } from '../../text/controls.ts'
import { freeName } from '../../text/paths.ts'

/** A file that the person sent. The bytes decide its type, unless it is a text that was extracted before (`isText`). */
export interface SentFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly isText?: boolean
}

export interface MessageParts {
  readonly model: LanguageModel
  readonly reader: Pick<PlaceReader, 'attachment'>
  /** Whether a file of the conversation has this name. */
  hasFile(name: string): boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * The question with its files: pictures, PDFs if the model reads them, and the texts of other files. If a file of the
 * conversation has the same name already, a number is added to the name.
 *
 * @throws ContextError `invalid-input` for a picture if the model cannot see, and for a file without text; `over-limit`.
 */
export async function questionMessage(text: string, files: readonly SentFile[], parts: MessageParts): Promise<Message> {
  if (files.length > BOUNDS.sentFiles)
    throw invalidInput(`At most ${BOUNDS.sentFiles} files can be sent with a question.`)
  if (files.reduce((sum, file) => sum + file.bytes.length, 0) > BOUNDS.sentBytes)
    throw invalidInput(`The files of a question may have ${BOUNDS.sentBytes} bytes together.`)
  const attachments = await Promise.all(files.map((file) => toAttachment(file, parts)))
  const names: string[] = []
  const named = attachments.map((file) => {
    const name = freeName(file.name, (one) => names.includes(one) || parts.hasFile(one))
    names.push(name)
    return { ...file, name }
  })
  return { role: 'user', text, ...(files.length > 0 && { files: named }) }
}

async function toAttachment(file: SentFile, { model, reader, signal }: MessageParts) {
  const { bytes, isText = false } = file
  const name = oneLine(file.name).slice(0, 200) || 'file'
  if (isText) return { name, mediaType: 'text/plain', data: Buffer.from(bytes).toString('base64') }
  const needsText = (mediaType: string) => mediaType === 'application/pdf' && !model.readsPdf
  const content = await reader.attachment({ name, bytes }, needsText, signal)
  if ('text' in content) return { name, mediaType: 'text/plain', data: Buffer.from(content.text).toString('base64') }
  const hint = 'Ask another model, or set AMBIT_MODEL_IMAGES=1 if this one can look at pictures.'
  if (!model.canSee && content.mediaType !== 'application/pdf')
    throw invalidInput(`${name} is a picture, and the model ${model.name} is not known to look at pictures.`, hint)
  return { name, mediaType: content.mediaType, data: Buffer.from(bytes).toString('base64') }
}
