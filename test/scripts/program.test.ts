import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { apart } from '../../scripts/program.ts'
import { ROOT } from '../source-files.ts'

/** What a file of this directory becomes, or what is wrong with it. */
async function built(directory: string, contents: string) {
  const stdin: BuildOptions['stdin'] = { contents, resolveDir: join(ROOT, directory), loader: 'ts' }
  const common = { bundle: true, format: 'cjs', platform: 'node', write: false, logLevel: 'silent' } as const
  const { outputFiles } = await build({ ...common, stdin, plugins: [apart('./lazy')] })
  return outputFiles.map(({ text }) => text).join('')
}

describe('the files of the program', () => {
  it('share one class of errors, whoever imports it', async () => {
    const text = await built('src/core', "import { ContextError } from './errors.ts'\nconsole.log(ContextError)")
    expect(text).toContain('require("./errors.js")')
    expect(await built('src/surfaces/http', "import '../../core/errors.ts'")).toContain('require("./errors.js")')
  })

  it('take no other module for it that is called the same', async () => {
    await expect(built('src/surfaces', "import './errors.ts'")).rejects.toThrow('Could not resolve "./errors.ts"')
    await expect(built('src', "import './text/core/errors.ts'")).rejects.toThrow('Could not resolve')
  })

  it('are apart by what they are, not by what they are called', async () => {
    expect(await built('src', "import('./context/check.ts')")).toContain('("./lazy/check.js")')
    const other = built('src/stores/sqlite', "import('./check.ts')")
    await expect(other).rejects.toThrow('./check.ts is neither in APART nor in TOGETHER')
  })
})
