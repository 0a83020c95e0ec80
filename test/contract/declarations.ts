/** The public types of the library as text, from the declarations that the compiler makes of it. */

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ROOT } from '../source-files.ts'
import { tree } from '../support/tree.ts'

/** What the library exports: declarations without comments, in alphabetical order. Names of files are in none of it. */
export function publicTypes(): string {
  using output = tree({})
  const index = isBuilt() ? join(ROOT, 'dist/index.d.ts') : declaredIn(output.base)
  const exported = [...importedIn(withoutComments(readFileSync(index, 'utf8')), index).values()]
  return `${exported.map(declarationOf).toSorted().join('\n')}\n`
}

/** Whether the build is younger than all sources: it has made the declarations. */
function isBuilt(): boolean {
  const timeOf = (file: string) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const built = timeOf('dist/.inputs')
  return globSync('src/**/*.ts', { cwd: ROOT }).every((file) => timeOf(file) < built)
}

/** Makes the declarations; gives the file of the library. */
function declaredIn(directory: string): string {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const options = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', directory]
  execFileSync(process.execPath, [compiler, ...options], { cwd: ROOT, stdio: 'inherit' })
  return join(directory, 'index.d.ts')
}

interface Import {
  readonly file: string
  readonly name: string
}

/** By the name that is used here: what is imported or exported from other files of the library. */
function importedIn(text: string, file: string): ReadonlyMap<string, Import> {
  const statements = text.matchAll(/(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']*)'/g)
  const entries = [...statements].flatMap(([, names = '', from = '']) =>
    names.split(',').flatMap((each) => {
      const [name = '', as = name] = each
        .trim()
        .replace(/^type /, '')
        .split(/ as /)
      const at = join(dirname(file), from).replace(/\.(?:ts|js)$/, '.d.ts')
      return name === '' ? [] : [[as, { file: at, name }] as const]
    }),
  )
  return new Map(entries)
}

/** All its overloads, and the schema that a type is derived from. What a file only passes on is declared where it comes from. */
function declarationOf({ file, name }: Import): string {
  const text = withoutComments(readFileSync(file, 'utf8'))
  const declaration = declarationsIn(text).filter((each) => nameOf(each) === name)
  const next = importedIn(text, file).get(name)
  const [, schema] = /= AnswerOf<typeof (\w+)>/.exec(declaration[0] ?? '') ?? []
  if (schema !== undefined) declaration.push(...declarationsIn(text).filter((each) => constantOf(each) === schema))
  if (declaration.length > 0) return declaration.join('\n')
  if (next) return declarationOf(next)
  throw new Error(`${file} declares no ${name}.`)
}

function nameOf(declaration: string): string | undefined {
  return /^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type) (\w+)/.exec(declaration)?.[1]
}

function constantOf(declaration: string): string | undefined {
  return /^(?:export )?declare const (\w+)/.exec(declaration)?.[1]
}

/** The statements of a file: what begins at the margin goes on until the next that does. */
function declarationsIn(text: string): string[] {
  return text.split(/\n(?=(?:export|declare|import|interface|type) )/).map((each) => each.trim())
}

function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '').replaceAll(/^\s*\/\/.*\n/gm, '')
}
