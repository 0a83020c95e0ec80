import { useEffect } from 'react'

/** The title of the window, while the page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Ambit`
  }, [title])
}
