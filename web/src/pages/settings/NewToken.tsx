import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { useOperation } from '../../api/collections.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/Copy.tsx'
import { Dialog, FormDialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'

/** What tokens allow, in words. */
export const SCOPES = {
  read: 'read and search',
  write: 'describe folders and index',
  research: 'do research',
  admin: 'manage collections and tokens',
} as const

export type Scope = keyof typeof SCOPES

export function scopeText(scope: string): string {
  return Object.hasOwn(SCOPES, scope) ? SCOPES[scope as Scope] : scope
}

const LIFETIMES = [
  { value: '', name: 'Never' },
  { value: '30', name: 'In 30 days' },
  { value: '90', name: 'In 90 days' },
  { value: '365', name: 'In a year' },
] as const
type Lifetime = (typeof LIFETIMES)[number]['value']

/** Makes a token, whose secret is shown this once. */
export function NewToken({ onClose }: { readonly onClose: () => void }) {
  const create = useOperation('token.create')
  const secret = create.data?.token
  if (secret === undefined) return <Form onClose={onClose} create={create} />
  return (
    <Dialog title="New token" isOpen onClose={onClose} className="w-[440px]">
      <div className="stack gap-3 p-4">
        <p className="text-base">Copy the token now. It is not shown again.</p>
        <code className="rounded-md border border-line-strong bg-surface p-2 font-mono text-sm wrap-anywhere">
          {secret}
        </code>
        <div className="flex justify-end gap-2">
          <CopyButton text={secret} label="Copy the token" />
          <Button size="md" look="main" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

interface FormProps {
  readonly onClose: () => void
  readonly create: ReturnType<typeof useOperation<'token.create'>>
}

function Form({ onClose, create }: FormProps) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read'])
  const [only, setOnly] = useState<readonly string[]>([])
  const [expires, setExpires] = useState<Lifetime>('90')
  const { data } = useQuery(operationQuery('collections.list', {}))
  const collections = data?.collections.map((each) => ({ value: each.name, label: each.name })) ?? []
  const submit = () =>
    create.mutate({
      name,
      scope: [...scopes],
      ...(only.length > 0 && { collection: [...only] }),
      ...(expires !== '' && { expires: Number(expires) }),
    })
  const about = { title: 'New token', verb: 'Make', className: 'w-[440px]', isDisabled: scopes.length === 0 }
  return (
    <FormDialog {...about} onSubmit={submit} onClose={onClose} saving={create}>
      <TextField label="Name"         hint="Of the person or program. Tokens of one name share their conversations and research." required value={name} onChange={({ target }) => setName(target.value)} />
      <Choices
        legend="Rights"
        values={Object.entries(SCOPES).map(([value, label]) => ({ value: value as Scope, label }))}
        chosen={scopes}
        onChange={setScopes}
      />
      {collections.length > 0 && (
        <Choices
          legend="Only these collections (none chosen: all)"
          values={collections}
          chosen={only}
          onChange={setOnly}
        />
      )}
      <Select label="Expires" value={expires} values={LIFETIMES} onChange={setExpires} className="justify-self-start" />
    </FormDialog>
  )
}

interface ChoicesProps<Value extends string> {
  readonly legend: string
  readonly values: readonly { readonly value: Value; readonly label: string }[]
  readonly chosen: readonly Value[]
  readonly onChange: (chosen: readonly Value[]) => void
}

/** Some of several. */
function Choices<Value extends string>({ legend, values, chosen, onChange }: ChoicesProps<Value>) {
  return (
    <fieldset className="max-h-48 overflow-y-auto">
      <legend className="text-xs font-medium text-ink-2">{legend}</legend>
      <div className="stack justify-items-start">
        {values.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            isOn={chosen.includes(value)}
            onChange={(isOn) => onChange(isOn ? [...chosen, value] : chosen.filter((each) => each !== value))}
          />
        ))}
      </div>
    </fieldset>
  )
}
