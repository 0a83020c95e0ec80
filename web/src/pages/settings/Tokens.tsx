import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'
import { useOperation } from '../../api/collections.ts'
import { Button } from '../../ui/Button.tsx'
import { Choices, Select } from '../../ui/Choice.tsx'
import { SecretText } from '../../ui/Copy.tsx'
import { Dialog, FormDialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { ageOf, dayOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'

type Token = Answer<'token.list'>['tokens'][number]

/** Access tokens for people and programs: list, create and revoke. */
export function Tokens() {
  const { data, error, refetch } = useQuery(operationQuery('token.list', {}))
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<Token>()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={3} />
  return (
    <div className="stack justify-items-start gap-3">
      <p className="max-w-prose text-ink-2">
        A token lets a person or a program in. It says what they may do, and which collections they see.
      </p>
      {data.tokens.length > 0 && <Table columns={columnsFor(setRevoked)} rows={data.tokens} keyOf={({ id }) => id} />}
      <Button icon={Plus} onClick={() => setMaking(true)}>
        New token
      </Button>
      {isMaking && <NewToken onClose={() => setMaking(false)} />}
      {revoked && <Revoke token={revoked} onClose={() => setRevoked(undefined)} />}
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
          <Button look="bad" aria-label={revokeName(token)} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
        ),
    },
  ]
}

function revokeName({ name, createdAt }: Token): string {
  return `Revoke the token of ${name} made ${dayOf(createdAt)}`
}

/** The name of a token. On small screens, the other columns are shown below it. */
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

const RIGHTS = Object.entries(SCOPES).map(([value, label]) => ({ value: value as Scope, label }))
const ONLY = 'Only these collections (none chosen: all)'

export function scopeText(scope: string): string {
  return Object.hasOwn(SCOPES, scope) ? SCOPES[scope as Scope] : scope
}

const LIFETIMES = ['30', '90', '365', ''].map((value) => ({ value, name: value ? `In ${value} days` : 'Never' }))

/** Creates a token. Its secret is shown once. */
function NewToken({ onClose }: { readonly onClose: () => void }) {
  const create = useOperation('token.create')
  const secret = create.data?.token
  if (secret === undefined) return <TokenForm onClose={onClose} create={create} />
  return (
    <Dialog title="New token" isOpen onClose={onClose} className="w-[440px]">
      <div className="stack gap-3 p-4">
        <p className="text-base">Copy the token now. It is not shown again.</p>
        <SecretText text={secret} label="Copy the token" />
        <Button size="md" look="main" onClick={onClose} className="justify-self-end">
          Done
        </Button>
      </div>
    </Dialog>
  )
}

interface FormProps {
  readonly onClose: () => void
  readonly create: ReturnType<typeof useOperation<'token.create'>>
}

function TokenForm({ onClose, create }: FormProps) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read'])
  const [only, setOnly] = useState<readonly string[]>([])
  const [expires, setExpires] = useState('90')
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
        hint="The person or program. Tokens with the same name share their conversations and research."
        required
        value={name}
        onText={setName}
      />
      <Choices legend="Rights" values={RIGHTS} chosen={scopes} onChange={setScopes} />
      {collections.length > 0 && <Choices legend={ONLY} values={collections} chosen={only} onChange={setOnly} />}
      <Select label="Expires" value={expires} values={LIFETIMES} onChange={setExpires} className="justify-self-start" />
    </FormDialog>
  )
}
