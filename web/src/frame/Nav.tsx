import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { operationQuery } from '../api/client.ts'
import { browseAt } from '../api/place.ts'
import { numberOf } from '../ui/format.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { Name } from '../ui/PlainText.tsx'
import { isIn, SECTIONS, type Section } from './sections.ts'

const ITEM =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-ink-2 hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-ink [&_svg]:size-4 [&_svg]:shrink-0'

function usePath(): string {
  return useRouterState({ select: ({ location }) => location.pathname })
}

function SectionLink({ section, className }: { readonly section: Section; readonly className: string }) {
  const isCurrent = isIn(section, usePath())
  return (
    <Link to={section.to} className={className} aria-current={isCurrent ? 'page' : undefined}>
      <section.icon aria-hidden />
      {section.name}
    </Link>
  )
}

/** The left column: the sections, and the collections. */
export function Nav() {
  return (
    <nav
      aria-label="Sections"
      className="flex w-[208px] shrink-0 flex-col gap-4 overflow-y-auto border-r border-line bg-surface p-2 max-md:hidden"
    >
      <ul className="stack gap-0.5">
        {SECTIONS.map((section) => (
          <li key={section.to}>
            <SectionLink section={section} className={ITEM} />
          </li>
        ))}
      </ul>
      <CollectionLinks />
    </nav>
  )
}

/** Maximum listed collections; Home lists all. */
const MAX_COLLECTIONS = 50

function CollectionLinks() {
  const pathname = usePath()
  const { data } = useQuery(operationQuery('collections.list', {}))
  const collections = data?.collections ?? []
  if (collections.length === 0) return null
  return (
    <section aria-labelledby="nav-collections" className="stack min-h-0 gap-0.5">
      <h2 id="nav-collections" className="px-2 pb-1 text-xs font-medium text-ink-3">
        Collections
      </h2>
      <ul className="stack gap-0.5">
        {collections.slice(0, MAX_COLLECTIONS).map(({ name, documents }) => (
          <li key={name}>
            <Link
              {...browseAt(name)}
              className={ITEM}
              aria-current={pathname.split('/')[2] === encodeURIComponent(name) ? 'true' : undefined}
            >
              <Name title={name} className="min-w-0 flex-1 truncate" text={name} />
              <span className="text-xs font-normal text-ink-3 tabular-nums">{numberOf(documents)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const TAB =
  'stack h-13 w-full justify-items-center gap-0.5 pt-2 text-xs text-ink-2 aria-[current]:font-medium aria-[current]:text-accent [&_svg]:size-5'

/** The sections at the bottom of small screens: four sections, and a menu of the other sections. */
export function Tabs() {
  const pathname = usePath()
  const navigate = useNavigate()
  const others = SECTIONS.filter(({ isMore }) => isMore)
  const isMore = others.some((section) => isIn(section, pathname))
  const moreButton = (
    <button type="button" className={TAB} aria-current={isMore ? 'page' : undefined}>
      <Ellipsis aria-hidden />
      More
    </button>
  )
  return (
    <nav aria-label="Sections" className="shrink-0 border-t border-line bg-surface md:hidden">
      <ul className="grid grid-cols-5">
        {SECTIONS.filter((section) => !section.isMore).map((section) => (
          <li key={section.to}>
            <SectionLink section={section} className={TAB} />
          </li>
        ))}
        <li>
          <Menu trigger={moreButton}>
            {others.map((section) => (
              <MenuItem icon={section.icon} key={section.to} onSelect={() => navigate({ to: section.to })}>
                {section.name}
              </MenuItem>
            ))}
          </Menu>
        </li>
      </ul>
    </nav>
  )
}
