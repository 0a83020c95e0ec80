/** Builds a Debian package, and writes a Homebrew formula. */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The fields of package.json that packages need. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly homepage: string
  readonly engines: { readonly node: string }
}

/** The names of processors in Debian, by those of Node. */
export const DEBIAN_CPUS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The control file. If Debian's own Node is too old, the package does not install, and says so. */
export function debianControl({ name, version, description, homepage }: Manifest, cpu: string, bytes: number): string {
  const lines = [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${cpu}`,
    'Section: utils',
    'Priority: optional',
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    'Depends: nodejs (>= 22.22)',
    'Recommends: git',
    `Maintainer: The ${name} authors <noreply@users.noreply.github.com>`,
    `Homepage: ${homepage}`,
    `Description: ${description.replace(/\.$/, '')}`,
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Builds the package for one processor. `folder`: the unpacked npm package. `seconds`: the time of all files, so that builds are
 * equal.
 */
export function buildDebian(
  folder: string,
  to: string,
  about: { manifest: Manifest; cpu: string; seconds: number },
): void {
  const { manifest, cpu, seconds } = about
  const root = mkdtempSync(join(tmpdir(), 'ambit-debian-'))
  const home = join(root, 'usr/lib/ambit')
  mkdirSync(dirname(home), { recursive: true })
  cpSync(folder, home, { recursive: true })
  for (const file of globSync('dist/cli/prebuilds/*', { cwd: home }))
    if (!new RegExp(`/linux(musl)?-${cpu}\\.node$`).test(file)) rmSync(join(home, file))
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  symlinkSync('../lib/ambit/dist/cli/bin.js', join(root, 'usr/bin/ambit'))
  const documents = join(root, 'usr/share/doc/ambit')
  mkdirSync(documents, { recursive: true })
  copyFileSync(join(home, 'LICENSE'), join(documents, 'copyright'))
  const bytes = Number(execFileSync('du', ['-sb', root], { encoding: 'utf8' }).split('\t')[0])
  mkdirSync(join(root, 'DEBIAN'))
  writeFileSync(join(root, 'DEBIAN/control'), debianControl(manifest, DEBIAN_CPUS[cpu] ?? cpu, bytes))
  chmodSync(root, 0o755)
  for (const path of globSync('**/*', { cwd: root }))
    if (path !== 'usr/bin/ambit') utimesSync(join(root, path), seconds, seconds)
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) }
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', root, to], { env, stdio: 'pipe' })
  rmSync(root, { recursive: true })
}

/** The text before the first colon. Homebrew takes at most 80 characters, without an article and a full stop. */
function shortDescription(description: string): string {
  const [first = ''] = description.replace(/\.$/, '').replace(/^The /, '').split(':')
  return first.charAt(0).toUpperCase() + first.slice(1, 79)
}

/** The formula for a tap. `sha256`: hash of the tarball. */
export function homebrewFormula({ name, version, description, license, homepage }: Manifest, sha256: string): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return `class ${title} < Formula
  desc "${shortDescription(description)}"
  homepage "${homepage}"
  url "https://registry.npmjs.org/${name}/-/${name}-${version}.tgz"
  sha256 "${sha256}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${name} --version")
    (testpath/".context").mkpath
    (testpath/".context/CONSTITUTION.md").write("# Constitution\\n\\n- Tests first.\\n")
    assert_match "Tests first.", shell_output("#{bin}/${name} load .")
  end
end
`
}
