/** The kinds of context: one hue and one name for each, wherever they are shown. */
export type Kind = 'instruction' | 'directory' | 'path' | 'package' | 'digest' | 'code'

interface Shown {
  readonly name: string
  /** As the colour of an area, on which text is readable. */
  readonly area: string
  /** As the colour of a small sign. */
  readonly sign: string
}

export const KINDS: Readonly<Record<Kind, Shown>> = {
  instruction: {
    name: 'Instruction files',
    area: 'bg-kind-instruction text-canvas',
    sign: 'bg-kind-instruction',
  },
  directory: { name: 'Context directory', area: 'bg-kind-directory text-canvas', sign: 'bg-kind-directory' },
  path: { name: 'Path contexts', area: 'bg-kind-path text-canvas', sign: 'bg-kind-path' },
  package: { name: 'Package', area: 'bg-kind-package text-canvas', sign: 'bg-kind-package' },
  digest: { name: 'Research digest', area: 'bg-kind-digest text-canvas', sign: 'bg-kind-digest' },
  code: { name: 'Code', area: 'bg-kind-code text-canvas', sign: 'bg-kind-code' },
}
