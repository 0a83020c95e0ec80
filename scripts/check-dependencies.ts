/** Checks the dependencies without a network: where they come from, how many, how old, under which licence, and why. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  checkBuilds,
  checkFloors,
  checkLicences,
  checkReasons,
  checkSources,
  checkTree,
} from './dependencies/checks.ts'
import { isInstalled, type Lockfile, productionTree } from './dependencies/lockfile.ts'

const ROOT = dirname(import.meta.dirname)

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

const lock: Lockfile = JSON.parse(read('package-lock.json'))
const bindings = Object.keys(lock.packages).filter((folder) => existsSync(join(ROOT, folder, 'binding.gyp')))
const problems = [
  ...checkSources(lock),
  ...checkTree(lock),
  ...checkBuilds(lock, bindings),
  ...checkFloors(lock),
  ...checkLicences(lock),
  ...checkReasons(lock, read('docs/decisions/dependencies.md')),
]
for (const problem of problems) console.error(problem)
const all = Object.entries(lock.packages).filter(([folder, entry]) => isInstalled(folder, entry)).length
console.log(`${all} packages, ${productionTree(lock).size} in production, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
