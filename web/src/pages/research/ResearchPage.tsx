import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { meQuery } from '../../api/me.ts'
import { type SessionLine, sessionsQuery } from '../../api/sessions.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Section } from '../../ui/Section.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'
import { Age } from '../../ui/Time.tsx'
import { Page } from '../Page.tsx'
import { NewResearch } from './NewResearch.tsx'
import { Status } from './Status.tsx'

/** The form of new research, and the sessions. */
export function ResearchPage() {
  const me = useQuery(meQuery)
  const isRefused = me.data?.operations.includes('research.start') === false
  const { data, error, refetch } = useQuery({ ...sessionsQuery, enabled: !isRefused })
  const about = 'Questions that are answered with evidence from files, collections and the web'
  if (isRefused) {
    return (
      <Page title="Research" about={about}>
        <Empty title="You do not have access to research">
          Research needs a token with the scope research. Ask the owner of this server for one.
        </Empty>
      </Page>
    )
  }
  return (
    <Page title="Research" about={about}>
      <NewResearch sessions={data ?? []} />
      <Section title="Earlier research" look="px-4" className="mt-6">
        {error && !data && <ErrorNote error={error} retry={refetch} />}
        {!error && !data && <Skeleton rows={4} />}
        {data?.length === 0 && <p className="px-4 py-2 text-sm text-ink-3">None yet.</p>}
        {data && data.length > 0 && <Table columns={COLUMNS} rows={data} keyOf={({ session_id }) => session_id} />}
      </Section>
    </Page>
  )
}

const COLUMNS: readonly TableColumn<SessionLine>[] = [
  {
    name: 'Question',
    cell: ({ session_id, question, follows }) => (
      <>
        <Link to="/research/$session" params={{ session: session_id }} className="font-medium hover:underline">
          <PlainText text={question} />
        </Link>
        {follows !== null && <span className="ml-2 text-xs text-ink-3">follow-up</span>}
      </>
    ),
  },
  { name: 'State', className: 'w-36', cell: ({ status }) => <Status status={status} /> },
  {
    name: 'Started',
    className: 'w-28 text-ink-2 max-sm:hidden',
    cell: ({ created_at }) => <Age time={created_at} />,
  },
]
