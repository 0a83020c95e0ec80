/** The rows of group P that no other test shows. README.md says where the others are. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkFloors,
  checkLicences,
  checkReasons,
  checkSources,
  checkTree,
  FLOORS,
  LIMITS,
} from '../../scripts/dependencies/checks.ts'
import { type Lockfile, productionTree } from '../../scripts/dependencies/lockfile.ts'
import { bareCode, importsOf, ROOT } from '../source-files.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const lock: Lockfile = JSON.parse(read('package-lock.json'))
const manifest: { scripts: Record<string, string>; dependencies: Record<string, string> } = JSON.parse(
  read('package.json'),
)

describe('the lockfile of this repository', () => {
  it('P1 has the digest of every package, all of them from a registry', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(20)
    expect(checkSources(lock)).toEqual([])
  })

  it('P2 has no install script in the production tree, and the package itself has none', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'preuninstall', 'postuninstall']
    expect(checkTree(lock)).toEqual([])
    expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([])
  })

  it('P3 keeps to the number of packages that it may have, each pinned and with its reason', () => {
    expect(productionTree(lock).size).toBeLessThanOrEqual(LIMITS.tree)
    expect(LIMITS.tree).toBeLessThanOrEqual(110)
    expect(
      Object.values<string>(manifest.dependencies ?? {}).filter((version) => !/^\d+\.\d+\.\d+$/.test(version)),
    ).toEqual([])
    expect(checkReasons(lock, read('docs/decisions/dependencies.md'))).toEqual([])
  })

  it('P4 holds no release with a known hole', () => {
    const listed = ['pdfjs-dist', 'js-yaml', 'undici', 'minimatch', 'picomatch', 'multer', '@modelcontextprotocol/sdk']
    expect(Object.keys(FLOORS)).toEqual(expect.arrayContaining([...listed, 'adm-zip']))
    expect(checkFloors(lock)).toEqual([])
  })

  it('P5 carries only licences of the list', () => {
    expect(checkLicences(lock)).toEqual([])
  })
})

const SQL = 'writes SQL with values in it'

/**
 * Whole tables are read and written by the names in stores/statements/tables.ts: `transfer/lines.ts` lets no other through; what is missing is
 * made by the names of our own schema. A table of a file is asked in a database of its own in memory, by quoted names.
 */
const BY_TABLES =
  /^src\/(stores\/(row-store|sqlite\/(salvage|sql)|(sqlite|postgres|statements)\/(rows|mend|runner))|research\/explore\/table-process)\.ts$/

/**
 * Requires files of the program that stand beside it, with what was compiled of them before; nothing else is code for it. The
 * other one runs the constant text `work()`, for the time limit of `node:vm`.
 */
const OF_THE_PROGRAM = ['src/start.ts', 'src/core/run-within.ts']

/** What no source file may do, by what gives it away. */
const FORBIDDEN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['runs a text as code', /\beval\s*\(|\bFunction\s*\(|\bset(Timeout|Interval)\s*\(\s*["`']/],
  ['reaches into the runtime', /\bprocess\s*\.\s*(binding|dlopen|_linkedBinding)\b/],
  ['starts a shell', /\bshell\s*:(?!\s*(false\b|[A-Z]))/],
  ['sets HTML as a text', /dangerouslySetInnerHTML|\b(inner|outer)HTML\s*=|insertAdjacentHTML|document\s*\.\s*write\b/],
  [SQL, /\b(SELECT\b.*\bFROM|INSERT\s+INTO|UPDATE\b.*\bSET|DELETE\s+FROM)\b[^`]*\$\{/s],
]

/** Functions of node:child_process that take words, and no line for a shell. */
const WORDS = ['execFile', 'execFileSync', 'spawn', 'spawnSync', 'fork']

function problems(file: string, text: string): string[] {
  const { code, strings } = bareCode(text)
  // What stands in a template may be code again.
  const templates = strings.filter((string) => string.includes('${'))
  // A constant, as its name says, is not a value of anybody.
  const all = [code, ...templates].join('\n').replace(/\$\{[A-Z][A-Z_]*\}/g, '')
  const found = FORBIDDEN.filter(([, pattern]) => pattern.test(all))
    .map(([what]) => what)
    .filter((what) => what !== SQL || !BY_TABLES.test(file))
  const imports = importsOf({ file, text })
  const runsText = imports.some((name) => /^(node:)?(vm|inspector|repl)$/.test(name))
  if (runsText && !OF_THE_PROGRAM.includes(file)) found.push('runs a text as code')
  if (imports.some((name) => /^(node:)?child_process$/.test(name))) {
    const names = [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*"(\d+)"/g)]
      .filter(([, , number]) => /child_process['"]$/.test(strings[Number(number)] ?? ''))
      .flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
    if (names.length === 0 || names.some((name) => name !== '' && !WORDS.includes(name) && !name.startsWith('type '))) {
      found.push('starts a shell')
    }
  }
  return found.map((what) => `${file} ${what}`)
}

describe('P8 the sources', () => {
  it('P8 run no text as code or by a shell, and put none into HTML or SQL', () => {
    const files = globSync('{src,scripts,web}/**/*.{ts,tsx,js,mjs}', {
      cwd: ROOT,
      exclude: ['**/node_modules/**', '**/dist/**'],
    })
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap((file) => problems(file, read(file)))).toEqual([])
  })

  it.each([
    'eval(text)',
    'globalThis.eval (text)',
    'new Function(text)()',
    "setTimeout('run()', 1)",
    "import vm from 'node:vm'",
    "import { exec } from 'node:child_process'",
    "import { execFile, execSync } from 'child_process'",
    "import * as all from 'node:child_process'",
    "const { exec } = await import('node:child_process')",
    "spawn('ls', [], { shell: true })",
    'const a = <div dangerouslySetInnerHTML={{ __html: text }} />',
    'element.innerHTML = text',
    `db.exec(\`SELECT a FROM b WHERE c = \${d}\`)`,
    `db.exec(\`INSERT INTO a VALUES (\${b})\`)`,
    `\`\${eval(text)}\``,
    "process.binding('fs')",
  ])('P8 the check finds %j', (text) => {
    expect(problems('a.ts', text)).toHaveLength(1)
  })

  it.each([
    "import { execFile, type ChildProcess } from 'node:child_process'",
    '// never eval(text)',
    "const rule = 'no eval(), no new Function()'",
    'pattern.exec(text)',
    'setTimeout(run, 1)',
    'db.prepare(`SELECT a FROM b WHERE c = ?`)',
    "spawn('ls', [], { shell: false })",
    `const select = \`SELECT one, \${name}\``,
  ])('P8 the check accepts %j', (text) => {
    expect(problems('a.ts', text)).toEqual([])
  })
})
