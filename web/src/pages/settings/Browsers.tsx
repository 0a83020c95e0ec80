import { useMutation, useQuery } from '@tanstack/react-query'
import { browsersQuery, endBrowser, type SignedInBrowser } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { dayOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'

/** Who is signed in: each browser, with what signs it out. */
export function Browsers() {
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
