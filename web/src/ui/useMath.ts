import { usePart } from './part.ts'

const NONE: readonly unknown[] = []

/** The reader of formulas in Markdown, loaded when a text may hold one. An answer may also have `\\(…\\)` and `\\[…\\]`. */
export function useMath(text: string, isAnswer = false): readonly unknown[] {
  const isWanted = text.includes('$') || (isAnswer && /\\[([]/.test(text))
  const { data } = usePart('formulas', () => import('./remark-formulas.ts'), isWanted)
  if (!isWanted || !data) return NONE
  return isAnswer ? data.ANSWER_FORMULAS : data.FORMULAS
}
