/** The bill of materials as CycloneDX. The published package has no dependencies, so it lists the packages in the bundles. */

import { type Lockfile, nameOf } from '../dependencies/lockfile.ts'
import type { Manifest } from './packages.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly license: string
}

/** The packages that a file of notices names: `NAME VERSION (LICENCE)` at the beginning of each part. */
export function componentsIn(notices: string): Component[] {
  const parts = `\n${'-'.repeat(80)}\n\n${notices}`.split(`\n${'-'.repeat(80)}\n`)
  return parts.flatMap((part) => {
    const [, name, version, license] = /^\s*(\S+) (\d\S*) \(([^\n]+)\)\n/.exec(part) ?? []
    return name && version && license ? [{ name, version, license }] : []
  })
}

/** The bill of materials as JSON. `notices`: texts of the notices of all bundles. The hashes are from the lockfile. */
export function billOfMaterials(manifest: Manifest, notices: readonly string[], lock: Lockfile): string {
  const all = notices.flatMap(componentsIn)
  const unique = [...new Map(all.map((each) => [`${each.name}@${each.version}`, each])).values()]
  const components = unique
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((component) => describeComponent(component, lock))
  const own = { name: manifest.name, version: manifest.version, license: manifest.license }
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...describeComponent(own, lock), type: 'application' } },
    components,
    dependencies: [
      { ref: purl(own), dependsOn: components.map((component) => component['bom-ref']) },
      ...components.map((component) => ({ ref: component['bom-ref'] })),
    ],
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

function purl({ name, version }: Pick<Component, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function describeComponent(component: Component, lock: Lockfile) {
  const { name, version, license } = component
  const found = Object.entries(lock.packages).find(
    ([folder, entry]) => nameOf(folder) === name && entry.version === version,
  )
  const [, base64] = /^sha512-(.+)$/.exec(found?.[1].integrity ?? '') ?? []
  const hash = base64 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] }
  return {
    type: 'library',
    'bom-ref': purl(component),
    name,
    version,
    purl: purl(component),
    licenses: [
      /^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license.replace(/^\((.+)\)$/, '$1') },
    ],
    ...hash,
  }
}
