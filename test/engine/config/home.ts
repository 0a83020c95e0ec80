import { chmodSync } from 'node:fs'
import { type Shape, type Tree, tree } from '../../support/tree.ts'

/** Where the configuration file is in a home directory. */
export const FILE = '.config/ambit/config.yaml'

/** A home directory with a configuration file of this text, and of the owner alone unless `mode` says otherwise; without a text, without the file. */
export function homeWith(text: string, mode = 0o600, more: Shape = {}): Tree {
  const home = tree(text === '' ? more : { ...more, [FILE]: text })
  if (text !== '') chmodSync(home.at(FILE), mode)
  return home
}
