import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { documents, read } from './files.ts'
import { collectorErrors, composeErrors, resourceErrors } from './schemas.ts'

const compose = (text: string) => composeErrors(parse(text, { merge: true }))
const kubernetes = (text: string) => documents(text).flatMap(resourceErrors)
const collector = (text: string) => collectorErrors(parse(text))

describe('schemas', () => {
  it.each([
    ['the Compose Specification', 'compose.yaml', compose],
    ['Kubernetes', 'kubernetes/ambit.yaml', kubernetes],
    ['Kubernetes', 'kubernetes/data.yaml', kubernetes],
    ['the collector, as far as we know it,', 'collector.yaml', collector],
  ])('of %s have nothing against %s', (_, name, errorsOf) => {
    expect(errorsOf(read(name))).toEqual([])
  })

  it.each([
    ['stop_grace_period: 40s', 'stop_grace_periods: 40s', '/services/api additionalProperties stop_grace_periods'],
    ['stop_grace_period: 40s', 'stop_grace_period: 40sec', '/services/api/stop_grace_period format duration'],
    ['service_completed_successfully', 'service_completed', '/services/api/depends_on/migrate/condition enum'],
    ['read_only: true', 'read_only: "yes"', '/services/migrate/read_only type boolean'],
    ['127.0.0.1:7377:7377', '127.0.0.1:7377:web', '/services/api/ports/0 format ports'],
    ['name: ambit', 'name: Ambit!', '/name pattern'],
  ])('refuse a compose file in which %j is %j', (what, instead, error) => {
    expect(read('compose.yaml')).toContain(what)
    expect(compose(read('compose.yaml').replace(what, instead)).join('\n')).toContain(error)
  })

  const pod = '/spec/template/spec'
  it.each([
    ['ambit.yaml', 'readinessProbe:', 'readinesProbe:', `${pod}/containers/0/readinesProbe is not known`],
    ['ambit.yaml', 'replicas: 2', 'replicas: two', '/spec/replicas type integer'],
    ['ambit.yaml', 'key: token }', 'keys: token }', `${pod}/containers/0/env/0/valueFrom/secretKeyRef required key`],
    ['ambit.yaml', 'labels: { app: ambit }', 'labels: { app: 1 }', '/metadata/labels/app type string'],
    ['ambit.yaml', 'kind: Deployment', 'kind: Deploymnt', 'apps/v1 Deploymnt has no schema here'],
    ['ambit.yaml', 'apps/v1', 'apps/v1beta1', 'apps/v1beta1 Deployment has no schema here'],
    ['data.yaml', 'accessModes:', 'accessMode:', '/spec/volumeClaimTemplates/0/spec/accessMode is not known'],
    ['data.yaml', 'storage: 20Gi', 'storage: [20Gi]', '/spec/volumeClaimTemplates/0/spec/resources/requests/storage'],
  ])('refuse resources of %s in which %j is %j', (name, what, instead, error) => {
    const text = read(`kubernetes/${name}`)
    expect(text).toContain(what)
    expect(kubernetes(text.replace(what, instead)).join('\n')).toContain(error)
  })

  it('refuse no key of a map whose keys anybody chooses', () => {
    const text = read('kubernetes/ambit.yaml').replace('labels: {', 'labels: { example.org/team: docs,')
    expect(kubernetes(text)).toEqual([])
  })

  it.each([
    ['receivers:', 'receiver:', '/ additionalProperties receiver'],
    ['scrape_interval: 15s', 'scrape_interval: 15', '/scrape_interval type string'],
    ['static_configs:', 'static_config:', 'required static_configs'],
    ['verbosity: basic', 'verbosity: loud', '/exporters/debug/verbosity enum basic,normal,detailed'],
  ])('refuse a collector in which %j is %j', (what, instead, error) => {
    expect(read('collector.yaml')).toContain(what)
    expect(collector(read('collector.yaml').replace(what, instead)).join('\n')).toContain(error)
  })

  it('are asked of files in which no key stands twice', () => {
    expect(() => documents('kind: Job\nkind: Service\n')).toThrow(/unique/)
  })
})
