import { describe, expect, it } from 'vitest'
import { importsOf, readSources } from './source-files.ts'

const sources = new Map(readSources('src').map((file) => [file.file, file]))

/** All that a file can ever load of ours, dynamic imports too. */
function reachedBy(start: string): string[] {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const source = sources.get(file)
    if (source) for (const target of importsOf(source)) visit(target)
  }
  visit(start)
  return [...seen]
}

describe('the library', () => {
  it('can reach no command line and no operation; the database only by open', () => {
    const rooms = new Set(reachedBy('index.ts').map((file) => file.split('/')[0]))
    for (const room of ['surfaces', 'operations', 'main.ts']) {
      expect(rooms, room).not.toContain(room)
    }
  })
})
