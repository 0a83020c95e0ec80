/** The kinds of context. Each has the same hue and the same name on all pages. */
export type Kind = 'instruction' | 'directory' | 'path' | 'package' | 'digest' | 'code'

interface KindLook {
  readonly name: string
  /** Class of the background colour. Text in the colour of the canvas is readable on it. */
  readonly sign: string
}

export const KINDS: Readonly<Record<Kind, KindLook>> = {
  instruction: { name: 'Instruction files', sign: 'bg-kind-instruction' },
  directory: { name: 'Context directory', sign: 'bg-kind-directory' },
  path: { name: 'Descriptions', sign: 'bg-kind-path' },
  package: { name: 'Package', sign: 'bg-kind-package' },
  digest: { name: 'Research digest', sign: 'bg-kind-digest' },
  code: { name: 'Code', sign: 'bg-kind-code' },
}
