import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { operationQuery, refetchAll } from '../../api/client.ts'
import { type CollectionsStatus, useStatus } from '../../api/collections.ts'
import { useLongOperation } from '../../api/follow.ts'
import { browsersQuery, endBrowser, makeLink, meQuery, type SignedInBrowser, signOut, useMay } from '../../api/me.ts'
import { SERVICES, type Service, ServiceDialog, type ServiceKind } from '../../frame/ServiceDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/Copy.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { counted, dayOf, numberOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Page } from '../Page.tsx'
import { scopeText, Tokens } from './Tokens.tsx'

const CODE = 'font-mono text-sm wrap-anywhere'

/** Settings of the server, without sections that the person may not use. */
export function Settings() {
  const { data: me } = useQuery(meQuery)
  const may = { tokens: useMay('token.list'), services: useMay('settings.show') }
  const isOwner = me?.isOwner === true
  const roots = me?.roots ?? []
  const sections: readonly (readonly [title: string, isShown: boolean, content: ReactNode])[] = [
    ['You', true, <You key="you" />],
    ['Sign in another browser', isOwner, <NewLink key="link" />],
    ['Signed-in browsers', isOwner, <Browsers key="browsers" />],
    ['Access tokens', may.tokens, <Tokens key="tokens" />],
    ['Models and web search', may.services, <Services key="services" mayChange={isOwner} />],
    ['Served folders', roots.length > 0, <Roots key="roots" roots={roots} />],
    ['Index', true, <IndexSettings key="index" />],
    ['For programs', true, <Programs key="programs" />],
  ]
  return (
    <Page title="Settings">
      {sections.map(
        ([title, isShown, content]) =>
          isShown && (
            <section key={title} className="border-b border-line px-4 py-4 last:border-0">
              <h2 className="pb-2 text-base font-semibold">{title}</h2>
              {content}
            </section>
          ),
      )}
    </Page>
  )
}

function Roots({ roots }: { readonly roots: readonly string[] }) {
  return (
    <>
      <p className="max-w-prose pb-2 text-ink-2">
        Collections can be added from these folders. They are chosen when the server is started, with{' '}
        <code className={CODE}>--root</code>.
      </p>
      <ul className="stack gap-1">
        {roots.map((root) => (
          <li key={root} className={CODE}>
            {root}
          </li>
        ))}
      </ul>
    </>
  )
}

function Programs() {
  return (
    <p className="max-w-prose text-base text-ink-2">
      Programs can do the same with an access token: by the API, described as{' '}
      <a href="/openapi.json" className="text-accent underline">
        OpenAPI
      </a>
      , or by the Model Context Protocol at <code className={CODE}>/mcp</code>.
    </p>
  )
}

/** The index of all collections, in numbers. */
function IndexSettings() {
  const { data, error, refetch } = useStatus()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={3} />
  const { database, bytes, documents, segments, embedding } = data
  return (
    <Facts
      facts={[
        ['Database', <code key="name">{database}</code>],
        ['Size', sizeOf(bytes)],
        ['Documents', `${numberOf(documents)} in ${counted(segments, 'segment')}`],
        ['Search by meaning', <Vectors key="vectors" embedding={embedding} />],
      ]}
    />
  )
}

/** How many documents have vectors of the embedding model, and what computes the others. */
function Vectors({ embedding }: { readonly embedding: CollectionsStatus['embedding'] }) {
  const may = useMay('embed')
  const { start, stop, isRunning, progress, error } = useLongOperation('embed')
  if (!embedding) return <>No embedding model is set; the built-in table of words is used</>
  const { model, documents, missing } = embedding
  return (
    <div className="stack justify-items-start gap-1.5">
      <p>
        {model}: {counted(documents, 'document')}
        {missing > 0 && `, ${numberOf(missing)} without vectors`}
      </p>
      {isRunning && <ProgressLine label="Making vectors" progress={progress} unit="document" onStop={stop} />}
      {!isRunning && may && missing > 0 && <Button onClick={() => start({}).then(refetchAll)}>Make vectors</Button>}
      {error !== undefined && <ErrorNote error={error} className="p-0" />}
    </div>
  )
}

/** The signed-in person, and their scopes. */
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

/** A link that signs in another browser of the owner. */
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

/** Each browser that is signed in, with a button that signs it out. */
function Browsers() {
  const { data, error, refetch } = useQuery(browsersQuery)
  const { mutate, error: failed, isPending } = useMutation({ mutationFn: endBrowser })
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={2} />
  return (
    <>
      <ul aria-label="Signed-in browsers" className="stack">
        {data.map((browser) => (
          <li key={browser.id} className="flex min-h-10 items-center gap-3 border-b border-line py-1.5">
            <p className="min-w-0 flex-1 leading-5 wrap-anywhere">
              {browser.device || 'Unknown browser'}
              {browser.isThis && <span className="font-medium"> · this browser</span>}
              <span className="block text-xs text-ink-3">
                {browser.name === '' ? 'Owner of this server' : <Name text={browser.name} />}, {aboutBrowser(browser)}
              </span>
            </p>
            {!browser.isThis && (
              <Button
                look="bad"
                disabled={isPending}
                aria-label={`Sign out ${browser.device || 'unknown browser'} of ${browser.name || 'the owner'}, ${aboutBrowser(browser)}`}
                onClick={() => mutate(browser.id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {failed && <ErrorNote error={failed} className="p-0 pt-2" />}
    </>
  )
}

const WAYS = { link: 'by a link', token: 'with a token', provider: 'by the provider' } as const

function aboutBrowser({ by, usedAt, expiresAt }: SignedInBrowser): string {
  const used = usedAt === undefined ? '' : `, last used ${dayOf(usedAt)}`
  return `signed in ${WAYS[by]}${used}, until ${dayOf(expiresAt)}`
}

const KINDS = Object.keys(SERVICES) as readonly ServiceKind[]

/** The models and the web search that the server uses. */
function Services({ mayChange }: { readonly mayChange: boolean }) {
  const { data, error, refetch } = useQuery(operationQuery('settings.show', {}))
  const [changed, setChanged] = useState<ServiceKind>()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={4} />
  return (
    <div className="stack gap-3">
      <ul className="stack">
        {KINDS.map((kind) => (
          <Row key={kind} kind={kind} service={data[kind]} {...(mayChange && { onChange: () => setChanged(kind) })} />
        ))}
      </ul>
      <p className="max-w-prose text-xs text-ink-3">
        Keys are kept on the server and never shown. {data.file !== null && <>Changes are kept in {data.file}.</>}
      </p>
      {changed && <ServiceDialog kind={changed} settings={data} onClose={() => setChanged(undefined)} />}
    </div>
  )
}

interface RowProps {
  readonly kind: ServiceKind
  readonly service: Service
  readonly onChange?: () => void
}

function Row({ kind, service: { name: model, url, hasKey, isFixed }, onChange }: RowProps) {
  const { name, about, without } = SERVICES[kind]
  const facts = model === undefined ? about : [url, hasKey ? 'with a key' : 'without a key'].filter(Boolean).join(' · ')
  return (
    <li className="flex min-h-10 items-center gap-3 border-b border-line py-1.5">
      <div className="min-w-0 flex-1 leading-5">
        <p className="grid grid-cols-[9rem_minmax(0,1fr)] max-sm:grid-cols-1">
          <span className="pr-3 text-ink-3">{name}</span>
          {model === undefined ? (
            <span className="text-ink-2">{without}</span>
          ) : (
            <code className="font-mono text-sm wrap-anywhere">{model}</code>
          )}
        </p>
        <p className="text-xs wrap-anywhere text-ink-3">{facts}</p>
      </div>
      {onChange && isFixed && <p className="max-w-48 text-xs text-ink-3">Set by the server's environment</p>}
      {onChange && !isFixed && (
        <Button onClick={onChange} aria-label={`Change ${name.toLowerCase()}`}>
          Change
        </Button>
      )}
    </li>
  )
}
