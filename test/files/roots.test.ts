import { mkdirSync, mkdtempSync, realpathSync, rmdirSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ContextError } from '../../src/core/errors.ts'
import { openRoot } from '../../src/files/disk.ts'
import { own } from '../support/own.ts'
import { plantTree } from './fixtures.ts'

const tree = own(plantTree())
const { base, root: path } = tree

symlinkSync('nowhere', join(path, 'dangling'))
symlinkSync('AGENTS.md', join(path, 'link-to-file'))
symlinkSync('loop', join(path, 'loop'))
symlinkSync('docs', join(path, 'link-to-directory'))

function codeOf(asked: string): string {
  try {
    openRoot(asked)
    return 'opened'
  } catch (error) {
    return error instanceof ContextError ? error.code : String(error)
  }
}

describe('a root', () => {
  it.each([
    ['not-found', 'absent'],
    ['not-found', 'AGENTS.md/child'],
    ['not-found', 'dangling'],
    ['invalid-input', 'AGENTS.md'],
    ['invalid-input', 'link-to-file'],
    ['invalid-input', 'loop'],
    ['invalid-input', 'a'.repeat(300)],
    ['invalid-input', 'nul\0'],
    ['invalid-input', '\ud800'],
    ['opened', 'docs'],
    ['opened', 'link-to-directory'],
    ['opened', '..'],
    ['opened', '../outside'],
  ])('gives %s for %j', (code, name) => {
    expect(codeOf(`${path}/${name}`)).toBe(code)
  })

  it('is not the empty path', () => {
    expect(codeOf('')).toBe('invalid-input')
  })

  it('may be relative to the current directory, and is normalised', () => {
    expect(openRoot(relative(process.cwd(), path)).path).toBe(path)
    expect(openRoot(`${base}/absent/..//proj/`).path).toBe(path)
  })

  it('may be the home directory', () => {
    expect(codeOf(homedir())).toBe('opened')
  })

  it('that is gone later is missing, not an error', () => {
    mkdirSync(join(base, 'brief'))
    const brief = openRoot(join(base, 'brief'))
    rmdirSync(join(base, 'brief'))
    expect(brief.read('AGENTS.md')).toMatchObject({ ok: false, why: 'missing' })
    expect(brief.list('.')).toMatchObject({ ok: false, why: 'missing' })
    expect(brief.version('.')).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('a directory of the operating system', () => {
  it.each(
    (
      '/ // /. /tmp/.. /etc /etc/ /etc/ssl /proc /proc/self /proc/self/cwd /proc/self/root /sys /sys/kernel ' +
      '/dev /dev/shm /dev/fd/0 /boot /run /run/lock /run/user /var/run /usr /usr/bin /usr/share/doc ' +
      '/usr/local /usr/src /bin /sbin /lib /lib64 /lib/x /var'
    ).split(' '),
  )('is denied as a root: %s', (asked) => {
    expect(codeOf(asked)).toBe('denied')
  })

  it.each(['/', '/etc', '/proc/self', '/usr/bin', '/var'])('is denied behind a link: %s', (target) => {
    const link = join(base, `to${target.replaceAll('/', '-')}`)
    symlinkSync(target, link)
    expect(codeOf(link)).toBe('denied')
  })

  it('says what to do instead', () => {
    expect(() => openRoot('/etc')).toThrow(expect.objectContaining({ hint: expect.stringContaining('project') }))
  })

  it.each(['/home/x', '/root/x', '/srv/x', '/opt/x', '/mnt/x', '/media/x', '/var/www/x', '/var/tmp/x', '/var/lib/x'])(
    'is not a neighbour of %s, which only does not exist',
    (asked) => expect(codeOf(`${asked}-of-nobody`)).toBe('not-found'),
  )

  it.each(['/etcetera', '/libs', '/devel', '/users/x', '/usr/src/app-x', '/usr/local/x-y', '/run/user/x', '/binary'])(
    'is compared by segment: %s is none',
    (asked) => expect(codeOf(asked)).toBe('not-found'),
  )

  it.each(['/tmp', '/var/tmp', '/dev/shm'])('is not what lies in %s', (directory) => {
    const inside = mkdtempSync(join(directory, 'ambit-root-'))
    expect(codeOf(inside)).toBe('opened')
    rmdirSync(inside)
  })

  it('may be opened by those who ask for it, and then confines too', () => {
    const everything = openRoot('/', { allowSystem: true })
    expect(everything.read('etc/passwd').ok).toBe(true)
    expect(everything.read('/etc/passwd')).toMatchObject({ path: '/etc/passwd', realPath: realpathSync('/etc/passwd') })
    expect(everything.list('/').ok).toBe(true)
    const etc = openRoot('/etc', { allowSystem: true })
    expect(etc.read('passwd').ok).toBe(true)
    expect(etc.read('../proc/self/environ')).toMatchObject({ ok: false, why: 'denied' })
  })
})
