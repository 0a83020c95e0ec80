import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck, FlaskConical, Layers, ListChecks, MessagesSquare, TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { Copy } from '../../ui/Copy.tsx'
import { Form, SearchInput } from '../../ui/Field.tsx'
import { countOf, numberOf } from '../../ui/format.ts'
import { KINDS } from '../../ui/kinds.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Section } from '../../ui/Section.tsx'
import { SourceRow } from '../descriptions/ContextSide.tsx'
import { type LoadAnswer, rowsOf } from '../descriptions/ledger-rows.ts'

/** The first part of Home: a field to search or ask, and the context of coding agents in the served project. */
export function ProjectContext() {
  // The same query as on the context page, so that the answer is cached.
  const { data, isError } = useQuery({ ...operationQuery('load', { place: '.' }), retry: false, staleTime: 30_000 })
  const { data: verdict } = useQuery({ ...operationQuery('diff', { place: '.' }), retry: false, staleTime: 30_000 })
  return (
    <section aria-label="This project" className="border-b border-line pb-4">
      <QuestionField />
      {/* Absent if the person may not see the project. */}
      {!isError && (
        <>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-4">
            <h2 className="text-base font-semibold">What agents get in this project</h2>
            {data && (
              <Name text={data.root} className="min-w-0 flex-1 basis-48 font-mono text-xs wrap-anywhere text-ink-3" />
            )}
            <div className="flex flex-wrap gap-2">
              {STEPS.map(({ to, name, icon: Icon }) => (
                <Link key={to} to={to} className={buttonLook({ look: 'plain' })}>
                  <Icon aria-hidden className="max-sm:hidden" />
                  {name}
                </Link>
              ))}
            </div>
          </div>
          {data ? <Budget answer={data} /> : <div className="h-24" />}
          {verdict && verdict.agents.length > 0 && (
            <Section title="Coding agents" className="px-4 pt-4">
              <ul className="stack gap-1">
                {verdict.agents.map((each) => (
                  <Verdict key={each.agent} verdict={each} />
                ))}
              </ul>
            </Section>
          )}
        </>
      )}
    </section>
  )
}

/** One field to search, and to ask the assistant. */
function QuestionField() {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const search = () => navigate({ to: '/search', search: { q: query } as never })
  // A link of another site cannot set the state of the history, so it cannot ask a question.
  const ask = () => navigate({ to: '/chat', state: { question: query.trim() } as never })
  return (
    <Form role="search" onSubmit={search} className="mx-4 mt-3 flex max-w-3xl flex-wrap gap-2">
      <SearchInput
        aria-label="Search all documents"
        placeholder="Words to search for, or a question"
        value={query}
        onText={setQuery}
        className="basis-64"
      />
      <Button size="md" type="submit">
        Search
      </Button>
      <Button icon={MessagesSquare} size="md" onClick={ask}>
        Ask the assistant
      </Button>
    </Form>
  )
}

const STEPS = [
  { to: '/context', name: 'See the whole context', icon: Layers },
  { to: '/task', name: 'Find code for a task', icon: ListChecks },
  { to: '/research', name: 'Start research', icon: FlaskConical },
] as const

/** Maximum number of sources to show, and of missing rule files to show unfolded. */
const MAX_ROWS = 5

const NO_RULES = (
  <p className="px-4 pt-2 text-ink-2">
    No instruction files apply here yet. Write an AGENTS.md: most agents read it, and Ambit's hook gives it to others.
  </p>
)

/** The budget as a bar, and the most important files with the decision on each. */
function Budget({ answer }: { readonly answer: LoadAnswer }) {
  const rows = useMemo(() => rowsOf(answer).filter(({ isMissing }) => !isMissing), [answer])
  const used = rows.filter(({ after }) => after > 0)
  const { tokenCount, budget } = answer
  if (used.length === 0) return NO_RULES
  return (
    <>
      <p className="px-4 pt-2 text-xs text-ink-2 tabular-nums">
        The context of this folder has <span className="text-base font-semibold text-ink">{numberOf(tokenCount)}</span>
        {budget !== null && ` of ${numberOf(budget)}`} tokens from {countOf(used.length, 'source')}.
      </p>
      <div aria-hidden className="mx-4 mt-1.5 flex h-4 overflow-hidden rounded-sm bg-raised">
        {used.map(({ id, kind, after }) => (
          <span key={id} className={`border-r border-canvas ${KINDS[kind].sign}`} style={{ flex: after }} />
        ))}
        <span style={{ flex: Math.max(0, (budget ?? 0) - tokenCount) }} />
      </div>
      <ul className="mt-2">
        {rows.slice(0, MAX_ROWS).map((row) => (
          <SourceRow key={row.id} row={row} hasReason />
        ))}
      </ul>
      {rows.length > MAX_ROWS && (
        <Link to="/context" className="mx-4 text-xs text-accent underline underline-offset-2">
          {countOf(rows.length - MAX_ROWS, 'more source')}
        </Link>
      )}
    </>
  )
}

/** Whether a coding agent gets every rule that applies here. If not, the missing rules and the fix. */
function Verdict({ verdict: { agent, hook, missing } }: { readonly verdict: Answer<'diff'>['agents'][number] }) {
  const fixes = Map.groupBy(missing, ({ mend }) => mend)
  if (missing.length === 0) {
    return (
      <li className="flex items-center gap-2">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
        <span>
          <b className="font-medium">{agent}</b> gets every rule file{hook && ', with the hook of Ambit'}.
        </span>
      </li>
    )
  }
  return (
    <li>
      <details open={missing.length <= MAX_ROWS}>
        <summary className="flex w-fit items-center gap-2 rounded-sm pr-2 hover:bg-raised">
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
          <span>
            <b className="font-medium">{agent}</b> misses {countOf(missing.length, 'rule file')}
          </span>
        </summary>
        <ul className="stack gap-2 py-1.5 pl-6 text-xs">
          {[...fixes].map(([mend, files]) => (
            <li key={mend} className="stack gap-0.5">
              {files.map(({ title, uri, reason }) => (
                <span key={uri} className="wrap-anywhere">
                  <Name className="font-mono" text={title} /> <span className="text-ink-2">{reason}</span>
                </span>
              ))}
              <span className="flex items-center gap-1 text-ink-3">
                <span className="whitespace-nowrap">To fix it:</span>
                <code className="font-mono wrap-anywhere">{mend}</code>
                <Copy text={mend} label="Copy the fix" />
              </span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}
