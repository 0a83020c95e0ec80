import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** A relative folder would be seen from the current directory, and what lies there is not the user's. */
export function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}

/** Where the configuration file is, whether it exists or not. */
export function configPath(folder: string | undefined): string | undefined {
  return folder && join(folder, 'ambit', 'config.yaml')
}

/** Where sessions are remembered, whether it exists or not. */
export function stateIn(folder: string | undefined): string | undefined {
  return folder && join(folder, 'ambit')
}

/** `~` is written in files, where no shell replaces it. */
export function databaseAt(path: string | undefined, data: string | undefined): string | undefined {
  if (path === ':memory:') return path
  if (path) return resolve(path.replace(/^~(?=\/|$)/, homedir()))
  return data && join(data, 'ambit', 'ambit.db')
}
