import { useMutation, useQuery } from '@tanstack/react-query'
import { browsersQuery, endBrowser, makeLink, meQuery, type SignedInBrowser, signOut } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { SecretText } from '../../ui/Copy.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { dayOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { scopeText } from './Tokens.tsx'

/** The signed-in person, and their scopes. */
export function You() {
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
export function NewLink() {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: makeLink })
  return (
    <div className="stack justify-items-start gap-3">
      <p className="max-w-prose text-ink-2">
        A link signs a browser in as the owner of this server. It works once, within an hour. A new link replaces the
        previous one.
      </p>
      {data !== undefined && <SecretText text={data} label="Copy the link" />}
      <Button disabled={isPending} onClick={() => mutate()}>
        Make a sign-in link
      </Button>
      {error && <ErrorNote error={error} className="p-0" />}
    </div>
  )
}

/** Each browser that is signed in, with a button that signs it out. */
export function Browsers() {
  const { data, error, refetch } = useQuery(browsersQuery)
  const { mutate, error: failed, isPending } = useMutation({ mutationFn: endBrowser })
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={2} />
  return (
    <>
      <ul aria-label="Signed-in browsers" className="stack">
        {data.browsers.map((browser) => (
          <li key={browser.id} className="flex min-h-10 items-center gap-3 border-b border-line py-1.5">
            <p className="min-w-0 flex-1 leading-5 wrap-anywhere">
              {browser.device || 'Unknown browser'}
              {browser.isThis && <span className="font-medium"> · this browser</span>}
              <span className="block text-xs text-ink-3">
                {browser.name === '' ? 'Owner of this server' : <Name text={browser.name} />}, {aboutBrowser(browser)}
              </span>
            </p>
            {!browser.isThis && (
              <Button look="bad" disabled={isPending} aria-label={nameOf(browser)} onClick={() => mutate(browser.id)}>
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

function nameOf(browser: SignedInBrowser): string {
  const { device, name } = browser
  return `Sign out ${device || 'unknown browser'} of ${name || 'the owner'}, ${aboutBrowser(browser)}`
}
