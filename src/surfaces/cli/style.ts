import picocolors from 'picocolors'

/** What a stream can show. */
export interface Look {
  readonly isTerminal: boolean
  /** Colour is refused. */
  readonly plain: boolean
  readonly columns: number | undefined
}

/** How text may look: columns, and colours that do nothing where there are none. */
export type Style = ReturnType<typeof picocolors.createColors> & { readonly width: number }

/** Colours only on a terminal, and when they were not refused; 100 columns where nobody can say. */
export function styleOf({ isTerminal, plain, columns }: Look): Style {
  return { ...picocolors.createColors(isTerminal && !plain), width: Math.max(40, columns || 100) }
}
