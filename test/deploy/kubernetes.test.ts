import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { routeOf } from '../../src/surfaces/http/entry.ts'
import {
  at,
  countProblems,
  documents,
  endProblems,
  type Fields,
  fields,
  isCollector,
  isPinned,
  list,
  read,
  SECRET,
  sharedProblems,
  texts,
  VERSION,
  wordProblems,
} from './files.ts'

const WORKLOADS = ['Deployment', 'StatefulSet', 'Job']

/** What is wrong with resources of Kubernetes that belong together. */
function kubernetesProblems(text: string): string[] {
  const all = documents(text)
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
    ...sharedProblems(environmentsOf(pods)),
  ]
}

/** What containers of Ambit are told, by their names. */
function environmentsOf(pods: readonly unknown[]): Readonly<Record<string, Fields>> {
  const containers = pods.flatMap((one) => list(at(one, 'spec', 'template', 'spec', 'containers')))
  const ours = containers.filter((one) => String(at(one, 'image')).startsWith('ambit:'))
  return Object.fromEntries(ours.map((one) => [String(at(one, 'name')), environmentOf(one)]))
}

function environmentOf(container: unknown): Fields {
  const told = (one: unknown) => [String(at(one, 'name')), at(one, 'value') ?? at(one, 'valueFrom')]
  return Object.fromEntries(list(at(container, 'env')).map(told))
}

function podProblems(one: unknown, matches: (selector: unknown, one: unknown) => boolean): string[] {
  const name = String(at(one, 'metadata', 'name'))
  const spec = at(one, 'spec', 'template', 'spec')
  const isServing = at(one, 'kind') !== 'Job'
  const selector = at(one, 'spec', 'selector', 'matchLabels')
  const volumes = [...list(at(spec, 'volumes')), ...list(at(one, 'spec', 'volumeClaimTemplates'))]
  const known = volumes.map((volume) => at(volume, 'name') ?? at(volume, 'metadata', 'name'))
  const collectors = list(at(spec, 'containers')).filter((container) => isCollector(String(at(container, 'image'))))
  const problems = [
    ...(isServing && (!selector || !matches(selector, one)) ? ['has pods that it does not select'] : []),
    ...(at(spec, 'securityContext', 'runAsNonRoot') === true ? [] : ['runs as root']),
    ...list(at(spec, 'containers')).flatMap((container) => [
      ...containerProblems(container, known),
      ...countProblems(texts(at(container, 'args')), collectors.map(environmentOf)),
      ...endProblems(texts(at(container, 'args')), at(spec, 'terminationGracePeriodSeconds'), pauseOf(container)),
    ]),
  ]
  return problems.map((problem) => `${name} ${problem}`)
}

/** Seconds. */
function pauseOf(container: unknown): number {
  const [command, seconds] = texts(at(container, 'lifecycle', 'preStop', 'exec', 'command'))
  return command === 'sleep' ? Number(seconds) : 0
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
    ...(isOurs && image !== `ambit:${VERSION}` ? [`is not of version ${VERSION}`] : []),
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

/** The commands of the comment that a file begins with. */
function commandsIn(text: string): string[] {
  const lines = text.slice(0, text.search(/^[^#]/m)).replace(/ *\\\n#/g, '')
  return lines.split('\n').flatMap((line) => /^# {3}(\S.*)$/.exec(line)?.[1] ?? [])
}

/** What commands make: each key of a secret, each file of a config map. */
function madeBy(commands: readonly string[]): string[] {
  return commands.flatMap((command) => {
    const name = /^kubectl create (?:secret generic|configmap) (\S+)/.exec(command)?.[1]
    const keys = [...command.matchAll(/--from-literal=([\w-]+)=|--from-file=\S*?([\w.-]+)(?= |$)/g)]
    return name === undefined ? [] : keys.map(([, literal, file]) => `${name}/${literal ?? file}`)
  })
}

/** What the containers of a pod want of secrets and config maps. */
function wantedBy(pod: unknown): string[] {
  const containers = list(at(pod, 'containers'))
  const secrets = containers.flatMap((one) =>
    list(at(one, 'env')).flatMap((each) => at(each, 'valueFrom', 'secretKeyRef') ?? []),
  )
  const maps = list(at(pod, 'volumes')).filter((volume) => at(volume, 'configMap') !== undefined)
  return [
    ...secrets.map((secret) => `${at(secret, 'name')}/${at(secret, 'key')}`),
    ...maps.flatMap((volume) =>
      containers.flatMap((one) => {
        const [mount] = list(at(one, 'volumeMounts')).filter((each) => at(each, 'name') === at(volume, 'name'))
        const path = String(at(mount, 'mountPath'))
        const file = texts(at(one, 'args')).find((word) => word.includes(`=${path}/`))
        return mount === undefined ? [] : [`${at(volume, 'configMap', 'name')}/${file?.split(`=${path}/`)[1]}`]
      }),
    ),
  ]
}

/** What is asked for beside these resources and those of data.yaml, and is made by no command. */
function unmade(text: string): string[] {
  const all = [...documents(text), ...documents(read('kubernetes/data.yaml'))]
  const made = madeBy(commandsIn(text))
  return all.flatMap((one) => wantedBy(at(one, 'spec', 'template', 'spec'))).filter((one) => !made.includes(one))
}

describe('the Kubernetes example', () => {
  const text = read('kubernetes/ambit.yaml')
  const all = documents(text)
  const commands = commandsIn(text)
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

  it('has a Job of a name of its own for each version, since the template of one cannot be changed', () => {
    const [job] = all.filter((one) => at(one, 'kind') === 'Job')
    expect(at(job, 'metadata', 'name')).toBe(`ambit-migrate-${VERSION.replaceAll('.', '-')}`)
    expect(at(job, 'spec', 'ttlSecondsAfterFinished')).toBeGreaterThan(0)
    expect(commands.join('\n')).toContain(`job/${at(job, 'metadata', 'name')} `)
  })

  it('says the commands that make every secret and every file that is asked for', () => {
    expect(unmade(text)).toEqual([])
  })

  it.each([
    ['ambit/database-password', / --from-literal=database-password=\S+/],
    ['ambit/s3-access-key', / --from-literal=s3-access-key=\S+/],
    ['ambit-collector/collector.yaml', /kubectl create configmap.*/],
  ])('would not pass where no command makes %s', (what, command) => {
    expect(new Set(unmade(text.replace(command, '')))).toEqual(new Set([what]))
  })

  it('says commands about what is there', () => {
    const files = commands.flatMap((command) => /(?:-f |--from-file=)(\S+)/.exec(command)?.[1] ?? [])
    expect(new Set(files)).toEqual(
      new Set(['deploy/collector.yaml', 'deploy/kubernetes/ambit.yaml', 'deploy/kubernetes/data.yaml']),
    )
    for (const file of files) expect(existsSync(file), file).toBe(true)
    const parts = all.map((one) => at(one, 'metadata', 'labels', 'part'))
    expect(parts.filter((part) => part !== undefined).sort()).toEqual(['api', 'indexer', 'migrate', 'worker'])
  })

  it('stops the old servers, migrates and starts the new ones, in this order', () => {
    const update = commands.slice(commands.findIndex((command) => command.startsWith('kubectl scale')))
    expect(
      update.map((command) => command.replace(/^kubectl (\w+).*?(--selector part=migrate)?$/, '$1 $2').trim()),
    ).toEqual(['scale', 'wait', 'apply --selector part=migrate', 'wait', 'apply'])
  })

  it.each([
    ['a lost service', 'selector: { app: ambit, part: api }\n  ports', 'selector: { app: ambit, part: apis }\n  ports'],
    ['pods that are not selected', 'matchLabels: { app: ambit, part: worker }', 'matchLabels: { app: ambit, part: w }'],
    ['root', 'runAsNonRoot: true', 'runAsNonRoot: false'],
    ['a route that is none', 'path: /readyz', 'path: /ready'],
    ['a port that is none', 'path: /readyz, port: http', 'path: /readyz, port: web'],
    ['a secret', 'valueFrom: { secretKeyRef: { name: ambit, key: token } }', 'value: hunter2'],
    ['a volume that is none', 'volumeMounts: [{ name: tmp', 'volumeMounts: [{ name: temp'],
    ['no limit', 'limits: { memory: 2Gi }', 'limits: {}'],
    ['a part that knows no place for uploads', '- { name: AMBIT_OBJECTS, value: "s3://ambit-uploads" }', ''],
    ['another bucket for one part', 's3://ambit-uploads', 's3://others'],
    ['an end that comes too soon', 'terminationGracePeriodSeconds: 45', 'terminationGracePeriodSeconds: 39'],
    [
      'a worker whose end comes too soon',
      'what is stopped then.\n      terminationGracePeriodSeconds: 45',
      '\n      terminationGracePeriodSeconds: 34',
    ],
    // What compose files share with it is tried there.
  ])('would not pass with %s', (_, what, instead) => {
    const broken = text.replace(what, instead)
    expect(broken).not.toBe(text)
    expect(kubernetesProblems(broken)).not.toEqual([])
  })
})
