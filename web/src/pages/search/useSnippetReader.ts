import { useEffect, useState } from 'react'
import { loadPart } from '../../ui/part.ts'

export type SnippetReader = typeof import('../../ui/markdown/snippet.ts')

let reader: SnippetReader | undefined

/** The reader of snippets. Results wait for it: they would move when it comes. */
export function useSnippetReader(): SnippetReader | undefined {
  const [loaded, setLoaded] = useState(reader)
  useEffect(() => {
    if (reader) return
    loadPart(() => import('../../ui/markdown/snippet.ts')).then((part) => {
      reader = part
      setLoaded(part)
    })
  }, [])
  return loaded
}
