import { useEffect, useState } from 'react'
import { plainPieces } from '../../ui/marked-pieces.ts'
import { loadPart } from '../../ui/part.ts'

/** Reads a snippet of prose with its marks. */
export type ReadSnippet = typeof plainPieces

let markdown: ReadSnippet | undefined

/**
 * The reader of snippets; undefined while it is loaded: results wait for it, since they would move when it comes. Where it
 * cannot be loaded, snippets are shown as they are written until the page is opened again.
 */
export function useSnippetReader(): ReadSnippet | undefined {
  const [read, setRead] = useState<{ readonly as: ReadSnippet | undefined }>({ as: markdown })
  useEffect(() => {
    if (markdown) return
    loadPart(() => import('../../ui/markdown/snippet.ts')).then(
      ({ markdownPieces }) => {
        markdown = markdownPieces
        setRead({ as: markdownPieces })
      },
      () => setRead({ as: plainPieces }),
    )
  }, [])
  return read.as
}
