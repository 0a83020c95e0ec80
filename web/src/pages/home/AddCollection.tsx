import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
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

/** The last name of a path, as a name for the collection. */
function nameFrom(root: string): string {
  return (
    trimSlashes(root)
      .split('/')
      .at(-1)
      ?.replace(/^[~.]+/, '') ?? ''
  )
}

const KINDS = [
  { value: 'folder', name: 'Folder' },
  { value: 'bucket', name: 'S3 bucket' },
] as const
type Kind = (typeof KINDS)[number]['value']

/** State of the form. */
function useForm() {
  const [kind, setKind] = useState<Kind>('folder')
  const [folder, setFolder] = useState('')
  const [bucket, setBucket] = useState<BucketForm>(EMPTY_BUCKET)
  const [named, setNamed] = useState<string>()
  const [pattern, setPattern] = useState('')
  const [isIndexed, setIndexed] = useState(true)
  const prefix = trimSlashes(bucket.prefix.trim())
  const root = kind === 'folder' ? folder : `s3://${bucket.bucket.trim()}${prefix === '' ? '' : `/${prefix}`}`
  return {
    ...{ kind, setKind, folder, setFolder, bucket, setBucket, pattern, setPattern, isIndexed, setIndexed },
    name: named ?? (kind === 'folder' || bucket.bucket.trim() !== '' ? nameFrom(root) : ''),
    setName: setNamed,
    root,
    patterns: pattern.split(',').flatMap((each) => each.trim() || []),
  }
}

function useAdding(form: ReturnType<typeof useForm>, onClose: () => void) {
  const add = useOperation('collections.add')
  const navigate = useNavigate()
  const { name, root, patterns, kind, bucket, isIndexed } = form
  const run = async () => {
    const access = kind === 'bucket' ? accessOf(bucket) : {}
    const pattern = patterns.length > 0 ? { pattern: patterns } : {}
    const added = await add.mutateAsync({ name, root, ...access, ...pattern })
    if (isIndexed) await startIndexing(added.name)
    onClose()
    await navigate(browseAt(added.name))
  }
  // The dialog shows what went wrong.
  return { add, submit: () => void run().catch(() => {}) }
}

/** Names a folder or a bucket, and indexes it. */
export function AddCollection({ onClose }: { readonly onClose: () => void }) {
  const { data: me } = useQuery(meQuery)
  const form = useForm()
  const { add, submit } = useAdding(form, onClose)
  const about = { title: 'Add a collection', verb: 'Add', className: 'w-[480px]' }
  return (
    <FormDialog {...about} onSubmit={submit} onClose={onClose} saving={add}>
      {me?.isOwner && (
        <Segments
          label="Where the files are"
          value={form.kind}
          values={KINDS}
          onChange={form.setKind}
          className="justify-self-start"
        />
      )}
      {form.kind === 'folder' ? (
        <FolderFields folder={form.folder} roots={me?.roots ?? []} onChange={form.setFolder} />
      ) : (
        <BucketFields value={form.bucket} onChange={form.setBucket} />
      )}
      <TextField
        label="Name"
        hint="Used in addresses: name/path."
        required
        value={form.name}
        onChange={({ target }) => form.setName(target.value)}
      />
      <TextField
        label="Only files that match"
        hint="Patterns separated by commas, such as **/*.md. Leave empty for all readable files."
        value={form.pattern}
        onChange={({ target }) => form.setPattern(target.value)}
        className="font-mono"
      />
      <Checkbox label="Index it now" isOn={form.isIndexed} onChange={form.setIndexed} />
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

const CREDENTIALS = [
  { value: 'server', name: "The server's own" },
  { value: 'profile', name: 'AWS profile' },
  { value: 'anonymous', name: 'None' },
] as const

/** A bucket as it was filled in. */
interface BucketForm {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string
  readonly region: string
  readonly credentials: (typeof CREDENTIALS)[number]['value']
  readonly profile: string
  readonly pathStyle: boolean
  readonly requesterPays: boolean
}

const EMPTY_BUCKET: BucketForm = {
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
function accessOf(form: BucketForm): Partial<OperationInput<'collections.add'>> {
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
function BucketFields({ value, onChange }: BucketFieldsProps) {
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
        <TextField
          label="Bucket"
          hint="Its name, without s3://."
          {...text('bucket')}
          required
          pattern="[a-z0-9][a-z0-9.\-]+[a-z0-9]"
        />
        <TextField label="Prefix" hint="Leave empty for all objects." {...text('prefix')} />
        <TextField
          label="Endpoint"
          hint="Leave empty for Amazon S3."
          {...text('endpoint')}
          type="url"
          placeholder="https://…"
        />
        <TextField label="Region" hint="Default: the server's region." {...text('region')} placeholder="us-east-1" />
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
        <TextField
          label="Profile"
          hint="A name in the server's AWS configuration files."
          {...text('profile')}
          required
        />
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
