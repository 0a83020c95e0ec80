import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useStatus } from '../../api/collections.ts'
import { meAsked, signOut } from '../../api/me.ts'
import { setTheme, type Theme, useTheme } from '../../frame/theme.ts'
import { Button } from '../../ui/Button.tsx'
import { counted, numberOf, sizeOf } from '../../ui/format.ts'
import { Skeleton, Trouble } from '../../ui/State.tsx'
import { Page } from '../Page.tsx'

const THEMES: readonly { readonly value: Theme; readonly name: string }[] = [
  { value: 'system', name: 'As the system has it' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]

/** What can be chosen for this browser, and what there is to know about the server. */
export function Settings() {
  const chosen = useTheme()
  return (
    <Page title="Settings">
      <Part title="Appearance">
        <fieldset>
          <legend className="pb-1.5 text-ink-2">Theme, in this browser</legend>
          {THEMES.map(({ value, name }) => (
            <label key={value} className="flex h-7 w-max items-center gap-2">
              <input
                type="radio"
                name="theme"
                checked={chosen === value}
                onChange={() => setTheme(value)}
                className="accent-accent"
              />
              {name}
            </label>
          ))}
        </fieldset>
      </Part>
      <Part title="You">
        <You />
      </Part>
      <Part title="Index">
        <Index />
      </Part>
      <Part title="For programs">
        <p className="max-w-prose text-base text-ink-2">
          The same things are there for programs: the API as{' '}
          <a href="/openapi.json" className="text-accent underline">
            OpenAPI
          </a>
          , and the Model Context Protocol at <code className="font-mono text-sm">/mcp</code>, both with the token of
          this server.
        </p>
      </Part>
    </Page>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 py-4 last:border-0">
      <h2 className="pb-2 text-base font-semibold">{title}</h2>
      {children}
    </section>
  )
}

/** Who is signed in here, and what they may. */
function You() {
  const { data, error } = useQuery(meAsked)
  const { mutate, error: failed } = useMutation({ mutationFn: signOut })
  if (!data) return error ? <Trouble error={error} className="p-0" /> : <Skeleton rows={2} />
  const { name, isOwner, scopes, collections } = data
  return (
    <div className="grid justify-items-start gap-3">
      <Facts
        facts={[
          ['Name', isOwner ? 'whoever runs this server' : name],
          ['You may', scopes.map((scope) => SCOPES[scope] ?? scope).join(', ') || 'nothing'],
          ['Collections', collections === null ? 'all' : collections.join(', ')],
        ]}
      />
      <Button onClick={() => mutate()}>Sign out</Button>
      {failed && <Trouble error={failed} className="p-0" />}
    </div>
  )
}

const SCOPES: Readonly<Record<string, string>> = {
  read: 'read',
  write: 'write what places are for, and index',
  research: 'do research',
  admin: 'add and remove collections and tokens',
}

function Index() {
  const { data, error, refetch } = useStatus()
  if (!data) return error ? <Trouble error={error} retry={refetch} className="p-0" /> : <Skeleton rows={3} />
  const { database, bytes, documents, segments, embedding } = data
  const facts = [
    ['Database', <code key="name">{database}</code>],
    ['Size', sizeOf(bytes)],
    ['Documents', `${numberOf(documents)} in ${counted(segments, 'segment')}`],
    [
      'Meaning',
      embedding ? `${embedding.model}: ${counted(embedding.documents, 'document')}` : 'no embedding model is set',
    ],
  ] as const
  return <Facts facts={facts} />
}

function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 tabular-nums">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 wrap-anywhere [&_code]:font-mono [&_code]:text-xs">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
