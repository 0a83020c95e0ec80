import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PARTS } from '../../scripts/prove/parts.ts'
import { lintContainer } from '../../scripts/release/container.ts'
import { releaseNotes } from '../../scripts/release/notes.ts'
import { buildDebian, debianControl, homebrewFormula } from '../../scripts/release/packages.ts'
import { billOfMaterials } from '../../scripts/release/sbom.ts'
import { ROOT } from '../source-files.ts'
import { tree } from '../support/tree.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const manifest = JSON.parse(read('package.json'))

describe('the notes of a release', () => {
  const LOG = '# Changelog\n\n## 0.3.0 (unreleased)\n\n## 0.2.0 (2026-11-23)\n\n- One.\n\n## 0.1.0\n\n- Old.\n'

  it('are the section of its version', () => {
    expect(releaseNotes(LOG, '0.2.0')).toBe('- One.\n')
    expect(releaseNotes(read('CHANGELOG.md'), manifest.version)).toMatch(/^### .+\n\n- /)
  })

  it.each(['0.3.0', '0.2', '9.9.9'])('are refused of %s, of which nothing is said', (version) => {
    expect(() => releaseNotes(LOG, version)).toThrow(`has no section about ${version}`)
  })
})

describe('the container file', () => {
  const own = read('deploy/Containerfile')

  it('has no problem', () => {
    expect(lintContainer(own)).toEqual([])
  })

  it.each([
    ['an image without a version', /node:24-bookworm-slim/g, 'node', 'has no version'],
    ['a stage that is not there', '--from=packed', '--from=other', 'there is no such stage'],
    ['root', 'USER 1000:1000', 'USER root', 'root'],
    ['a shell', 'ENTRYPOINT ["ambit"]', 'ENTRYPOINT ambit', 'signals do not reach'],
    ['scripts of packages', /--ignore-scripts/g, '', 'run their scripts'],
    ['no check of health', 'HEALTHCHECK', '#', 'no HEALTHCHECK'],
  ])('is refused with %s', (_, from, to, problem) => {
    expect(lintContainer(own.replaceAll(from, to)).join()).toContain(problem)
  })
})

describe('the bill of materials', () => {
  const rule = `\n${'-'.repeat(80)}\n\n`
  const lock = { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-AAEC' } } }
  const bom = JSON.parse(
    billOfMaterials(manifest, [`a 1.0.0 (MIT)\n\ntext\n${rule}@b/c 2.0.0 ((MIT OR Zlib))\n`, 'a 1.0.0 (MIT)\n'], lock),
  )

  it('names what the bundles hold, each once, with its licence and hash', () => {
    expect(bom.components).toEqual([
      expect.objectContaining({ purl: 'pkg:npm/%40b/c@2.0.0', licenses: [{ expression: 'MIT OR Zlib' }] }),
      expect.objectContaining({
        purl: 'pkg:npm/a@1.0.0',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: '000102' }],
      }),
    ])
    expect(bom.metadata.component).toMatchObject({ name: 'ambit', version: manifest.version, type: 'application' })
  })
})

describe('packages of systems', () => {
  it('a formula has the address and the checksum of the tarball', () => {
    const formula = homebrewFormula(manifest, 'abc')
    expect(formula).toContain(`/ambit-${manifest.version}.tgz"\n  sha256 "abc"`)
    expect(/desc "([^"]+)"/.exec(formula)?.[1]).toMatch(/^(?!The )[A-Z].{10,78}[^.]$/)
  })

  it('a control file has what dpkg asks for', () => {
    expect(debianControl(manifest, 'arm64', 2048)).toMatch(
      /^Package: ambit\nVersion: .+\nArchitecture: arm64\n(.+\n)*Installed-Size: 2\n/,
    )
  })

  it('a Debian package holds the program and the native part of one processor, the same bytes each time', () => {
    using at = tree({
      'package/LICENSE': 'Apache\n',
      'package/dist/cli/bin.js': '',
      'package/dist/cli/prebuilds/linux-x64.node': 'x',
      'package/dist/cli/prebuilds/linuxmusl-x64.node': 'x',
      'package/dist/cli/prebuilds/linux-arm64.node': 'a',
      'package/dist/cli/prebuilds/darwin-x64.node': 'd',
    })
    const built = ['a.deb', 'b.deb'].map((name) => {
      buildDebian(at.at('package'), at.at(name), { manifest, cpu: 'x64', seconds: 1_700_000_000 })
      return readFileSync(at.at(name))
    })
    expect(built[0]?.equals(built[1] ?? Buffer.of())).toBe(true)
    const list = execFileSync('dpkg-deb', ['-c', at.at('a.deb')], { encoding: 'utf8' })
    expect([...list.matchAll(/prebuilds\/(.+)$/gm)].map(([, name]) => name)).toEqual([
      'linux-x64.node',
      'linuxmusl-x64.node',
    ])
    expect(list).toContain('./usr/bin/ambit -> ../lib/ambit/dist/cli/bin.js')
  })
})

describe('the workflows', () => {
  it.each(['ci', 'release', 'docs', 'weekly'])('%s has few rights, and runs scripts that there are', (name) => {
    const text = read(`.github/workflows/${name}.yml`)
    const { permissions, jobs } = parse(text)
    expect(permissions).toEqual({ contents: 'read' })
    expect(
      Object.values<{ 'timeout-minutes'?: number; needs?: string }>(jobs).every(
        (job) => job['timeout-minutes'] || job.needs,
      ),
    ).toBe(true)
    for (const [, script = ''] of text.matchAll(/npm run (?:-s )?([\w:]+)/g))
      expect(Object.keys(manifest.scripts)).toContain(script)
  })

  it('weekly tries rooms of mutations that there are, and each part of the proof', () => {
    const { jobs } = parse(read('.github/workflows/weekly.yml'))
    const rooms = ['anywhere', 'by-hand', ...readdirSync(join(ROOT, 'src'))]
    expect(rooms).toEqual(expect.arrayContaining(jobs.mutations.strategy.matrix.room))
    expect(jobs.proof.strategy.matrix.part).toEqual(PARTS.map(({ name }) => name))
  })
})
