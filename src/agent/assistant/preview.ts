/** What there is to see: pictures for a model that can look at them, pages of PDFs as their text. */

import type { Looking } from '../../context/looking.ts'
import { ContextError } from '../../core/errors.ts'
import { sized } from '../../text/counts.ts'
import { cutElements } from '../../text/elements.ts'
import { framed } from '../../text/frames.ts'
import { inputsOf, textIn } from '../inputs.ts'
import type { AgentTool, ToolOutput } from '../tool.ts'

export interface PreviewParts {
  looking(): Promise<Looking>
  /** The files on disk around the person; undefined where none are read. */
  loose(): Promise<ReturnType<Looking['loose']> | undefined>
  /** Whether the model that asks can look at images. */
  canSee(): Promise<boolean>
  /** An element that gives each place its number. */
  numbered(places: readonly string[]): string
}

export function previewTool({ looking, loose, canSee, numbered }: PreviewParts): AgentTool {
  return {
    name: 'preview',
    description:
      'Look at a picture (PNG, JPEG, GIF, WebP), or at a page of a PDF, in a collection, a package or on disk. Texts are ' +
      'for read.',
    effect: 'read',
    input: {
      type: 'object',
      properties: {
        place: { type: 'string', description: 'collection/path, a uri, or a path on disk' },
        page: { type: 'integer', minimum: 1, description: 'of a PDF; default 1' },
      },
      required: ['place'],
      additionalProperties: false,
    },
    cut: (text, mostBytes) => cutElements(text, mostBytes, (shown, all) => `${shown} of ${all} bytes are given.`),
    run: async (input, signal): Promise<ToolOutput> => {
      const inputs = inputsOf(input, ['place', 'page'])
      const page = pageIn(inputs)
      const look = await looking()
      const found = await look.seen(textIn(inputs, 'place'), await loose(), signal)
      const { place, mediaType, bytes } = found
      const told = (tag: 'image' | 'document', attributes: Readonly<Record<string, string>>, text: string) =>
        `${numbered([place])}${framed({ tag, attributes: { uri: place, type: mediaType, ...attributes }, text })}`
      if (mediaType === 'application/pdf') {
        const { text, pages } = await look.page(found, page, signal)
        const shown = text === '' ? 'This page has no text that can be read: it may be scanned.' : text
        const notice = framed({ tag: 'notice', attributes: {}, text: NO_PICTURE })
        return { text: `${told('document', { page: `${page}`, pages: `${pages}` }, shown)}${notice}` }
      }
      if (!(await canSee())) return { text: told('image', { size: sized(bytes.length) }, BLIND) }
      const image = { mediaType, data: Buffer.from(bytes).toString('base64') }
      return { text: told('image', { size: sized(bytes.length) }, SHOWN), images: [image] }
    },
  }
}

const NO_PICTURE = 'This is the text of the page. Pictures of pages are not made.'
const BLIND = 'You cannot look at pictures: the model is not known to. Say so to the person.'
const SHOWN = 'The picture is shown with this.'

function pageIn({ page = 1 }: Readonly<Record<string, unknown>>): number {
  if (typeof page === 'number' && Number.isInteger(page) && page >= 1) return page
  throw new ContextError('invalid-input', 'page must be a number from 1.')
}
