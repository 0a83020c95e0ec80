import { plainPieces } from '../../ui/marked-pieces.ts'
import { usePart } from '../../ui/part.ts'

/** Reads a snippet of prose with its marks. */
export type ReadSnippet = typeof plainPieces

/**
 * The reader of snippets; undefined while it is loaded: results wait for it, since they would move when it comes. Where it
 * cannot be loaded, snippets are shown as they are written.
 */
export function useSnippetReader(): ReadSnippet | undefined {
  const { data, error } = usePart('snippets', () => import('../../ui/markdown/snippet.ts'))
  return error ? plainPieces : data?.markdownPieces
}
