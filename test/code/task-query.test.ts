import { expect, it } from 'vitest'
import { parseTask } from '../../src/code/task-query.ts'

it('a task has no comment of its template, unless that is never closed', () => {
  expect(parseTask('<!-- src/a.ts -->src/b.ts<!-- src/c.ts --> <!-- src/d.ts').paths).toEqual(['src/b.ts', 'src/d.ts'])
})
