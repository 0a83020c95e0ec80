import { usePart } from './part.ts'

const NONE: readonly unknown[] = []

/** Loads the parser of formulas if a text may contain one. An answer may also have `\(…\)` and `\[…\]`. */
export function useMath(text: string, isAnswer = false): readonly unknown[] {
  const isWanted = text.includes('$') || (isAnswer && /\\[([]/.test(text))
  const { data } = usePart('formulas', () => import('./remark-formulas.ts'), isWanted)
  if (!isWanted || !data) return NONE
  return isAnswer ? data.ANSWER_FORMULAS : data.FORMULAS
}
