import { spawnSync } from 'node:child_process'
import { BIN } from './program.ts'

/** What the program says on a disk of its own: the words of each command, and what came of them. */
export function onMedium(prepare: string, base: string, commands: readonly string[]): string[] {
  const program = `"${process.execPath}" "${BIN}"`
  const lines = commands.map((command) => `echo "@@"; ${program} ${command} 2>&1`)
  const script = [`set +e; ${prepare}`, `export HOME="${base}"; cd "${base}"`, ...lines].join('\n')
  const { stdout } = spawnSync('unshare', ['--mount', 'sh', '-c', script], { encoding: 'utf8', cwd: base })
  return stdout.split('@@\n').slice(1)
}

/** The directory takes no writes any more. */
export const readOnly = (base: string) => `mount --bind "${base}" "${base}" && mount -o remount,bind,ro "${base}"`

/** The data of the user there are on a small disk that is full. */
export const fullDisk = (base: string) =>
  `cp -r "${base}/.local" "${base}/kept" && mount -t tmpfs -o size=4m tmpfs "${base}/.local" && cp -r "${base}/kept/." "${base}/.local" && cat /dev/zero > "${base}/.local/ballast" 2>/dev/null`
