import { useEffect, useState } from 'react'

type Plugins = readonly unknown[]

const NONE: Plugins = []

/** What reads `$…$` in Markdown: loaded when a text may hold a formula. */
export function useMath(text: string): Plugins {
  const [plugins, setPlugins] = useState(NONE)
  const isWanted = text.includes('$')
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    import('./remark-formulas.ts').then(({ FORMULAS }) => isCurrent && setPlugins(FORMULAS))
    return () => {
      isCurrent = false
    }
  }, [isWanted])
  return isWanted ? plugins : NONE
}
