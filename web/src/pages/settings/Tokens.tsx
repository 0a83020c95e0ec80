import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'
import { useOperation } from '../../api/collections.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/Dialog.tsx'
import { ageOf, dayOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'
import { NewToken } from './NewToken.tsx'

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
      <Button onClick={() => setMaking(true)}>
        <Plus aria-hidden />
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
