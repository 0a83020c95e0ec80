import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery, useMay } from '../../api/me.ts'
import { Section } from '../../ui/Section.tsx'
import { Page } from '../Page.tsx'
import { Browsers, NewLink, You } from './Access.tsx'
import { IndexSettings } from './IndexSettings.tsx'
import { Services } from './Services.tsx'
import { Tokens } from './Tokens.tsx'

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
    ['For programs', true, PROGRAMS],
  ]
  const shown = sections.filter(([, isShown]) => isShown)
  return (
    <Page title="Settings">
      {shown.map(([title, , content]) => (
        <Section key={title} title={title} className="border-b border-line p-4 last:border-0">
          {content}
        </Section>
      ))}
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

const PROGRAMS = (
  <p className="max-w-prose text-base text-ink-2">
    Programs can do the same with an access token: by the API, described as{' '}
    <a href="/openapi.json" className="text-accent underline">
      OpenAPI
    </a>
    , or by the Model Context Protocol at <code className={CODE}>/mcp</code>.
  </p>
)
