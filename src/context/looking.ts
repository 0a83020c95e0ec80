/** Files that need be in no index: what is on disk around a person, and what there is to see anywhere. */

import { openCollectionFile } from '../collections/files.ts'
import type { Library } from '../collections/library.ts'
import { SILENT } from '../core/flow.ts'
import { type PageText, pageText } from '../ingest/page-text.ts'
import { catalogOver } from '../quilt/catalog.ts'
import type { RegistryRoots, Within } from '../quilt/registries.ts'
import { LooseFiles } from './catalog/loose.ts'
import { previewPlace, type Seen } from './catalog/preview.ts'

export interface Looking {
  /** The files of the project that a place on disk is in. @throws ContextError `not-found`; `denied` for a system's own. */
  loose(place: string): LooseFiles
  /** A picture, or a PDF: in a collection, a package, or among `loose` files. @throws ContextError as reading does. */
  seen(place: string, loose: LooseFiles | undefined, signal: AbortSignal): Promise<Seen>
  /** The text of a page of a PDF. @throws ContextError `invalid-input`, `not-found`. */
  page(pdf: Seen, page: number, signal: AbortSignal): Promise<PageText>
}

export function lookingOver(
  { library, ...roots }: RegistryRoots & { library(): Promise<Library> },
  within: Within = 'anywhere',
): Looking {
  return {
    loose: (place) => new LooseFiles(place),
    seen: (place, loose, signal) =>
      previewPlace(
        place,
        {
          file: async (address) => openCollectionFile(await (await library()).browser(), address, signal),
          entry: (request) => catalogOver(roots, within).bytes(request, { ...SILENT, signal }),
          loose,
        },
        signal,
      ),
    page: ({ place, bytes }, page, signal) => pageText(place, bytes, { page, signal }),
  }
}
