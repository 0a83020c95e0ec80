import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'
import { useOperation } from '../../api/collections.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/Copy.tsx'
import { Dialog, FormDialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { ageOf, dayOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'

type Token = Answer<'token.list'>['tokens'][number]

/** Tokens by which others, and programs, come in: listed, made and revoked. */
export function Tokens() {
  const { data, error, refetch } = useQuery(operationQuery('token.list', {}))
  const [isMaking, setMaking] = useState(false)
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={3} />
  return (
    <div className="stack justify-items-start gap-3">
      <p className="max-w-prose text-ink-2">
        A token lets a person or a program in. It says what they may do, and which collections they see.
      </p>
      {data.tokens.length > 0 && <TokenTable tokens={data.tokens} />}
      <Button icon={Plus} onClick={() => setMaking(true)}>
        New token
      </Button>
      {isMaking && <NewToken onClose={() => setMaking(false)} />}
    </div>
  )
}

const HIDDEN = 'max-md:hidden'

function columnsFor(onRevoke: (token: Token) => void): readonly TableColumn<Token>[] {
  return [
    { name: 'Name', className: 'pl-0!', cell: (token) => <TokenName token={token} /> },
    { name: 'Rights', className: HIDDEN, cell: ({ scopes }) => scopes.join(', ') },
    { name: 'Collections', className: HIDDEN, cell: ({ collections }) => collections?.join(', ') ?? 'all' },
    { name: 'Last used', className: `text-ink-2 ${HIDDEN}`, cell: ({ usedAt }) => (usedAt ? ageOf(usedAt) : 'never') },
    { name: 'State', className: HIDDEN, cell: (token) => <State token={token} /> },
    {
      name: 'Actions',
      className: 'w-20 pr-0! text-right',
      isBare: true,
      cell: (token) =>
        token.state === 'good' && (
          <Button
            look="bad"
            aria-label={`Revoke the token of ${token.name} made ${dayOf(token.createdAt)}`}
            onClick={() => onRevoke(token)}
          >
            Revoke
          </Button>
        ),
    },
  ]
}

function TokenTable({ tokens }: { readonly tokens: readonly Token[] }) {
  const [revoked, setRevoked] = useState<Token>()
  return (
    <>
      <Table columns={columnsFor(setRevoked)} rows={tokens} keyOf={({ id }) => id} />
      {revoked && <Revoke token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  )
}

/** On small screens with all that the other columns say. */
function TokenName({ token }: { readonly token: Token }) {
  const { name, scopes, collections, createdAt } = token
  return (
    <>
      <Name className="font-medium" text={name} />
      <span className="block text-xs text-ink-3">
        made <time dateTime={createdAt}>{dayOf(createdAt)}</time>
      </span>
      <span className="block text-xs text-ink-2 md:hidden">
        {scopes.join(', ')} · {collections?.join(', ') ?? 'all collections'} · <State token={token} />
      </span>
    </>
  )
}

function State({ token: { state, expiresAt, revokedAt } }: { readonly token: Token }) {
  if (state === 'revoked') return <span className="text-ink-3">revoked {revokedAt && dayOf(revokedAt)}</span>
  if (state === 'expired') return <span className="text-warn">expired {expiresAt && dayOf(expiresAt)}</span>
  return <span>{expiresAt === undefined ? 'does not expire' : `until ${dayOf(expiresAt)}`}</span>
}

function Revoke({ token: { id, name }, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const saving = useOperation('token.revoke')
  const revoke = () => saving.mutate({ token: id }, { onSuccess: onClose })
  const about = { title: `Revoke a token of ${name}?`, verb: 'Revoke', cancel: 'Keep', isBad: true }
  return (
    <FormDialog {...about} onSubmit={revoke} onClose={onClose} saving={saving}>
      <p className="text-base">
        The server refuses this token at once, and signs out the browsers that used it. This cannot be undone.
      </p>
    </FormDialog>
  )
}

/** Scopes of tokens, in words. */
const SCOPES = {
  read: 'read and search',
  write: 'describe folders and index',
  research: 'do research',
  admin: 'manage collections and tokens',
} as const

type Scope = keyof typeof SCOPES

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
function NewToken({ onClose }: { readonly onClose: () => void }) {
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
      <TextField
        label="Name"
        hint="Of the person or program. Tokens of one name share their conversations and research."
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
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
