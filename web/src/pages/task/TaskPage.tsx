import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { follow, type Progress } from '../../api/follow.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Checkbox, Segments } from '../../ui/Choice.tsx'
import { cn } from '../../ui/cn.ts'
import { Form, Labelled, Textarea, TextField } from '../../ui/Field.tsx'
import { countOf, numberOf } from '../../ui/format.ts'
import { useTitle } from '../../ui/hooks.ts'
import { KINDS } from '../../ui/kinds.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { Empty, ErrorNote } from '../../ui/State.tsx'
import { ContextFrame } from '../descriptions/ContextFrame.tsx'

const BUDGETS = ['1000', '2000', '4000', '8000', '16000'] as const
type Budget = (typeof BUDGETS)[number]
const DEFAULT_BUDGET: Budget = '8000'

/** Maximum characters of a task in the URL. A longer task is only in the state of the page. */
const MOST_IN_ADDRESS = 2000

type TaskAnswer = Answer<'task'>
type TaskFile = TaskAnswer['files'][number]

interface TaskRequest {
  readonly task: string
  readonly place: string
  readonly budget: Budget
  readonly signatures: boolean
}

/** Context for a task: the files with their reasons, and the lines. */
export function TaskPage() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [request, setRequest] = useState<TaskRequest>(() => parseTaskRequest(search))
  useTitle(request.task.trim() === '' ? 'Task' : `Task: ${request.task.trim().slice(0, 80)}`)
  const ask = (next: TaskRequest) => {
    setRequest(next)
    const task = next.task.length <= MOST_IN_ADDRESS ? next.task : undefined
    const signatures = next.signatures || undefined
    navigate({ to: '/task', search: { task, place: next.place, budget: next.budget, signatures }, replace: true })
  }
  const isAsked = request.task.trim() !== ''
  const { data, isPlaceholderData } = useQuery({ ...taskQuery(request), enabled: isAsked })
  return (
    <ContextFrame current="/task" text={isAsked ? (data?.text ?? '') : undefined} isOld={isPlaceholderData}>
      <TaskForm request={request} onAsk={ask} />
      {isAsked ? <Findings request={request} onAsk={ask} /> : NOTHING_ASKED}
    </ContextFrame>
  )
}

function parseTaskRequest(search: Readonly<Record<string, unknown>>): TaskRequest {
  const word = (name: string) => String([search[name]].flat()[0] ?? '')
  const budget = BUDGETS.find((each) => each === word('budget')) ?? DEFAULT_BUDGET
  return { task: word('task'), place: word('place') || '.', budget, signatures: word('signatures') === 'true' }
}

/** The query for a task. The first call reads the whole project, which may take long; `PROGRESS` has its progress. */
function taskQuery({ task, place, budget, signatures }: TaskRequest) {
  const input = { task, place, budget: Number(budget), signatures }
  return queryOptions({
    queryKey: ['task', input] as const,
    queryFn: ({ signal, client }) => {
      client.removeQueries({ queryKey: PROGRESS })
      return follow('task', input, { signal, onProgress: (progress) => client.setQueryData(PROGRESS, progress) })
    },
    placeholderData: keepPreviousData,
  })
}

const PROGRESS = ['task progress'] as const

interface AskProps {
  readonly request: TaskRequest
  onAsk(request: TaskRequest): void
}

function TaskForm({ request, onAsk }: AskProps) {
  const [task, setTask] = useState(request.task)
  const [place, setPlace] = useState(request.place)
  const ask = (changed: Partial<TaskRequest> = {}) =>
    onAsk({ ...request, task: task.trim(), place: place.trim() || '.', ...changed })
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) ask()
  }
  return (
    <Form onSubmit={ask} className="stack gap-2 border-b border-line px-4 pt-1 pb-3">
      <Labelled label="Task" hint="A sentence, an issue, a log, a stack trace or a diff.">
        {(ids) => (
          <Textarea
            {...ids}
            value={task}
            onText={setTask}
            onKeyDown={submitByKey}
            rows={4}
            className="max-h-60 overflow-y-auto"
            placeholder="The parser drops the last line of a file without a line end"
          />
        )}
      </Labelled>
      <TextField label="Place" value={place} onText={setPlace} isCode />
      <div className="flex flex-wrap items-center gap-3">
        <span aria-hidden className="text-xs text-ink-2">
          Tokens
        </span>
        <Segments
          label="Budget in tokens"
          value={request.budget}
          values={BUDGETS.map((value) => ({ value, name: numberOf(Number(value)) }))}
          onChange={(budget) => ask({ budget })}
        />
        <Checkbox label="Outline more files" isOn={request.signatures} onChange={(signatures) => ask({ signatures })} />
        <Button type="submit" disabled={task.trim() === ''}>
          Find lines
        </Button>
      </div>
    </Form>
  )
}

const NOTHING_ASKED = (
  <Empty title="Describe a task">
    Ambit finds the lines of code that a task needs, and the instructions about it, without a model. The first time, it
    reads the whole project.
  </Empty>
)

/** A button that doubles the budget, with the number of lines that this adds. */
function TwiceTheBudget({ request, answer, onAsk }: AskProps & { readonly answer: TaskAnswer }) {
  const budget = BUDGETS.find((each) => Number(each) === 2 * answer.budget)
  const next = { ...request, budget: budget ?? request.budget }
  const { placeholderData: _, ...query } = taskQuery(next)
  const { data } = useQuery({ ...query, enabled: budget !== undefined })
  if (!data || !budget) return null
  const linesIn = ({ files }: TaskAnswer) => files.reduce((sum, file) => sum + countLines(file), 0)
  const more = linesIn(data) - linesIn(answer)
  if (more <= 0) return <p className="text-ink-3">Twice the budget shows no more lines.</p>
  return (
    <TextButton onClick={() => onAsk(next)}>
      {numberOf(Number(budget))} tokens show {countOf(more, 'more line')}
    </TextButton>
  )
}

const READING = 'Reading the project'

function Findings({ request, onAsk }: AskProps) {
  const client = useQueryClient()
  const { data: progress } = useQuery<Progress>({ queryKey: PROGRESS, enabled: false })
  const onStop = () => client.cancelQueries({ queryKey: taskQuery(request).queryKey })
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(taskQuery(request))
  if (error && data === undefined) return <ErrorNote error={error} retry={refetch} />
  return (
    <div aria-busy={isFetching}>
      {isFetching && (data === undefined || isPlaceholderData) && (
        <div className="px-4 py-3">
          <ProgressLine {...{ label: READING, before: READING, unit: 'files', progress, onStop }} />
        </div>
      )}
      {!isFetching && data === undefined && (
        <p className="px-4 py-3 text-ink-2">
          Stopped. <TextButton onClick={() => refetch()}>Try again</TextButton>
        </p>
      )}
      {data && (
        <div className={cn('transition-opacity', isPlaceholderData && 'opacity-75')}>
          <div className="flex flex-wrap gap-x-4 px-4 py-2 text-xs text-ink-2 tabular-nums">
            <p role="status">{summaryOf(data)}</p>
            {!isPlaceholderData && <TwiceTheBudget request={request} answer={data} onAsk={onAsk} />}
          </div>
          {data.files.length > 0 && <TaskFiles answer={data} />}
        </div>
      )}
    </div>
  )
}

function summaryOf({ files, tokenCount, budget, index }: TaskAnswer): string {
  if (files.length === 0)
    return `Nothing found: no file of ${numberOf(index.files)} has a word in common with the task.`
  const shown = files.filter(({ ranges }) => ranges.length > 0).length
  const tokens = `${numberOf(tokenCount)} of ${numberOf(budget)} tokens`
  return `${tokens} · lines of ${shown} of ${numberOf(index.files)} files`
}

/** The relevant files, the best first: files whose lines are shown, then the other files. */
function TaskFiles({ answer }: { readonly answer: TaskAnswer }) {
  const shown = answer.files.filter(({ ranges }) => ranges.length > 0)
  const others = answer.files.filter(({ ranges }) => ranges.length === 0)
  const details = new Map(answer.ledger.map(({ title, detail }) => [title, detail]))
  return (
    <>
      <ol aria-label="Files that are shown" className="stack border-t border-line">
        {shown.map((file) => (
          <FileItem key={file.path} file={file} />
        ))}
      </ol>
      {others.length > 0 && (
        <details className="px-4 py-2 text-xs text-ink-3">
          <summary>{countOf(others.length, 'more file')} that are less relevant</summary>
          <ul className="mt-2 stack gap-2">
            {others.map(({ path, why, score }) => (
              <li key={path} className="stack gap-0.5 wrap-anywhere">
                <Name className="font-mono text-ink-2" text={path} />
                <span>
                  {why === '' ? '' : `${why}. `}
                  {details.get(path) ?? `Scores ${score}.`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function FileItem({ file }: { readonly file: TaskFile }) {
  const { path, score, why, ranges } = file
  const bodies = ranges.filter(({ shown }) => shown === 'body')
  const signatureCount = ranges.length - bodies.length
  return (
    <li data-file={path} className="stack gap-1 border-b border-line px-4 py-2">
      <p className="flex items-baseline gap-2">
        <Name className="min-w-0 flex-1 font-mono text-xs wrap-anywhere" text={path} />
        <span className="text-xs whitespace-nowrap text-ink-3 tabular-nums">{countOf(countLines(file), 'line')}</span>
      </p>
      <p className="text-xs text-ink-2 wrap-anywhere">{why}</p>
      <div role="img" aria-label={`Relevance ${score} of 1`} className="h-1 rounded-sm bg-raised">
        <div className={cn('h-full rounded-sm', KINDS.code.sign)} style={{ width: `${score * 100}%` }} />
      </div>
      <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-2 tabular-nums">
        {bodies.map(({ start, end, name }) => (
          <li key={`${start} ${name}`} className="wrap-anywhere">
            <span className="text-ink-3">
              {start}–{end}
            </span>
            {name !== undefined && <Name className="pl-1 font-mono" text={name} />}
          </li>
        ))}
        {signatureCount > 0 && <li className="text-ink-3">{countOf(signatureCount, 'signature')}</li>}
      </ul>
    </li>
  )
}

function countLines({ ranges }: TaskFile): number {
  return new Set(ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at)))
    .size
}
