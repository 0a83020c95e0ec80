import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAllowed } from './dependencies/checks.ts'

/** The folder of the package a bundled file comes from, such as `node_modules/@scope/name`; undefined for our own files. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!isAllowed(String(license))) throw new Error(`${name} is bundled, and its licence ${license} is not on the list`)
  const texts = globSync('{LICENSE,LICENCE,license,licence,NOTICE}*', { cwd: folder }).sort()
  const body = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
  return `${name} ${version} (${license})\n\n${body}\n`
}

/**
 * The licence texts of the packages in a bundle, by name. The licences require that their text is distributed with the code.
 * @throws Error if a licence is not on the list of the policy
 */
export function thirdPartyNotices(files: readonly string[]): string {
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders]
    .sort()
    .map(notice)
    .join(`\n${'-'.repeat(80)}\n\n`)
}
