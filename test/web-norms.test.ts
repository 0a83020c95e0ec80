import { describe, expect, it } from 'vitest'
import { bareCode, importsOf, readSources, type SourceFile } from './source-files.ts'

/** What each folder of web/src may import from, besides itself. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  api: [],
  ui: ['api'],
  frame: ['api', 'ui'],
  pages: ['api', 'ui', 'frame'],
  chat: ['api', 'ui', 'frame'],
  'search-params.ts': [],
  'router.tsx': ['frame', 'pages', 'chat', 'ui', 'search-params.ts'],
  'program.tsx': ['api', 'router.tsx'],
  'main.tsx': ['program.tsx', 'theme.css'],
}

/** Pages that others are made of. */
const SHARED = ['descriptions', 'preview', 'Page.tsx', 'IndexButton.tsx']

/** Made by a script, of the OpenAPI document. */
const GENERATED = 'api/schema.ts'

const MOST_LINES = 300

const RULES: readonly (readonly [what: string, broken: RegExp])[] = [
  ['makes HTML', /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\bDOMParser\b/],
  ['runs text', /\beval\s*\(|\bnew\s+Function\b|set(Timeout|Interval)\s*\(\s*"/],
  ['has a default export', /\bexport\s+default\b|\bas\s+default\b/],
  ['writes to the console', /\bconsole\s*[.[]/],
  ['puts a style element into the page', /<style\b|createElement\(\s*"style/],
]

/** Class names that make a column as wide as its content, however wide that is: `stack` is the layout that does not. */
function isCutting(text: string): boolean {
  const isBareGrid = /(?<![\w-])grid(?![\w-])/.test(text) && !/grid-cols-/.test(text)
  const isGrowing = [...text.matchAll(/grid-cols-\[([^\]]*)\]/g)].some(([, columns = '']) =>
    /(?:^|_)[\d.]+fr/.test(columns),
  )
  return isBareGrid || isGrowing
}

function folderOf(file: string): string {
  return file.split('/')[0] ?? file
}

function pageOf(file: string): string {
  return file.split('/')[1] ?? ''
}

function importProblem(file: string, target: string): string | undefined {
  if (
    /^[@\w]/.test(target) &&
    !/^(api|ui|frame|pages|chat)\//.test(target) &&
    !(target in MAY) &&
    target !== 'theme.css'
  )
    return undefined
  const [from, to] = [folderOf(file), folderOf(target)]
  if (from === 'pages' && to === 'pages') {
    const isOwn = pageOf(file) === pageOf(target) || SHARED.includes(pageOf(target))
    return isOwn ? undefined : `${file} imports another page: ${target}`
  }
  return from === to || MAY[from]?.includes(to) ? undefined : `${file} imports ${target}`
}

/** Everything that is wrong with the sources of the web UI, a line each. */
function problemsOf(files: readonly SourceFile[]): string[] {
  return files.flatMap((source) => {
    const { file, text } = source
    const { code, strings } = bareCode(text)
    const all = `${code}\n${strings.filter((each) => each.startsWith('`')).join('\n')}`
    const long = file !== GENERATED && text.split('\n').length - 1 > MOST_LINES ? [`${file} is too long`] : []
    const broken = RULES.filter(([, pattern]) => pattern.test(all)).map(([what]) => `${file} ${what}`)
    const cutting = file.endsWith('.tsx')
      ? strings.filter(isCutting).map((each) => `${file} has a column as wide as its content: ${each}`)
      : []
    const imports = importsOf(source).flatMap((target) => importProblem(file, target) ?? [])
    return [...long, ...broken, ...cutting, ...imports]
  })
}

describe('the sources of the web UI', () => {
  it('keep the norms, and import only what lies below them', () => {
    const files = readSources('web/src')
    expect(files.length).toBeGreaterThan(40)
    expect(problemsOf(files)).toEqual([])
  })

  it.each([
    ['ui/A.tsx', 'export const A = () => <p dangerouslySetInnerHTML={{ __html: a }} />'],
    ['ui/a.ts', 'element.innerHTML = a'],
    ['ui/a.ts', 'element.insertAdjacentHTML(where, a)'],
    ['ui/a.ts', 'eval(a)'],
    ['ui/a.ts', `setTimeout('a()')`],
    ['ui/a.ts', 'export default 1'],
    ['ui/a.ts', 'console.log(1)'],
    ['ui/A.tsx', 'export const A = () => <style>{a}</style>'],
    ['ui/A.tsx', `export const A = () => <p className="grid gap-2" />`],
    ['ui/A.tsx', `export const A = () => <p className={cn('p-2 lg:grid')} />`],
    ['ui/A.tsx', `export const A = () => <p className="grid grid-cols-[max-content_1fr]" />`],
    ['ui/a.ts', `${'//\n'.repeat(300)}const a = 1\n`],
    ['api/a.ts', `import { B } from '../ui/B.tsx'`],
    ['ui/A.tsx', `import { B } from '../frame/B.tsx'`],
    ['frame/A.tsx', `import { B } from '../pages/home/B.tsx'`],
    ['pages/home/A.tsx', `import { B } from '../search/B.tsx'`],
    ['pages/home/A.tsx', `const b = await import('../search/B.tsx')`],
  ])('would be found out in %s: %j', (file, text) => {
    expect(problemsOf([{ file, text }])).toHaveLength(1)
  })

  it.each([
    ['pages/home/A.tsx', `import { Page } from '../Page.tsx'\nimport { Describe } from '../descriptions/Describe.tsx'`],
    ['pages/home/A.tsx', `import { useState } from 'react'\nimport { B } from './B.tsx'`],
    ['ui/A.tsx', `import { Failure } from '../api/call.ts'`],
    ['ui/a.ts', '// innerHTML, eval(), console.log()'],
    ['ui/a.ts', 'setTimeout(() => a(), 1)'],
    ['ui/A.tsx', `export const A = () => <p className="stack gap-2 grid-flow-row" />`],
    ['ui/A.tsx', `export const A = () => <p className="grid grid-cols-[max-content_minmax(0,1fr)]" />`],
  ])('are as they should be in %s with %j', (file, text) => {
    expect(problemsOf([{ file, text }])).toEqual([])
  })
})
