import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useStatus } from '../../api/collections.ts'
import { makeLink, meQuery, signOut, useMay } from '../../api/me.ts'
import { setTheme, type Theme, useTheme } from '../../frame/theme.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { counted, numberOf, sizeOf } from '../../ui/format.ts'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Page } from '../Page.tsx'
import { Browsers } from './Browsers.tsx'
import { Services } from './Services.tsx'
import { scopeText } from './scopes.ts'
import { Tokens } from './Tokens.tsx'
import { Vectors } from './Vectors.tsx'

const THEMES: readonly { readonly value: Theme; readonly name: string }[] = [
  { value: 'system', name: 'System' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
]

/** What can be chosen for this browser, and what there is to know about the server. */
export function Settings() {
  const chosen = useTheme()
  const { data: me } = useQuery(meQuery)
  const may = { tokens: useMay('token.list'), services: useMay('settings.show') }
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
      {me?.isOwner && (
        <Part title="Sign in another browser">
          <NewLink />
        </Part>
      )}
      {me?.isOwner && (
        <Part title="Signed-in browsers">
          <Browsers />
        </Part>
      )}
      {may.tokens && (
        <Part title="Access tokens">
          <Tokens />
        </Part>
      )}
      {may.services && (
        <Part title="Models and web search">
          <Services mayChange={me?.isOwner === true} />
        </Part>
      )}
      {me !== undefined && me.roots.length > 0 && (
        <Part title="Served folders">
          <p className="max-w-prose pb-2 text-ink-2">
            Collections can be added from these folders. They are chosen when the server is started, with{' '}
            <code className="font-mono text-sm">--root</code>.
          </p>
          <ul className="stack gap-1">
            {me.roots.map((root) => (
              <li key={root} className="font-mono text-sm wrap-anywhere">
                {root}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Index">
        <Index />
      </Part>
      <Part title="For programs">
        <p className="max-w-prose text-base text-ink-2">
          Programs can do the same with an access token: by the API, described as{' '}
          <a href="/openapi.json" className="text-accent underline">
            OpenAPI
          </a>
          , or by the Model Context Protocol at <code className="font-mono text-sm">/mcp</code>.
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
  const { data, error } = useQuery(meQuery)
  const { mutate, error: failed } = useMutation({ mutationFn: signOut })
  if (!data) return error ? <ErrorNote error={error} className="p-0" /> : <Skeleton rows={2} />
  const { name, isOwner, scopes, collections } = data
  return (
    <div className="stack justify-items-start gap-3">
      <Facts
        facts={[
          ['Name', isOwner ? 'owner of this server' : name],
          ['You may', scopes.map(scopeText).join(', ') || 'nothing'],
          ['Collections', collections === null ? 'all' : collections.join(', ')],
        ]}
      />
      <Button onClick={() => mutate()}>Sign out</Button>
      {failed && <ErrorNote error={failed} className="p-0" />}
    </div>
  )
}

/** A link for another browser of the person who runs the server. */
function NewLink() {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: makeLink })
  return (
    <div className="stack justify-items-start gap-3">
      <p className="max-w-prose text-ink-2">
        A link signs a browser in as the owner of this server. It works once, within an hour; a new link replaces the
        one before.
      </p>
      {data !== undefined && (
        <div className="stack max-w-prose justify-items-start gap-1">
          <code className="rounded-md border border-line-strong bg-surface p-2 font-mono text-xs wrap-anywhere">
            {data}
          </code>
          <CopyButton text={data} label="Copy the link" />
        </div>
      )}
      <Button disabled={isPending} onClick={() => mutate()}>
        Make a sign-in link
      </Button>
      {error && <ErrorNote error={error} className="p-0" />}
    </div>
  )
}

function Index() {
  const { data, error, refetch } = useStatus()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={3} />
  const { database, bytes, documents, segments, embedding } = data
  const facts = [
    ['Database', <code key="name">{database}</code>],
    ['Size', sizeOf(bytes)],
    ['Documents', `${numberOf(documents)} in ${counted(segments, 'segment')}`],
    ['Search by meaning', <Vectors key="vectors" embedding={embedding} />],
  ] as const
  return <Facts facts={facts} />
}

function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 tabular-nums">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 wrap-anywhere [&_code]:font-mono [&_code]:text-xs">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
