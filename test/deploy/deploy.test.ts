/** The files of deploy/, held against what the program knows and what such files must have: no engine of containers ran them. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { operations } from '../../src/operations/index.ts'
import { OWN_COMMANDS } from '../../src/surfaces/cli/own-commands.ts'
import { serveOptions } from '../../src/surfaces/http/options.ts'
import { routeOf } from '../../src/surfaces/http/routes.ts'

const read = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

type Fields = Record<string, unknown>

/** The value at a path of names and numbers; undefined where there is none. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((one, name) => Object(one)[name], value)
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const texts = (value: unknown): string[] => list(value).map(String)
const fields = (value: unknown): Fields => Object(value)

/** Commands that the program has. */
const COMMANDS = new Set([
  ...operations.map(({ name, command = name }) => command),
  ...OWN_COMMANDS.map(({ name }) => name),
])

/** What is wrong with the words after the program's name. */
function wordProblems([command = '', ...words]: readonly string[]): string[] {
  if (!COMMANDS.has(command)) return [`There is no command ${command}`]
  try {
    if (command === 'serve') serveOptions(words)
    else if (words.length > 0) return [`${command} is given words`]
    return []
  } catch (error) {
    return [String(error)]
  }
}

/** Whether an image has a version that is not just the newest. */
const isPinned = (image: string) => /^[\w./-]+:(?!latest$)[\w.-]*\d[\w.-]*$/.test(image)

/** Secrets by what they are called: their values are from elsewhere. */
const SECRET = /TOKEN|PASSWORD|SECRET|ACCESS_KEY|DATABASE_URL/

describe('the container file', () => {
  const lines = read('Containerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

  it('runs a command that there is, as nobody in particular', () => {
    expect(values('ENTRYPOINT')).toEqual(['["ambit"]'])
    expect(wordProblems(JSON.parse(values('CMD').at(-1) ?? '[]'))).toEqual([])
    expect(values('USER').at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(values('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  it('stands on images and packages of a version, runs no scripts of packages, and holds no secret', () => {
    expect(values('FROM').map((from) => isPinned(from.split(' ')[0] ?? ''))).toEqual([true, true])
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const installs = values('RUN').filter((run) => /npm (ci|install)/.test(run))
    for (const run of installs) expect(run).toContain('--ignore-scripts')
    for (const name of ['@aws-sdk/client-s3', 'pg', 'pg-boss'])
      expect(installs.join()).toContain(`${name}@${devDependencies[name]} `)
    expect(values('ENV').concat(values('ARG')).join()).not.toMatch(SECRET)
  })

  it('asks for a route that is there', () => {
    const [check = ''] = lines.filter((line) => line.startsWith('HEALTHCHECK'))
    const path = /7377(\/\w+)/.exec(check)?.[1] ?? ''
    expect(routeOf(path, new Set())).toBe(path)
  })
})

/** What is wrong with a compose file. */
function composeProblems(text: string): string[] {
  const file = parse(text, { merge: true })
  const services = fields(file.services)
  return Object.entries(services).flatMap(([name, service]) => {
    const image = String(at(service, 'image'))
    const isOurs = image.startsWith('ambit:')
    const depends = Object.keys(fields(at(service, 'depends_on'))).filter((one) => !(one in services))
    const volumes = texts(at(service, 'volumes')).map((one) => one.split(':')[0] ?? '')
    const unknown = volumes.filter((one) => !one.startsWith('.') && !(one in fields(file.volumes)))
    const environment = Object.entries(fields(at(service, 'environment')))
    const open = environment.filter(([key, value]) => SECRET.test(key) && !/\$\{\w+:\?[^}]+\}/.test(String(value)))
    const ports = texts(at(service, 'ports')).filter((port) => !port.startsWith('127.0.0.1:'))
    const closed = at(service, 'read_only') === true && texts(at(service, 'cap_drop')).includes('ALL')
    return [
      ...(isPinned(image) ? [] : [`${name}: the image ${image} has no version`]),
      ...(isOurs ? wordProblems(texts(at(service, 'command'))) : []),
      ...(isOurs && !closed ? [`${name} may write, or do what it need not`] : []),
      ...depends.map((one) => `${name} waits for ${one}, which is none`),
      ...unknown.map((one) => `${name} has the volume ${one}, which is none`),
      ...open.map(([key]) => `${name} has ${key} in the file, or lets it be empty`),
      ...ports.map((port) => `${name} listens to the network at ${port}`),
      ...(typeof at(service, 'restart') === 'string' ? [] : [`${name} says not when it starts again`]),
    ]
  })
}

const DOLLAR = '$'

describe('the compose file', () => {
  const text = read('compose.yaml')
  const services = fields(parse(text, { merge: true }).services)

  it('has what it needs, of what there is', () => {
    expect(composeProblems(text)).toEqual([])
    expect(Object.keys(services).sort()).toEqual([
      'api',
      'collector',
      'database',
      'indexer',
      'migrate',
      'objects',
      'worker',
    ])
  })

  it.each(['api', 'worker'])('gives the %s longer to end than it takes', (name) => {
    const { drain } = serveOptions(texts(at(services, name, 'command')).slice(1))
    const seconds = Number(String(at(services, name, 'stop_grace_period')).replace(/s$/, ''))
    expect(seconds * 1000).toBeGreaterThanOrEqual(drain + 10_000)
  })

  it('has a part that answers, and one that does the jobs', () => {
    const roles = ['api', 'worker'].map((name) => serveOptions(texts(at(services, name, 'command')).slice(1)).role)
    expect(roles).toEqual(['api', 'worker'])
  })

  it('opens /metrics to the collector alone, beside the api', () => {
    expect(serveOptions(texts(at(services, 'api', 'command')).slice(1)).openMetrics).toBe(true)
    expect(at(services, 'collector', 'network_mode')).toBe('service:api')
  })

  it.each([
    ['an image without a version', 'postgres:17-bookworm', 'postgres:latest'],
    ['an option that there is none of', '--open-metrics', '--open-all'],
    ['a command that there is none of', 'command: [watch]', 'command: [work]'],
    ['a secret', `${DOLLAR}{AMBIT_TOKEN:?set it to 32 random bytes, such as of openssl rand -hex 32}`, 'hunter2'],
    ['a secret that may be empty', `${DOLLAR}{S3_SECRET_KEY:?set it}`, `${DOLLAR}{S3_SECRET_KEY}`],
    ['a volume that there is none of', '"objects:/data"', '"other:/data"'],
    ['a port for everybody', '127.0.0.1:7377:7377', '7377:7377'],
    ['a service that is waited for and is none', '      database: { condition', '      postgres: { condition'],
    ['a disk that may be written', 'read_only: true', 'read_only: false'],
  ])('would not pass with %s', (_, what, instead) => {
    expect(text).toContain(what)
    expect(composeProblems(text.replace(what, instead))).not.toEqual([])
  })
})

const WORKLOADS = ['Deployment', 'StatefulSet', 'Job']

/** What is wrong with resources of Kubernetes that belong together. */
function kubernetesProblems(text: string): string[] {
  const all = parseAllDocuments(text).map((document) => document.toJS())
  const labelsOf = (one: unknown) => fields(at(one, 'spec', 'template', 'metadata', 'labels'))
  const matches = (selector: unknown, one: unknown) =>
    Object.entries(fields(selector)).every(([name, value]) => labelsOf(one)[name] === value)
  const pods = all.filter((one) => WORKLOADS.includes(String(at(one, 'kind'))))
  const services = all.filter((one) => at(one, 'kind') === 'Service')
  return [
    ...all.flatMap((one) =>
      ['apiVersion', 'kind', 'metadata', 'spec']
        .filter((name) => !(name in fields(one)))
        .map((name) => `${name} is missing`),
    ),
    ...services.flatMap((one) => {
      const target = pods.find((pod) => matches(at(one, 'spec', 'selector'), pod))
      const named = texts(
        list(at(target, 'spec', 'template', 'spec', 'containers')).flatMap((container) =>
          list(at(container, 'ports')).map((port) => at(port, 'name')),
        ),
      )
      return list(at(one, 'spec', 'ports'))
        .filter((port) => !named.includes(String(at(port, 'targetPort'))))
        .map(() => `The service ${at(one, 'metadata', 'name')} leads nowhere`)
    }),
    ...pods.flatMap((one) => podProblems(one, matches)),
  ]
}

function podProblems(one: unknown, matches: (selector: unknown, one: unknown) => boolean): string[] {
  const name = String(at(one, 'metadata', 'name'))
  const spec = at(one, 'spec', 'template', 'spec')
  const isServing = at(one, 'kind') !== 'Job'
  const selector = at(one, 'spec', 'selector', 'matchLabels')
  const volumes = [...list(at(spec, 'volumes')), ...list(at(one, 'spec', 'volumeClaimTemplates'))]
  const known = volumes.map((volume) => at(volume, 'name') ?? at(volume, 'metadata', 'name'))
  const problems = [
    ...(isServing && (!selector || !matches(selector, one)) ? ['has pods that it does not select'] : []),
    ...(at(spec, 'securityContext', 'runAsNonRoot') === true ? [] : ['runs as root']),
    ...list(at(spec, 'containers')).flatMap((container) => containerProblems(container, known)),
  ]
  return problems.map((problem) => `${name} ${problem}`)
}

function containerProblems(container: unknown, volumes: readonly unknown[]): string[] {
  const image = String(at(container, 'image'))
  const isOurs = image.startsWith('ambit:')
  const open = list(at(container, 'env')).filter(
    (one) => SECRET.test(String(at(one, 'name'))) && at(one, 'value') !== undefined,
  )
  const mounts = list(at(container, 'volumeMounts')).filter((mount) => !volumes.includes(at(mount, 'name')))
  const ports = list(at(container, 'ports')).map((port) => at(port, 'name'))
  const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap(
    (probe) => at(container, probe, 'httpGet') ?? [],
  )
  const isStrange = (probe: unknown) => isOurs && routeOf(String(at(probe, 'path')), new Set()) === 'other'
  return [
    ...(isPinned(image) ? [] : [`has ${image} without a version`]),
    ...(isOurs ? wordProblems(texts(at(container, 'args'))) : []),
    ...open.map((one) => `has ${at(one, 'name')} in the file`),
    ...mounts.map((mount) => `mounts ${at(mount, 'name')}, which is none`),
    ...probes
      .filter((probe) => !ports.includes(at(probe, 'port')) || isStrange(probe))
      .map(() => 'is asked where nothing is'),
    ...(at(container, 'resources', 'limits', 'memory') ? [] : ['has no limit of memory']),
    ...(at(container, 'securityContext', 'allowPrivilegeEscalation') === false ? [] : ['may become root']),
    ...(isOurs && at(container, 'securityContext', 'readOnlyRootFilesystem') !== true ? ['may write its disk'] : []),
  ]
}

describe('the Kubernetes example', () => {
  const text = read('kubernetes/ambit.yaml')
  const all = parseAllDocuments(text).map((document) => document.toJS())
  const api = at(
    all.find((one) => at(one, 'metadata', 'name') === 'ambit-api'),
    'spec',
    'template',
    'spec',
  )
  const container = at(api, 'containers', 0)

  it.each(['ambit.yaml', 'data.yaml'])('%s has what it needs, of what there is', (name) => {
    expect(kubernetesProblems(read(`kubernetes/${name}`))).toEqual([])
  })

  it('asks whether it is ready and whether it lives, each where it is said', () => {
    const paths = ['livenessProbe', 'readinessProbe'].map((probe) => at(container, probe, 'httpGet', 'path'))
    expect(paths).toEqual(['/healthz', '/readyz'])
  })

  it('gives the api longer to end than it takes', () => {
    const { drain } = serveOptions(texts(at(container, 'args')).slice(1))
    const pause = Number(at(container, 'lifecycle', 'preStop', 'exec', 'command', 1))
    expect(Number(at(api, 'terminationGracePeriodSeconds')) * 1000).toBeGreaterThanOrEqual(
      drain + pause * 1000 + 10_000,
    )
  })

  it.each([
    [
      'a service that leads nowhere',
      'selector: { app: ambit, part: api }\n  ports',
      'selector: { app: ambit, part: apis }\n  ports',
    ],
    ['pods that are not selected', 'matchLabels: { app: ambit, part: worker }', 'matchLabels: { app: ambit, part: w }'],
    ['root', 'runAsNonRoot: true', 'runAsNonRoot: false'],
    ['a route that is none', 'path: /readyz', 'path: /ready'],
    ['a port that is none', 'path: /readyz, port: http', 'path: /readyz, port: web'],
    ['a secret', 'valueFrom: { secretKeyRef: { name: ambit, key: token } }', 'value: hunter2'],
    ['an option that is wrong', '--log, json', '--log, xml'],
    ['a volume that is none', 'volumeMounts: [{ name: tmp', 'volumeMounts: [{ name: temp'],
    ['no limit', 'limits: { memory: 2Gi }', 'limits: {}'],
    ['a newest image', 'image: ambit:0.1.0', 'image: ambit:latest'],
  ])('would not pass with %s', (_, what, instead) => {
    const broken = text.replace(what, instead)
    expect(broken).not.toBe(text)
    expect(kubernetesProblems(broken)).not.toEqual([])
  })
})

describe('the collector', () => {
  it('reads what the server counts, and every part of its pipelines is there', () => {
    const file = parse(read('collector.yaml'))
    const [scrape] = list(at(file, 'receivers', 'prometheus', 'config', 'scrape_configs'))
    expect(at(scrape, 'metrics_path')).toBe('/metrics')
    expect(at(scrape, 'static_configs', 0, 'targets')).toEqual(['127.0.0.1:7377'])
    for (const pipeline of Object.values(fields(at(file, 'service', 'pipelines')))) {
      for (const part of ['receivers', 'processors', 'exporters']) {
        for (const name of texts(at(pipeline, part))) expect(fields(at(file, part))).toHaveProperty(name)
      }
    }
  })
})
