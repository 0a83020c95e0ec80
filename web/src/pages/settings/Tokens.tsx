import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'
import { useOperation } from '../../api/collections.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { FormDialog } from '../../ui/Dialog.tsx'
import { ageOf, dayOf, momentOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
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

const CELL = 'border-b border-line py-1.5 pr-4 align-top'

function TokenTable({ tokens }: { readonly tokens: readonly Token[] }) {
  const [revoked, setRevoked] = useState<Token>()
  return (
    <>
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead className="max-md:hidden">
          <tr className="text-left text-xs text-ink-3">
            {['Name', 'Rights', 'Collections', 'Last used', 'State'].map((name) => (
              <th key={name} scope="col" className={cn(CELL, 'font-medium')}>
                {name}
              </th>
            ))}
            <th scope="col" className={cn(CELL, 'w-20')}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <Row key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </tbody>
      </table>
      {revoked && <Revoke token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  )
}

function Row({ token, onRevoke }: { readonly token: Token; readonly onRevoke: () => void }) {
  const { name, scopes, collections, usedAt, createdAt, state } = token
  const cell = cn(CELL, 'wrap-anywhere max-md:hidden')
  return (
    <tr>
      <th scope="row" className={cn(CELL, 'text-left font-medium wrap-anywhere')}>
        <Name text={name} />
        <span className="block text-xs font-normal text-ink-3">
          made <time dateTime={createdAt}>{dayOf(createdAt)}</time>
        </span>
        <span className="block text-xs font-normal text-ink-2 md:hidden">
          {scopes.join(', ')} · {collections === undefined ? 'all collections' : collections.join(', ')} ·{' '}
          <State token={token} />
        </span>
      </th>
      <td className={cell}>{scopes.join(', ')}</td>
      <td className={cell}>{collections === undefined ? 'all' : collections.join(', ')}</td>
      <td className={cn(cell, 'whitespace-nowrap text-ink-2')}>
        {usedAt === undefined ? (
          'never'
        ) : (
          <time dateTime={usedAt} title={momentOf(usedAt)}>
            {ageOf(usedAt)}
          </time>
        )}
      </td>
      <td className={cell}>
        <State token={token} />
      </td>
      <td className={cn(CELL, 'w-20 pr-0 text-right')}>
        {state === 'good' && (
          <Button look="bad" aria-label={`Revoke the token of ${name} made ${dayOf(createdAt)}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
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
