import { describe, expect, it } from 'vitest'
import { ProjectFiles } from '../../../src/context/catalog/project-files.ts'
import { type Project, project } from '../../support/workspace.ts'

const SHAPE = {
  'README.md': '# Root\n\nTwo.\nThree.\n',
  'src/a.ts': 'const a = 1\n',
  'src/empty.txt': '',
  'src/b.bin': Uint8Array.of(0, 1, 2),
  'src/.env': 'KEY=1\n',
  '.git/config': '[remote]\n',
  'hidden.md': 'A\u202eB\n',
  '../beside/secret.txt': 'Beside.\n',
  'out.txt -> /beside/secret.txt': '',
  'in.md -> README.md': '',
  'keys.txt -> src/.env': '',
}

function within<Value>(work: (files: ProjectFiles, planted: Project) => Value): Value {
  using planted = project(SHAPE)
  return work(new ProjectFiles(planted.file('src')), planted)
}

describe('files beside collections', () => {
  it.each([
    ['from where the person stands', 'a.ts', undefined, 'const a = 1\n', [1, 1, 1]],
    ['by its lines', '../README.md', '3-4', 'Two.\nThree.', [3, 4, 4]],
    ['by its last lines', '../README.md', '4-', 'Three.', [4, 4, 4]],
    ['by one line', '../README.md', '1', '# Root', [1, 1, 4]],
    ['by more lines than there are', '../README.md', '4-99', 'Three.', [4, 4, 4]],
    ['through a link that stays inside', '../in.md', '1', '# Root', [1, 1, 4]],
    ['that is empty', 'empty.txt', undefined, '', [0, 0, 0]],
    ['without what is not seen', '../hidden.md', undefined, expect.not.stringMatching(/\u202e/), [1, 1, 1]],
  ])('are read %s', (_, path, lines, text, [start, end, total]) => {
    within((files, planted) => {
      const read = files.read(path, lines)
      expect(read).toMatchObject({ text, lines: { start, end, total } })
      expect(read.path.startsWith(planted.root)).toBe(true)
    })
  })

  it.each([
    ['that is not there', 'none.ts', 'not-found'],
    ['outside of the project', '../../beside/secret.txt', 'denied'],
    ['outside by an absolute path', '/etc/hostname', 'denied'],
    ['outside by a link', '../out.txt', 'denied'],
    ['that is a secret by its name', '.env', 'denied'],
    ['that is a secret behind a link', '../keys.txt', 'denied'],
    ['of git', '../.git/config', 'denied'],
    ['that is not text', 'b.bin', 'invalid-input'],
    ['that is a directory', '.', 'invalid-input'],
    ['in the home directory', '~/notes.md', 'not-found'],
  ])('are refused: one %s', (_, path, code) => {
    within((files) => expect(() => files.read(path)).toThrow(expect.objectContaining({ code })))
  })

  it.each(['0', '9', '2-1', 'a', '1-2-3', ''])('have no lines %j', (lines) => {
    within((files) =>
      expect(() => files.read('../README.md', lines)).toThrow(expect.objectContaining({ code: 'invalid-input' })),
    )
  })

  it('are listed by name, without secrets', () => {
    within((files) => {
      expect(files.list('.').entries).toEqual([
        { name: 'a.ts', kind: 'file' },
        { name: 'b.bin', kind: 'file' },
        { name: 'empty.txt', kind: 'file' },
      ])
      const { entries } = files.list('..')
      expect(entries.map(({ name }) => name)).toEqual(['README.md', 'hidden.md', 'in.md', 'keys.txt', 'out.txt', 'src'])
      expect(() => files.list('../..')).toThrow(expect.objectContaining({ code: 'denied' }))
      expect(() => files.list('nowhere')).toThrow(expect.objectContaining({ code: 'not-found' }))
    })
  })

  it('are given as bytes up to a limit', () => {
    within((files) => {
      expect([...files.bytes('b.bin', 3).bytes]).toEqual([0, 1, 2])
      expect(() => files.bytes('b.bin', 2)).toThrow(expect.objectContaining({ code: 'over-limit' }))
      expect(() => files.bytes('../keys.txt', 100)).toThrow(expect.objectContaining({ code: 'denied' }))
      expect(() => files.bytes('../out.txt', 100)).toThrow(expect.objectContaining({ code: 'denied' }))
    })
  })

  it('are none of a directory of the system', () => {
    expect(() => new ProjectFiles('/etc')).toThrow(expect.objectContaining({ code: 'denied' }))
    expect(() => new ProjectFiles('/nowhere/at/all')).toThrow(expect.objectContaining({ code: 'not-found' }))
  })
})
