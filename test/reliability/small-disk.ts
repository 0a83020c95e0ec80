import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { done } from './store-process.ts'

/** What a program mounts then is seen by it alone, and gone with it. */
export const ALONE = ['unshare', '--mount']

/** What the program says of a database before there is room, and after. */
type Told = readonly [before: string[], after: string[]]

/** On a small disk that only the program sees; where nobody may mount one, with a limit on the size of files. */
export function onFullDisk(path: string): Promise<Told> {
  return canMount() ? onSmallDisk(path) : withSmallFiles(path)
}

/** Whether a program may be given a disk of its own. */
export function canMount(): boolean {
  const [command = '', ...args] = ALONE
  const at = mkdtempSync(join(tmpdir(), 'ambit-disk-'))
  try {
    execFileSync(command, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', at], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(at, { recursive: true })
  }
}

/** On a disk of 12 MiB, of which 11 are taken, and then free. */
async function onSmallDisk(path: string): Promise<Told> {
  const disk = join(path, '..', 'disk')
  mkdirSync(disk)
  const script = `mount -t tmpfs -o size=12m tmpfs ${disk} && cp ${path} ${disk} && head -c 11m /dev/zero > ${disk}/ballast && exec "$0" "$@"`
  const given = { db: join(disk, 'ambit.db'), ballast: join(disk, 'ballast') }
  const lines = await done('use', given, [...ALONE, 'sh', '-c', script])
  return [lines.slice(0, 4), lines.slice(4)]
}

/** With a limit on how large a file may grow, and then without. */
async function withSmallFiles(path: string): Promise<Told> {
  const limited = await done('use', { db: path }, ['sh', '-c', 'ulimit -f 1024 && exec "$0" "$@"'])
  const [, added = '', , ...after] = await done('use', { db: path })
  return [limited.slice(0, 4), [added, ...after]]
}
