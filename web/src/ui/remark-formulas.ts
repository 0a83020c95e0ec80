import remarkMath from 'remark-math'

interface Node {
  type: string
  value?: string
  data?: unknown
  readonly children?: readonly Node[]
  readonly position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } }
}

/** `$…$` and `$$…$$`, as GitHub reads them. */
export const FORMULAS: readonly unknown[] = [remarkMath, remarkPrices]

/** Dollars that are prices stay what they are: a formula has no space inside of its signs, and no digit behind them. */
function remarkPrices() {
  return (tree: Node, file: { readonly value: unknown }): void => restorePrices(tree, String(file.value))
}

function restorePrices(node: Node, text: string): void {
  for (const child of node.children ?? []) {
    const { start, end } = child.position ?? {}
    if (child.type === 'inlineMath' && start?.offset !== undefined && end?.offset !== undefined) {
      const written = text.slice(start.offset, end.offset)
      if (isPrice(written, text.charAt(end.offset))) {
        child.type = 'text'
        child.value = written
        child.data = undefined
      }
    }
    restorePrices(child, text)
  }
}

function isPrice(written: string, next: string): boolean {
  return !written.startsWith('$$') && !written.startsWith('$`') && (/^\$\s|\s\$$/.test(written) || /\d/.test(next))
}
