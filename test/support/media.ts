import { spawnSync } from 'node:child_process'
import { BIN } from './program.ts'

/** What shell lines print on a disk of their own, one text a line of the shell; `ambit` and `node` are the ones tested here. */
export function onMedium(prepare: string, base: string, commands: readonly string[]): string[] {
  const programs = `node() { "${process.execPath}" "$@"; }; ambit() { node "${BIN}" "$@"; }`
  const lines = commands.map((command) => `echo "@@"; ${command} 2>&1`)
  const script = [`set +e; ${prepare}`, programs, `export HOME="${base}"; cd "${base}"`, ...lines].join('\n')
  const { stdout } = spawnSync('unshare', ['--mount', 'sh', '-c', script], { encoding: 'utf8', cwd: base })
  return stdout.split('@@\n').slice(1)
}

/** The directory takes no writes any more. */
export const readOnly = (base: string) => `mount --bind "${base}" "${base}" && mount -o remount,bind,ro "${base}"`

/** The data of the user there are on a small disk that is full. */
export const fullDisk = (base: string) =>
  `cp -r "${base}/.local" "${base}/kept" && mount -t tmpfs -o size=4m tmpfs "${base}/.local" && cp -r "${base}/kept/." "${base}/.local" && cat /dev/zero > "${base}/.local/ballast" 2>/dev/null`
