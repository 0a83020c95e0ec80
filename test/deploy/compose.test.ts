import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { serveOptions } from '../support/serve-options.ts'
import {
  at,
  countProblems,
  endProblems,
  fields,
  isCollector,
  isPinned,
  read,
  SECRET,
  sharedProblems,
  texts,
  VERSION,
  wordProblems,
} from './files.ts'

/** What is wrong with a compose file. */
function composeProblems(text: string): string[] {
  const file = parse(text, { merge: true })
  const services = fields(file.services)
  const ours = Object.entries(services).filter(([, service]) => String(at(service, 'image')).startsWith('ambit:'))
  const collectors = (name: string) =>
    Object.values(services)
      .filter((one) => isCollector(String(at(one, 'image'))) && at(one, 'network_mode') === `service:${name}`)
      .map((one) => fields(at(one, 'environment')))
  const environments = ours.map(([name, service]) => [name, fields(at(service, 'environment'))])
  const problems = Object.entries(services).flatMap(([name, service]) => {
    const image = String(at(service, 'image'))
    const isOurs = image.startsWith('ambit:')
    const words = texts(at(service, 'command'))
    const patience = /^(\d+)s$/.exec(String(at(service, 'stop_grace_period')))?.[1]
    const depends = Object.keys(fields(at(service, 'depends_on'))).filter((one) => !(one in services))
    const volumes = texts(at(service, 'volumes')).map((one) => one.split(':')[0] ?? '')
    const unknown = volumes.filter((one) => !one.startsWith('.') && !(one in fields(file.volumes)))
    const environment = Object.entries(fields(at(service, 'environment')))
    const open = environment.filter(([key, value]) => SECRET.test(key) && !/\$\{\w+:\?[^}]+\}/.test(String(value)))
    const inAddress = environment.filter(
      ([key, value]) => /_URL$/.test(key) && /:\$\{\w+:\?(?!.*letters and digits)/.test(String(value)),
    )
    const ports = texts(at(service, 'ports')).filter((port) => !port.startsWith('127.0.0.1:'))
    const closed = at(service, 'read_only') === true && texts(at(service, 'cap_drop')).includes('ALL')
    return [
      ...(isPinned(image) ? [] : [`${name}: the image ${image} has no version`]),
      ...(isOurs ? wordProblems(words) : []),
      ...(isOurs && image !== `ambit:${VERSION}` ? [`${name} is not of version ${VERSION}`] : []),
      ...(isOurs ? countProblems(words, collectors(name)).map((problem) => `${name} ${problem}`) : []),
      ...(isOurs ? endProblems(words, patience).map((problem) => `${name} ${problem}`) : []),
      ...(isOurs && !closed ? [`${name} may write, or do what it need not`] : []),
      ...depends.map((one) => `${name} waits for ${one}, which is none`),
      ...unknown.map((one) => `${name} has the volume ${one}, which is none`),
      ...open.map(([key]) => `${name} has ${key} in the file, or lets it be empty`),
      ...inAddress.map(([key]) => `${name} has ${key}, which a password of other characters breaks`),
      ...ports.map((port) => `${name} listens to the network at ${port}`),
      ...(typeof at(service, 'restart') === 'string' ? [] : [`${name} says not when it starts again`]),
    ]
  })
  return [...problems, ...sharedProblems(Object.fromEntries(environments))]
}

const DOLLAR = '$'

describe('the compose file', () => {
  const text = read('compose.yaml')
  const services = fields(parse(text, { merge: true }).services)

  it('has what it needs, of what there is', () => {
    expect(composeProblems(text)).toEqual([])
    expect(Object.keys(services).sort()).toEqual(
      'api api-collector database indexer migrate objects worker worker-collector'.split(' '),
    )
  })

  it('has a part that answers, and one that does the jobs', () => {
    const roles = ['api', 'worker'].map((name) => serveOptions(texts(at(services, name, 'command')).slice(1)).role)
    expect(roles).toEqual(['api', 'worker'])
  })

  it.each([
    ['an image without a version', 'postgres:17-bookworm', 'postgres:latest'],
    ['an option that there is none of', '--open-metrics', '--open-all'],
    ['a command that there is none of', 'command: [watch]', 'command: [work]'],
    ['an end that comes too soon', 'stop_grace_period: 40s', 'stop_grace_period: 30s'],
    ['a worker that is not counted', 'network_mode: service:worker', 'network_mode: service:api'],
    ['a worker that does not tell', '"4", --log, json, --open-metrics', '"4", --log, json'],
    ['collectors that cannot be told apart', 'environment: { INSTANCE: worker }', 'environment: {}'],
    ['another version', 'image: ambit:0.3.0', 'image: ambit:0.0.9'],
    ['a secret', `${DOLLAR}{AMBIT_TOKEN:?set it to 32 random bytes, such as of openssl rand -hex 32}`, 'hunter2'],
    ['a secret that may be empty', `${DOLLAR}{S3_SECRET_KEY:?set it}`, `${DOLLAR}{S3_SECRET_KEY}`],
    ['a password that breaks an address', ':?set it to letters and digits}@', ':?set it}@'],
    ['a volume that there is none of', '"objects:/data"', '"other:/data"'],
    ['a port for everybody', '127.0.0.1:7377:7377', '7377:7377'],
    ['a service that is waited for and is none', '      database: { condition', '      postgres: { condition'],
    ['a disk that may be written', 'read_only: true', 'read_only: false'],
    [
      'a part that knows no place for uploads',
      'environment: { <<: *environment }\n    volumes',
      `environment: { AMBIT_DATABASE_URL: "${DOLLAR}{URL:?set it}" }\n    volumes`,
    ],
  ])('would not pass with %s', (_, what, instead) => {
    expect(text).toContain(what)
    expect(composeProblems(text.replace(what, instead))).not.toEqual([])
  })
})
