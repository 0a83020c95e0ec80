import { useEffect, useRef, useState } from 'react'
import { PlainText } from './PlainText.tsx'
import { Scroll } from './Scroll.tsx'

/** Characters of a formula that is set. */
const MOST = 5_000

/**
 * TeX as MathML, which the browser sets itself: no styles and no fonts are loaded. The program that reads it is loaded when there
 * is a formula. What it cannot read is shown as it is written.
 */
export function Formula({ text, isBlock }: { readonly text: string; readonly isBlock: boolean }) {
  const ref = useRef<HTMLSpanElement>(null)
  const [state, setState] = useState<{ readonly isSet: boolean; readonly problem?: string }>({ isSet: false })
  useEffect(() => {
    let isCurrent = true
    const set = async () => {
      if (text.length > MOST) throw new Error('it is too long')
      const { default: katex } = await import('katex')
      const target = ref.current
      if (!isCurrent || !target) return
      const bounds = { trust: false, maxExpand: 200, maxSize: 20, strict: 'ignore' as const }
      katex.render(text, target, { ...bounds, output: 'mathml', displayMode: isBlock, throwOnError: true })
      setState({ isSet: true })
    }
    set().catch((error: unknown) => {
      if (isCurrent) setState({ isSet: false, problem: error instanceof Error ? error.message : String(error) })
    })
    return () => {
      isCurrent = false
    }
  }, [text, isBlock])
  const formula = (
    <>
      <span ref={ref} hidden={!state.isSet} data-formula />
      {!state.isSet && (
        <code title={state.problem === undefined ? undefined : `Shown as it is written: ${state.problem}`}>
          <PlainText text={text} />
        </code>
      )}
    </>
  )
  if (!isBlock) return formula
  return (
    <Scroll role="group" label="Formula" className="mb-3 overflow-x-auto overflow-y-hidden py-1 text-center">
      {formula}
    </Scroll>
  )
}
