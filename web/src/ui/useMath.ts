import { useEffect, useState } from 'react'

type Plugins = readonly unknown[]

const NONE: Plugins = []

/** The reader of formulas in Markdown, loaded when a text may hold one. An answer may also have `\\(…\\)` and `\\[…\\]`. */
export function useMath(text: string, isAnswer = false): Plugins {
  const [plugins, setPlugins] = useState(NONE)
  const isWanted = text.includes('$') || (isAnswer && /\\[([]/.test(text))
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    import('./remark-formulas.ts').then(
      ({ FORMULAS, ANSWER_FORMULAS }) => isCurrent && setPlugins(isAnswer ? ANSWER_FORMULAS : FORMULAS),
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, isAnswer])
  return isWanted ? plugins : NONE
}
