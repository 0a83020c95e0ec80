import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { canMount } from '../reliability/small-disk.ts'
import { fullDisk, onMedium, readOnly } from '../support/media.ts'
import { ambit, BIN, SHARED_ENV } from '../support/program.ts'
import { type Tree, tree } from '../support/tree.ts'

function indexed(): Tree {
  const at = tree({ 'docs/a.md': '# Hi\n' })
  for (const args of [['collection', 'add', 'docs', 'docs'], ['index']]) ambit(args, { cwd: at.base })
  return at
}

it.skipIf(!canMount())('a database on a read-only medium is read, and refuses what would write', () => {
  using at = indexed()
  expect(
    onMedium(readOnly(at.base), at.base, ['ambit search hi --json', 'ambit get docs/a.md', 'ambit context add docs A']),
  ).toEqual([
    expect.stringContaining('"uri":"ambit://docs/a.md"'),
    '# Hi\n',
    expect.stringMatching(/^ambit: The database .* may not be written\.\n/),
  ])
})

it.skipIf(!canMount())('a full disk is told by "ambit doctor"', () => {
  using at = indexed()
  const [checks = ''] = onMedium(fullDisk(at.base), at.base, ['ambit doctor --json'])
  const database = JSON.parse(checks).checks.find(({ name }: { name: string }) => name === 'database')
  expect(database).toMatchObject({ status: 'failed', message: 'No space is left on the disk (ENOSPC).' })
})

/** Starts a server, prints the status of its two signs, and ends it. */
const ASK_SIGNS = `
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
const server = spawn(process.execPath, [process.argv[2], 'serve', '--port', '0', '--json'])
const [line] = await once(createInterface(server.stdout), 'line')
for (const path of ['healthz', 'readyz']) {
  const answer = await fetch(new URL(path, JSON.parse(line).url))
  const { detail } = await answer.json()
  console.log(path, answer.status, detail ?? '')
}
server.kill()
`

it.skipIf(!canMount())('a full disk is told by /readyz, and the server lives', () => {
  using at = indexed()
  at.plant({ 'ask-signs.mjs': ASK_SIGNS })
  const [signs] = onMedium(fullDisk(at.base), at.base, [`node ask-signs.mjs "${BIN}"`])
  expect(signs).toBe('healthz 200 \nreadyz 503 The disk of the database is full.\n')
})

it('a limit of open files is told as one', () => {
  using at = tree({ 'docs/a.md': '# Hi\n' })
  ambit(['collection', 'add', 'docs', 'docs'], { cwd: at.base })
  const script = `ulimit -n 23; exec "${process.execPath}" "${BIN}" search hi`
  const env = { ...SHARED_ENV, HOME: at.base }
  const { stderr, status } = spawnSync('sh', ['-c', script], { cwd: at.base, encoding: 'utf8', env })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^ambit: .*\(EMFILE\)\.\nRaise the limit/)])
})
