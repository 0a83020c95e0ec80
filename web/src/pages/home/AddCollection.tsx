import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import type { Input as OperationInput } from '../../api/call.ts'
import { useOperation } from '../../api/collections.ts'
import { startIndexing } from '../../api/indexing.ts'
import { meQuery } from '../../api/me.ts'
import { browseAt, trimSlashes } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Segments } from '../../ui/Choice.tsx'
import { FormDialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { FolderPicker } from './FolderPicker.tsx'

const KINDS = [
  { value: 'folder', name: 'Folder' },
  { value: 'bucket', name: 'S3 bucket' },
] as const

const CREDENTIALS = [
  { value: 'server', name: "The server's own", about: "Those in the server's environment, AWS files or machine role." },
  { value: 'profile', name: 'AWS profile', about: "Those of a profile in the server's AWS files." },
  { value: 'anonymous', name: 'None', about: 'For public buckets.' },
] as const

/** The dialog as it was filled in. `name` is undefined until somebody writes one. */
interface Form {
  readonly kind: (typeof KINDS)[number]['value']
  readonly folder: string
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string
  readonly region: string
  readonly credentials: (typeof CREDENTIALS)[number]['value']
  readonly profile: string
  readonly pathStyle: boolean
  readonly requesterPays: boolean
  readonly name: string | undefined
  readonly pattern: string
  readonly isIndexed: boolean
}

const EMPTY: Form = {
  ...({ kind: 'folder', folder: '', name: undefined, pattern: '', isIndexed: true } as const),
  ...({ bucket: '', prefix: '', endpoint: '', region: '', credentials: 'server', profile: '' } as const),
  ...{ pathStyle: false, requesterPays: false },
}

/** The folder, or the address of the bucket; `''` while it is not known. */
function rootOf({ kind, folder, bucket, prefix }: Form): string {
  if (kind === 'folder' || bucket.trim() === '') return kind === 'folder' ? folder : ''
  return `s3://${[bucket.trim(), trimSlashes(prefix.trim())].filter(Boolean).join('/')}`
}

/** The written name; else the last name of the path. */
function nameOf(form: Form): string {
  const last = trimSlashes(rootOf(form)).split('/').at(-1) ?? ''
  return form.name ?? last.replace(/^[~.]+/, '')
}

/** What is left out is as the server has it for all buckets. */
function inputOf(form: Form): OperationInput<'collections.add'> {
  const { kind, credentials, pathStyle, requesterPays } = form
  const pattern = form.pattern.split(',').flatMap((each) => each.trim() || [])
  const named = { name: nameOf(form), root: rootOf(form), ...(pattern.length > 0 && { pattern }) }
  if (kind === 'folder') return named
  const [endpoint, region, profile] = [form.endpoint, form.region, form.profile].map((text) => text.trim())
  return {
    ...named,
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(credentials === 'profile' && profile && { profile }),
    ...(credentials === 'anonymous' && { anonymous: true }),
    ...(pathStyle && { pathStyle }),
    ...(requesterPays && { requesterPays }),
  }
}

/** Names a folder or a bucket, and indexes it. */
export function AddCollection({ onClose }: { readonly onClose: () => void }) {
  const { data: me } = useQuery(meQuery)
  const add = useOperation('collections.add')
  const navigate = useNavigate()
  const [form, setForm] = useState(EMPTY)
  const set = (change: Partial<Form>) => setForm({ ...form, ...change })
  const run = async () => {
    const { name } = await add.mutateAsync(inputOf(form))
    if (form.isIndexed) await startIndexing(name)
    onClose()
    await navigate(browseAt(name))
  }
  // The dialog shows what went wrong.
  const submit = () => void run().catch(() => {})
  const about = { title: 'Add a collection', verb: 'Add', className: 'w-[480px]' }
  return (
    <FormDialog {...about} onSubmit={submit} onClose={onClose} saving={add}>
      {me?.isOwner && (
        <Segments
          label="Where the files are"
          value={form.kind}
          values={KINDS}
          onChange={(kind) => set({ kind })}
          className="justify-self-start"
        />
      )}
      {form.kind === 'folder' ? (
        <FolderFields folder={form.folder} roots={me?.roots ?? []} onChange={(folder) => set({ folder })} />
      ) : (
        <BucketFields form={form} set={set} />
      )}
      <TextField
        label="Name"
        hint="Used in addresses: name/path."
        required
        value={nameOf(form)}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextField
        label="Only files that match"
        hint="Patterns separated by commas, such as **/*.md. Leave empty for all readable files."
        value={form.pattern}
        onChange={({ target }) => set({ pattern: target.value })}
        className="font-mono"
      />
      <Checkbox label="Index it now" isOn={form.isIndexed} onChange={(isIndexed) => set({ isIndexed })} />
    </FormDialog>
  )
}

interface FolderFieldsProps {
  readonly folder: string
  /** The folders that are served. */
  readonly roots: readonly string[]
  readonly onChange: (folder: string) => void
}

function FolderFields({ folder, roots, onChange }: FolderFieldsProps) {
  return (
    <>
      <TextField
        label="Folder"
        hint="Within the folders that this server serves. Files stay where they are."
        required
        value={folder}
        onChange={({ target }) => onChange(target.value)}
        placeholder="Choose below, or type a path"
        spellCheck={false}
        className="font-mono"
      />
      {roots.length > 1 && (
        <ul aria-label="Served folders" className="flex flex-wrap gap-1.5">
          {roots.map((root) => (
            <li key={root} className="min-w-0">
              <Button
                onClick={() => onChange(root)}
                className="h-auto min-h-7 max-w-full font-mono wrap-anywhere whitespace-normal"
              >
                {root}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FolderPicker place={folder} onChoose={onChange} />
    </>
  )
}

const URL_INPUT = { type: 'url', placeholder: 'https://…' }
const BUCKET = { required: true, pattern: '[a-z0-9][a-z0-9.\\-]+[a-z0-9]' }
const FIELDS = [
  { name: 'bucket', label: 'Bucket', hint: 'Its name, without s3://.', input: BUCKET },
  { name: 'prefix', label: 'Prefix', hint: 'Leave empty for all objects.', input: {} },
  { name: 'endpoint', label: 'Endpoint', hint: 'Leave empty for Amazon S3.', input: URL_INPUT },
  { name: 'region', label: 'Region', hint: "Default: the server's region.", input: { placeholder: 'us-east-1' } },
] as const

const PROFILE = {
  name: 'profile',
  label: 'Profile',
  hint: "A name in the server's AWS configuration files.",
  input: { required: true },
} as const

interface BucketFieldsProps {
  readonly form: Form
  readonly set: (change: Partial<Form>) => void
}

/** A bucket of S3, and how it is reached. */
function BucketFields({ form, set }: BucketFieldsProps) {
  const { credentials, pathStyle, requesterPays } = form
  const field = ({ name, label, hint, input }: (typeof FIELDS)[number] | typeof PROFILE) => {
    const own: ComponentProps<'input'> = input
    const change = {
      value: form[name],
      onChange: ({ target }: { target: HTMLInputElement }) => set({ [name]: target.value }),
    }
    return (
      <TextField
        key={name}
        {...{ label, hint, ...own, ...change }}
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
      />
    )
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 sm:grid-cols-[repeat(2,minmax(0,1fr))]">
        {FIELDS.map(field)}
      </div>
      <div className="stack gap-1">
        <p className="text-xs font-medium text-ink-2">Credentials</p>
        <Segments
          label="Credentials"
          value={credentials}
          values={CREDENTIALS}
          onChange={(chosen) => set({ credentials: chosen })}
          className="justify-self-start"
        />
        <p className="text-xs text-ink-3">{CREDENTIALS.find(({ value }) => value === credentials)?.about}</p>
      </div>
      {credentials === 'profile' && field(PROFILE)}
      <div className="flex flex-wrap gap-x-4">
        <Checkbox label="Path-style addresses" isOn={pathStyle} onChange={(isOn) => set({ pathStyle: isOn })} />
        <Checkbox label="Requester pays" isOn={requesterPays} onChange={(isOn) => set({ requesterPays: isOn })} />
      </div>
    </>
  )
}
