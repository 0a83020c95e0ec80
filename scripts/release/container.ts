/** The container image. Its file is linted, and the image is built if a builder runs here. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const FILE = 'deploy/Containerfile'
/** The arguments of each builder. Podman keeps a HEALTHCHECK only in Docker's format. */
const BUILDERS = { podman: ['build', '--format', 'docker'], docker: ['build'] }

/** The problems of a container file, a sentence each. */
export function lintContainer(text: string): string[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  const stages = values('FROM').map((from) => / AS (\S+)$/i.exec(from)?.[1])
  const isExec = (value: string) => /^\[\s*"/.test(value)
  const problems = [
    ...values('FROM')
      .filter((from) => !/^\S+:\S*\d\S*|^\S+@sha256:/.test(from))
      .map((from) => `FROM ${from}: the image has no version.`),
    ...values('COPY')
      .flatMap((copy) => /--from=(\S+)/.exec(copy)?.[1] ?? [])
      .filter((stage) => !stages.includes(stage))
      .map((stage) => `COPY --from=${stage}: there is no such stage.`),
    ...[...values('ENTRYPOINT'), ...values('CMD')]
      .filter((value) => !isExec(value))
      .map((value) => `${value}: signals do not reach a program that a shell starts.`),
    ...values('RUN')
      .filter((run) => /npm (ci|install)/.test(run) && !run.includes('--ignore-scripts'))
      .map((run) => `${run.slice(0, 60)}: packages run their scripts.`),
  ]
  if (values('ADD').length > 0) problems.push('ADD fetches and unpacks: use COPY.')
  if (!/^[1-9]\d*(:[1-9]\d*)?$/.test(values('USER').at(-1) ?? ''))
    problems.push('It runs as root, or as a user by name: set USER to numbers.')
  for (const name of ['HEALTHCHECK', 'ENTRYPOINT', 'STOPSIGNAL'])
    if (values(name).length === 0) problems.push(`It has no ${name}.`)
  return problems
}

/** Builds the image, or says why the file was only linted. @throws Error if the file has problems */
export function checkContainer(version: string): string {
  const problems = lintContainer(readFileSync(FILE, 'utf8'))
  if (problems.length > 0) throw new Error(`${FILE}: ${problems.join(' ')}`)
  const found = Object.entries(BUILDERS).find(([name]) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0)
  if (found === undefined) return `container image: ${FILE} is linted; no builder runs here`
  const [builder, build] = found
  const tag = `ambit:${version}`
  execFileSync(builder, [...build, '-f', FILE, '-t', tag, '.'], { stdio: 'inherit' })
  const said = execFileSync(builder, ['run', '--rm', tag, '--version'], { encoding: 'utf8' }).trim()
  if (said !== version) throw new Error(`The image is ${said}, and not ${version}.`)
  return `container image: ${tag}, built by ${builder}`
}
