import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { OWN_PROFILE } from '../../context/profiles.ts'
import { asContextError, ContextError, throwIfAborted, tryToRead } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { REQUIRED_NODE, runsOn } from '../../core/node-version.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { openByDescriptor, systemOpener } from '../../files/confine.ts'
import { isDirectory, proveRoom, statOf } from '../../files/file-version.ts'
import { ownPackage, systemHome } from '../../files/home.ts'
import { networkIsolation } from '../../ingest/extractor.ts'
import { countNoun } from '../../text/counts.ts'
import type { DoctorAnswer, DoctorFinding } from '../config/answers.ts'
import type { Config } from '../config.ts'

/** Settings that the doctor checks. */
export type DoctorConfig = Pick<Config, 'home' | 'file' | 'unknown'>

/** One check. It fails with the error that it throws. */
export type Check = (config: DoctorConfig, run: Run) => DoctorFinding | Promise<DoctorFinding>

const CHECKS: Readonly<Record<string, Check>> = {
  node: nodeVersion,
  ambit: programVersion,
  configuration,
  home,
  git,
  place,
  packages,
  confinement,
  'document readers': documentReaders,
  'temporary files': temporaryFiles,
  clock,
}

/**
 * Checks the machine, the set-up and the current directory, and runs the checks in `others`. A check that throws has
 * failed; the following checks still run.
 *
 * @throws ContextError `cancelled`.
 */
export async function checkMachine(
  config: DoctorConfig,
  run: Run,
  others: Readonly<Record<string, Check>> = {},
): Promise<DoctorAnswer> {
  const checks: DoctorAnswer['checks'][number][] = []
  for (const [name, check] of Object.entries({ ...CHECKS, ...others })) {
    throwIfAborted(run.signal)
    const finding = await runCheck(check, config, run)
    const origin = checks.find(({ status, message }) => status === 'failed' && message === finding.message)
    checks.push({
      name,
      ...(origin ? { status: 'failed', message: `It fails for the same reason: see ${origin.name}.` } : finding),
    })
  }
  return { checks }
}

async function runCheck(check: Check, config: DoctorConfig, run: Run): Promise<DoctorFinding> {
  try {
    return await check(config, run)
  } catch (thrown) {
    throwIfAborted(run.signal)
    const error = asContextError(thrown) ?? thrown
    const message = error instanceof Error ? error.message : String(error)
    return { status: 'failed', message, ...(error instanceof ContextError && error.hint && { hint: error.hint }) }
  }
}

export function ok(message: string): DoctorFinding {
  return { status: 'ok', message }
}

export function doctorWarning(message: string, hint: string): DoctorFinding {
  return { status: 'warning', message, hint }
}

export function doctorFailure(message: string, hint: string): DoctorFinding {
  return { status: 'failed', message, hint }
}

function nodeVersion(): DoctorFinding {
  const facts = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`
  if (runsOn(process.versions.node)) return ok(`${facts}.`)
  return doctorFailure(`${facts}. It needs ${REQUIRED_NODE}`, 'Install Node.js 24.')
}

/** Checks how well the operating system confines the processes that read documents, since a document may take one over. */
function documentReaders(): DoctorFinding {
  const isolation = networkIsolation()
  const files = 'A process that reads documents sees none of your files and starts no program'
  if (isolation.by === 'namespace') return ok(`${files}. It has no network.`)
  const hint = 'On Linux, install util-linux, and allow users to create namespaces.'
  return doctorWarning(`${files}, but it may use the network: ${isolation.why}.`, hint)
}

function programVersion(): DoctorFinding {
  const ambit = ownPackage()
  if (ambit) return ok(`Version ${ambit.version}, in ${ambit.directory}.`)
  return doctorFailure('There is no package.json of ambit above the program.', 'Install it again.')
}

function configuration({ file, unknown }: DoctorConfig): DoctorFinding {
  if (file === undefined) return ok('There is no place for a configuration file: the defaults apply.')
  if (!statOf(file)) return ok(`There is no ${file}: the defaults apply.`)
  if (unknown.length === 0) return ok(`It is in ${file}.`)
  return doctorWarning(`${file} has unknown names: ${unknown.join(', ')}.`, 'Remove them, or correct their spelling.')
}

function home({ home = systemHome() }: DoctorConfig): DoctorFinding {
  if (home === undefined || home === false)
    return doctorWarning('There is no home directory.', 'Set HOME or AMBIT_HOME to an absolute path.')
  if (!isDirectory(home))
    return doctorWarning(`${home} is not a directory.`, 'Set AMBIT_HOME to your home directory, or unset it.')
  const folders = OWN_PROFILE.home.map(({ folder }) => join(home, folder))
  const existing = folders.filter(isDirectory)
  if (existing.length > 0) return ok(`Your own instruction files are looked for in ${existing.join(' and ')}.`)
  return ok(`You have no instruction files of your own: there is neither ${folders.join(' nor ')}.`)
}

/** Time limit for the version of a program, and for the answer of a service, in milliseconds. */
export const ANSWER_LIMIT_MS = 10_000

/**
 * Returns what a program prints for `--version`. Starts it in the directory of Node, so that a program of the same name in the
 * current directory is not found.
 */
export async function readVersion(program: string, signal: AbortSignal | undefined): Promise<string> {
  const options = { cwd: dirname(process.execPath), timeout: ANSWER_LIMIT_MS, windowsHide: true, signal }
  return (await promisify(execFile)(program, ['--version'], options)).stdout
}

async function git(_: DoctorConfig, { signal }: Run): Promise<DoctorFinding> {
  try {
    return ok(`${(await readVersion('git', signal)).trim()}.`)
  } catch {
    const message = 'git does not run: files that were renamed are not recognised.'
    return doctorWarning(message, 'Install git, and put it on the PATH.')
  }
}

async function place({ home }: DoctorConfig, run: Run): Promise<DoctorFinding> {
  const { load } = await import('../../context/load.ts')
  const { root, contextDir, files, contexts, missingRequired } = await load(omitUndefined({ full: false, home }), run)
  const instructions = `${countNoun(contexts.length, 'instruction file')} found`
  const hint = 'Run "ambit init": it writes skeletons of the missing files.'
  if (!contextDir) {
    const message = `There is no .context directory in ${root}; ${instructions}.`
    return contexts.length > 0 ? ok(message) : doctorWarning(message, hint)
  }
  const facts = `${contextDir.path} has ${countNoun(files.length, 'file')}; ${instructions}.`
  if (missingRequired.length === 0) return ok(facts)
  return doctorWarning(`${facts} It lacks ${missingRequired.join(', ')}.`, hint)
}

/** What each optional package is for. */
const USE_OF_PACKAGE: Readonly<Record<string, string>> = {
  '@aws-sdk/client-s3': 'buckets of S3',
  pg: 'PostgreSQL',
  '@ai-sdk/amazon-bedrock': 'models in Bedrock',
  ajv: 'schemas of workflows',
}

/** Says which optional packages are installed, without loading them, and which features are off because packages are missing. */
function packages(): DoctorFinding {
  const names = Object.keys(USE_OF_PACKAGE)
  const installedNames = names.filter((name) => tryToRead(() => findPackageJSON(name, import.meta.url)) !== undefined)
  const missingNames = names.filter((name) => !installedNames.includes(name))
  const features = missingNames.map((name) => `${USE_OF_PACKAGE[name]} (${name})`)
  const groups = { Installed: installedNames, 'Off, since the package is not installed': features }
  const sentences = Object.entries(groups).flatMap(([start, all]) =>
    all.length > 0 ? `${start}: ${all.join(', ')}.` : [],
  )
  const hint = `To turn one on: npm install -g ${missingNames[0]} (without -g where ambit is installed in a project).`
  return { ...ok(sentences.join(' ')), ...(missingNames.length > 0 && { hint }) }
}

function confinement(): DoctorFinding {
  if (systemOpener() === openByDescriptor)
    return ok('Ambit opens a file first, and then checks its location with /proc/self/fd.')
  const fallback = 'Ambit checks the real path of a file before and after it opens it'
  if (process.platform !== 'linux') return ok(`${fallback}.`)
  return doctorWarning(`${fallback}: there is no /proc/self/fd.`, 'Mount /proc for the safer check.')
}

function temporaryFiles(): DoctorFinding {
  proveRoom(tmpdir())
  return ok(`${tmpdir()} can be written.`)
}

/** Maximum difference between the clock and the time of a new file, in milliseconds. */
const MAX_SKEW_MS = 60_000

function clock(): DoctorFinding {
  const skew = Math.round(readTimeOfNewFile() - Date.now())
  if (Math.abs(skew) <= MAX_SKEW_MS) return ok('The clock agrees with the times of new files.')
  const message = `A file just written is stamped ${Math.round(skew / 1000)} seconds from now.`
  return doctorWarning(message, 'Set the clock: Ambit detects changed files by their times.')
}

/** The modification time of a new file, in milliseconds since 1970. */
function readTimeOfNewFile(): number {
  const file = join(tmpdir(), `ambit-doctor-${randomUUID()}`)
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return statSync(file).mtimeMs
  } finally {
    rmSync(file, { force: true })
  }
}
