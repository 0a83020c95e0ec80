import { describe, expect, it } from 'vitest'
import { bareCode, importsOf, readSources, type SourceFile } from './source-files.ts'

/** Most lines of a file, and of one that is a table. */
const LINES = { file: 300, table: 400 }

/** Files that are one table, by path from src/. */
const TABLES: readonly string[] = []

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

const RULES: readonly { readonly what: string; readonly broken: (source: SourceFile, code: string) => boolean }[] = [
  {
    what: 'is too long',
    broken: ({ file, text }) => lineCount(text) > (TABLES.includes(file) ? LINES.table : LINES.file),
  },
  {
    what: 'reads the environment',
    broken: (source, code) =>
      // What starts the program looks before the configuration can be loaded.
      !['engine/config.ts', 'start.ts'].includes(source.file) &&
      (/\bprocess\s*(\??\.\s*env\b|\??\.?\[)/.test(code) ||
        importsOf(source).some((name) => /^(node:)?process$/.test(name))),
  },
  {
    what: 'writes to the console',
    broken: ({ file }, code) => !file.startsWith('surfaces/cli/') && /\bconsole\s*[.[]/.test(code),
  },
  { what: 'has a default export', broken: (_, code) => /\bexport\s+default\b|\bas\s+default\b/.test(code) },
]

/** Every norm that a file breaks, a line each. */
function normProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((source) => {
    const { code } = bareCode(source.text)
    return RULES.filter(({ broken }) => broken(source, code)).map(({ what }) => `${source.file} ${what}`)
  })
}

describe('the norms', () => {
  it('hold for every source file', () => {
    expect(normProblems(readSources('src'))).toEqual([])
  })

  it('start the built program only from tests before which it is built', () => {
    const started = readSources('test').filter(({ text }) => /from '(\.\.\/)*support\/(program|media)\.ts'/.test(text))
    const folders = started.map(({ file }) => file.split('/')[0] ?? '')
    expect([...new Set(folders)].filter((folder) => !['package', 'stories', 'web'].includes(folder))).toEqual([])
  })

  it('keep scripts short too', () => {
    expect(readSources('scripts').filter(({ text }) => lineCount(text) > LINES.file)).toEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    ['core/a.ts', `${'//\n'.repeat(300)}const a = 1\n`, 'core/a.ts is too long'],
    ['open.ts', 'const home = process.env.HOME', 'open.ts reads the environment'],
    ['open.ts', `const home = process['env']`, 'open.ts reads the environment'],
    ['open.ts', `import { env } from 'node:process'`, 'open.ts reads the environment'],
    ['surfaces/http/a.ts', `console.log('x')`, 'surfaces/http/a.ts writes to the console'],
    ['text/a.ts', 'export default 1', 'text/a.ts has a default export'],
    ['text/a.ts', 'export { a as default }', 'text/a.ts has a default export'],
  ])('finds in %s what stands in %j', (file, text, problem) => {
    expect(normProblems([{ file, text }])).toEqual([problem])
  })

  it.each([
    ['core/a.ts', `${'//\n'.repeat(299)}const a = 1\n`],
    ['engine/config.ts', 'const home = process.env.HOME'],
    ['surfaces/cli/a.ts', `console.log('x')`],
    ['core/a.ts', '// reads process.env, export default, console.log()'],
    ['core/a.ts', 'const a = process.argv'],
    ['core/a.ts', `const a = 'export default console.log(process.env)'`],
  ])('accepts in %s what stands in %j', (file, text) => {
    expect(normProblems([{ file, text }])).toEqual([])
  })
})
