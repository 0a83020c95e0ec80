import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { serveOptions } from '../../src/surfaces/http/options.ts'
import { routeOf } from '../../src/surfaces/http/routes.ts'
import { at, type Fields, fields, isPinned, list, read, SECRET, sharedProblems, texts, wordProblems } from './files.ts'

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
    ...sharedProblems(environmentsOf(pods)),
  ]
}

/** What containers of Ambit are told, by their names. */
function environmentsOf(pods: readonly unknown[]): Readonly<Record<string, Fields>> {
  const containers = pods.flatMap((one) => list(at(one, 'spec', 'template', 'spec', 'containers')))
  const ours = containers.filter((one) => String(at(one, 'image')).startsWith('ambit:'))
  const told = (one: unknown) =>
    list(at(one, 'env')).map((each) => [String(at(each, 'name')), at(each, 'value') ?? at(each, 'valueFrom')])
  return Object.fromEntries(ours.map((one) => [String(at(one, 'name')), Object.fromEntries(told(one))]))
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
    ['a part that knows no place for uploads', '- { name: AMBIT_OBJECTS, value: "s3://ambit-uploads" }', ''],
    ['another bucket for one part', 's3://ambit-uploads', 's3://others'],
    ['another address of S3 for one part', 'http://objects:9000', 'http://other:9000'],
    ['another database for one part', 'key: database-url', 'key: other-url'],
    ['a newest image', 'image: ambit:0.1.0', 'image: ambit:latest'],
  ])('would not pass with %s', (_, what, instead) => {
    const broken = text.replace(what, instead)
    expect(broken).not.toBe(text)
    expect(kubernetesProblems(broken)).not.toEqual([])
  })
})
