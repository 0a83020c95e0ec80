import type { Input as OperationInput } from '../../api/call.ts'
import { Checkbox, Segments } from '../../ui/Choice.tsx'
import { Input, Labelled } from '../../ui/Field.tsx'

const CREDENTIALS = [
  { value: 'server', name: "The server's own" },
  { value: 'profile', name: 'AWS profile' },
  { value: 'anonymous', name: 'None' },
] as const

/** A bucket as it was filled in. */
export interface BucketForm {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string
  readonly region: string
  readonly credentials: (typeof CREDENTIALS)[number]['value']
  readonly profile: string
  readonly pathStyle: boolean
  readonly requesterPays: boolean
}

export const EMPTY_BUCKET: BucketForm = {
  bucket: '',
  prefix: '',
  endpoint: '',
  region: '',
  credentials: 'server',
  profile: '',
  pathStyle: false,
  requesterPays: false,
}

/** How the bucket is reached: what is left out is as the server has it for all. */
export function accessOf(form: BucketForm): Partial<OperationInput<'collections.add'>> {
  const { credentials, pathStyle, requesterPays } = form
  const [endpoint, region, profile] = [form.endpoint, form.region, form.profile].map((text) => text.trim())
  return {
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(credentials === 'profile' && profile && { profile }),
    ...(credentials === 'anonymous' && { anonymous: true }),
    ...(pathStyle && { pathStyle }),
    ...(requesterPays && { requesterPays }),
  }
}

interface BucketFieldsProps {
  readonly value: BucketForm
  readonly onChange: (value: BucketForm) => void
}

/** A bucket of S3, and how it is reached. */
export function BucketFields({ value, onChange }: BucketFieldsProps) {
  const set = (change: Partial<BucketForm>) => onChange({ ...value, ...change })
  const text = (name: 'bucket' | 'prefix' | 'endpoint' | 'region' | 'profile') => ({
    value: value[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) => set({ [name]: target.value }),
    spellCheck: false,
    autoComplete: 'off',
    className: 'font-mono',
  })
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 sm:grid-cols-[repeat(2,minmax(0,1fr))]">
        <Labelled label="Bucket" hint="Its name, without s3://.">
          {(ids) => <Input {...ids} {...text('bucket')} required pattern="[a-z0-9][a-z0-9.\-]+[a-z0-9]" />}
        </Labelled>
        <Labelled label="Prefix" hint="Leave empty for all objects.">
          {(ids) => <Input {...ids} {...text('prefix')} />}
        </Labelled>
        <Labelled label="Endpoint" hint="Leave empty for Amazon S3.">
          {(ids) => <Input {...ids} {...text('endpoint')} type="url" placeholder="https://…" />}
        </Labelled>
        <Labelled label="Region" hint="Default: the server's region.">
          {(ids) => <Input {...ids} {...text('region')} placeholder="us-east-1" />}
        </Labelled>
      </div>
      <div className="stack gap-1">
        <p className="text-xs font-medium text-ink-2">Credentials</p>
        <Segments
          label="Credentials"
          value={value.credentials}
          values={CREDENTIALS}
          onChange={(credentials) => set({ credentials })}
          className="justify-self-start"
        />
        <p className="text-xs text-ink-3">{ABOUT[value.credentials]}</p>
      </div>
      {value.credentials === 'profile' && (
        <Labelled label="Profile" hint="A name in the server's AWS configuration files.">
          {(ids) => <Input {...ids} {...text('profile')} required />}
        </Labelled>
      )}
      <div className="flex flex-wrap gap-x-4">
        <Checkbox label="Path-style addresses" isOn={value.pathStyle} onChange={(pathStyle) => set({ pathStyle })} />
        <Checkbox
          label="Requester pays"
          isOn={value.requesterPays}
          onChange={(requesterPays) => set({ requesterPays })}
        />
      </div>
    </>
  )
}

const ABOUT: Readonly<Record<BucketForm['credentials'], string>> = {
  server: "Those in the server's environment, AWS files or machine role.",
  profile: "Those of a profile in the server's AWS files.",
  anonymous: 'For public buckets.',
}
