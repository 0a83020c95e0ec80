/** @module-tag long */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../source-files.ts'

const run = promisify(execFile)

/** Where the package is installed alone, as a stranger would. */
let folder: string
/** The packed files, by path. */
let packed: string[]

const env = () => ({
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NO_COLOR: '1',
})

async function inFolder(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(program, args, { cwd: folder, env: env() })
  return stdout
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambit-pack-'))
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: ROOT, env: env() })
  const result = JSON.parse(stdout)
  // npm 12 names the package where older ones give a list.
  const [{ filename, files }] = Object.values<{ filename: string; files: { path: string }[] }>(result) as [
    { filename: string; files: { path: string }[] },
  ]
  packed = files.map(({ path }) => path)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await inFolder('npm', 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the tarball', () => {
  const ALLOWED = [
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
    /^dist\/(?!cli\/)(?:[\w/-]+|research\/prompts\/\w+\.system)(\.js|\.d\.ts)$/,
    /^dist\/cli\/(bin|main|quick-main|errors|lazy\/[\w-]+)\.js$/,
    /^dist\/cli\/package\.json$/,
    /^dist\/cli\/prebuilds\/(darwin|linux|linuxmusl)-(arm64|x64)\.node$/,
    /^dist\/cli\/THIRD-PARTY-NOTICES\.txt$/,
    /^dist\/web\/(index\.html|THIRD-PARTY-NOTICES\.txt|assets\/[\w.-]+\.(m?js|css|svg))(\.br)?$/,
    /^assets\/(models\.json|report-words\.json|word-vectors\.bin|(chinese-words|completion|shop|skeletons)\.txt|opencode-plugin\.js)$/,
    /^docs\/schemas\/[\w.-]+\.json$/,
  ]

  it('holds what is on the list, and nothing else', () => {
    expect(packed.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)))).toEqual([])
  })

  // npm warns of each of these, and asks whether the package may run it.
  it('has no script that an installation runs or asks for', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'node_modules/ambit/package.json'), 'utf8'))
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']
    expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([])
  })

  it('holds what a user needs', () => {
    const needed =
      'dist/index.js dist/index.d.ts dist/cli/bin.js dist/web/index.html README.md LICENSE CHANGELOG.md'.split(' ')
    expect(packed).toEqual(expect.arrayContaining(needed))
  })

  it('names no folder of the machine it was built on, and no map of sources', async () => {
    const installed = join(folder, 'node_modules/ambit')
    for (const path of packed) {
      const text = await readFile(join(installed, path), 'utf8')
      expect([path, text.includes(ROOT), text.includes(`${homedir()}/`), text.includes('sourceMappingURL')]).toEqual([
        path,
        false,
        false,
        false,
      ])
    }
  })
})

describe('installed alone, the package', () => {
  it('brings no package that only this repository needs', async () => {
    const installed = await readdir(join(folder, 'node_modules'))
    expect(installed).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(node-linux|@ambit|typescript|vitest|esbuild)/)]),
    )
  })

  it('runs as a program', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(await inFolder('npx', '--no-install', 'ambit', '--version')).toBe(`${version}\n`)
  })

  it('loads the context of a directory', async () => {
    await mkdir(join(folder, 'project/.context'), { recursive: true })
    await writeFile(join(folder, 'project/.context/CONSTITUTION.md'), '# Constitution\n\n- Tests before code.\n')
    expect(await inFolder('npx', '--no-install', 'ambit', 'load', 'project')).toContain('Tests before code.')
  })

  it('serves its web UI', async () => {
    const bin = join(folder, 'node_modules/ambit/dist/cli/bin.js')
    const words = ['--db', join(folder, 'serve.db'), 'serve', '--port', '0', '--json']
    const server = spawn(process.execPath, [bin, ...words], { cwd: join(folder, 'project'), env: env() })
    try {
      const [line] = await once(server.stdout, 'data')
      const { url, token } = JSON.parse(String(line))
      const page = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      const text = await page.text()
      const scripts = [...text.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)].map(([, path]) => path)
      const assets = await Promise.all(
        scripts.map((path) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })),
      )
      expect([page.status, text]).toEqual([200, expect.stringContaining('<div id="root">')])
      expect(new Set(assets.map(({ status }) => status))).toEqual(new Set([200]))
      expect(assets.map(({ headers }) => headers.get('content-encoding'))).toContain('gzip')
    } finally {
      server.kill()
    }
  })

  it('says what buckets need, which it does not bring', async () => {
    const listing = inFolder('npx', '--no-install', 'ambit', 'package', 'list', 's3://bucket', '--db', 'x.db')
    await expect(listing).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'ambit: Buckets of S3 need the package @aws-sdk/client-s3.\nInstall it beside ambit: npm install -g @aws-sdk/client-s3 (without -g where ambit is installed in a project)\n',
      ),
    })
  })

  it('is a library that says what it found', async () => {
    const code = `import { loadContext } from 'ambit'; console.log((await loadContext({ rootDir: 'project' })).contextDir)`
    expect(await inFolder(process.execPath, '--input-type=module', '--eval', code)).toContain('.context')
  })

  it('has types that a strict project accepts', async () => {
    await writeFile(
      join(folder, 'use.mts'),
      `import { loadContext } from 'ambit'\nconst context = await loadContext({ rootDir: '.' })\n` +
        `export const tokens: number = context.tokenCount\n// @ts-expect-error: it is a number\nexport const wrong: string = context.tokenCount\n`,
    )
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--noEmit']
    const target = ['--module', 'nodenext', '--target', 'es2023']
    await inFolder(
      process.execPath,
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...strict,
      ...target,
      ...types,
      'use.mts',
    )
  })
})
