import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CornerLeftUp, Folder } from 'lucide-react'
import { useState } from 'react'
import type { Input as OperationInput } from '../../api/call.ts'
import { steadyQuery } from '../../api/client.ts'
import { useOperation } from '../../api/collections.ts'
import { changeJobs } from '../../api/indexing.ts'
import { meQuery } from '../../api/me.ts'
import { browseAt, trimSlashes } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, choicesOf, Segments } from '../../ui/Choice.tsx'
import { FormDialog } from '../../ui/Dialog.tsx'
import { TextField, TextFields } from '../../ui/Field.tsx'
import { useDebounced } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'

const KINDS = choicesOf({ folder: 'Folder', bucket: 'S3 bucket' })

const CREDENTIALS = [
  { value: 'server', name: "The server's own", about: "From the server's environment, AWS files or machine role." },
  { value: 'profile', name: 'AWS profile', about: "From a profile in the server's AWS files." },
  { value: 'anonymous', name: 'None', about: 'For public buckets.' },
] as const

/** The values of the empty dialog. `name` is undefined until the person types one. */
const EMPTY = {
  ...{ kind: 'folder' as (typeof KINDS)[number]['value'], folder: '' },
  ...{ bucket: '', prefix: '', endpoint: '', region: '' },
  ...{ credentials: 'server' as (typeof CREDENTIALS)[number]['value'], profile: '' },
  ...{ pathStyle: false, requesterPays: false, name: undefined as string | undefined, pattern: '', isIndexed: true },
}

type Form = Readonly<typeof EMPTY>

/** The folder, or the URI of the bucket; `''` while the form is incomplete. */
function rootOf({ kind, folder, bucket, prefix }: Form): string {
  if (kind === 'folder' || bucket.trim() === '') return kind === 'folder' ? folder : ''
  return `s3://${[bucket.trim(), trimSlashes(prefix.trim())].filter(Boolean).join('/')}`
}

/** The typed name. Default: the last part of the path. */
function nameOf(form: Form): string {
  const last = trimSlashes(rootOf(form)).split('/').at(-1) ?? ''
  return form.name ?? last.replace(/^[~.]+/, '')
}

/** The input of the operation. Leaves out empty fields, for which the server has defaults. */
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

/** Adds a folder or a bucket as a collection, and indexes it. */
export function AddCollection({ onClose }: { readonly onClose: () => void }) {
  const { data: me } = useQuery(meQuery)
  const add = useOperation('collections.add')
  const navigate = useNavigate()
  const [form, setForm] = useState(EMPTY)
  const set = (change: Partial<Form>) => setForm({ ...form, ...change })
  const run = async () => {
    const { name } = await add.mutateAsync(inputOf(form))
    if (form.isIndexed) await changeJobs('indexing.start', name)
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
        onText={(name) => set({ name })}
      />
      <TextFields fields={PATTERN} values={form} onChange={set} />
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
        onText={onChange}
        placeholder="Choose below, or type a path"
        isCode
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

const MATCHING = 'Patterns separated by commas, such as **/*.md. Leave empty for all readable files.'
const PATTERN = [{ name: 'pattern', label: 'Only files that match', hint: MATCHING, isCode: true }] as const

const CODE = { isCode: true, autoComplete: 'off' } as const
const BUCKET_NAME = { ...CODE, required: true, pattern: '[a-z0-9][a-z0-9.\\-]+[a-z0-9]' }
const BUCKET = [
  { name: 'bucket', label: 'Bucket', hint: 'Its name, without s3://.', ...BUCKET_NAME },
  { name: 'prefix', label: 'Prefix', hint: 'Leave empty for all objects.', ...CODE },
  {
    name: 'endpoint',
    label: 'Endpoint',
    hint: 'Leave empty for Amazon S3.',
    type: 'url',
    placeholder: 'https://…',
    ...CODE,
  },
  { name: 'region', label: 'Region', hint: "Default: the server's region.", placeholder: 'us-east-1', ...CODE },
] as const
const PROFILE = [
  {
    name: 'profile',
    label: 'Profile',
    hint: "A name in the server's AWS configuration files.",
    required: true,
    ...CODE,
  },
] as const

/** The fields of an S3 bucket: its name, its service and the credentials. */
function BucketFields({ form, set }: { readonly form: Form; readonly set: (change: Partial<Form>) => void }) {
  const { credentials, pathStyle, requesterPays } = form
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 sm:grid-cols-[repeat(2,minmax(0,1fr))]">
        <TextFields fields={BUCKET} values={form} onChange={set} />
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
      {credentials === 'profile' && <TextFields fields={PROFILE} values={form} onChange={set} />}
      <div className="flex flex-wrap gap-x-4">
        <Checkbox label="Path-style addresses" isOn={pathStyle} onChange={(isOn) => set({ pathStyle: isOn })} />
        <Checkbox label="Requester pays" isOn={requesterPays} onChange={(isOn) => set({ requesterPays: isOn })} />
      </div>
    </>
  )
}

/** Milliseconds after the last letter until the folder is read. */
const PAUSE = 200

/** The subfolders of a folder, within the served folders. A path that does not exist leaves the list unchanged. */
function FolderPicker({ place, onChoose }: { readonly place: string; readonly onChoose: (path: string) => void }) {
  const settled = useDebounced(place.trim(), PAUSE)
  const { data, error } = useQuery({ ...steadyQuery('browse', { disk: settled === '' ? '.' : settled }), retry: false })
  if (!data) return error ? null : <div className="h-40" />
  const { path, parent = null, directories = [] } = data
  return (
    <fieldset className="stack rounded-md border border-line">
      <legend className="ml-2 px-1 font-mono text-xs wrap-anywhere text-ink-3">
        <Name text={path} />
      </legend>
      <ul aria-label={`Folders in ${path}`} className="max-h-40 min-h-8 overflow-y-auto py-1">
        {parent !== null && (
          <li>
            <button type="button" className={ROW} onClick={() => onChoose(parent)}>
              <CornerLeftUp aria-hidden className="size-4 shrink-0 text-ink-3" />
              Up to {parent.slice(parent.lastIndexOf('/') + 1) || '/'}
            </button>
          </li>
        )}
        {directories.map((directory) => (
          <li key={directory.path}>
            <button type="button" className={ROW} onClick={() => onChoose(directory.path)}>
              <Folder aria-hidden className="size-4 shrink-0 text-accent" />
              <Name text={directory.name} className="min-w-0 flex-1 basis-40 wrap-anywhere" />
              {directory.collection !== undefined && (
                <span className="min-w-0 text-xs wrap-anywhere text-ink-3">added as {directory.collection}</span>
              )}
            </button>
          </li>
        ))}
        {directories.length === 0 && <li className="px-3 py-1 text-xs text-ink-3">No folders in here.</li>}
      </ul>
    </fieldset>
  )
}

const ROW = 'flex min-h-7 w-full flex-wrap items-center gap-x-2 px-3 py-0.5 text-left hover:bg-raised'
