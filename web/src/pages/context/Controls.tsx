import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { PROFILES } from '../../api/schema.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Checkbox, choicesOf, Select } from '../../ui/Choice.tsx'
import { Form, Input, TextField } from '../../ui/Field.tsx'
import { useDebounced, useDraft } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'
import type { LoadAnswer } from '../descriptions/ledger-rows.ts'
import { BudgetSlider } from './BudgetSlider.tsx'
import type { LoadRequest } from './useLoadRequest.ts'

interface ControlsProps {
  readonly request: LoadRequest
  /** The newest answer; while a new answer loads, the answer to the previous request. */
  readonly answer: LoadAnswer | undefined
  readonly change: (next: Readonly<Record<string, unknown>>) => void
}

/** Inputs of the page: the place, the agent's task there, and the budget. */
export function Controls({ request, answer, change }: ControlsProps) {
  // Touched files and agent profiles exist only for places on disk.
  const isOnDisk = answer?.place.startsWith('/') ?? /^[/.~]/.test(request.place ?? '.')
  return (
    <div className="stack gap-2 border-b border-line px-4 pt-1 pb-3">
      <div className="stack gap-2 md:grid-cols-2">
        <PlaceField place={request.place ?? '.'} onChange={(place) => change({ place })} />
        <TaskField task={request.task ?? ''} onChange={(task) => change({ task })} />
      </div>
      {isOnDisk && (
        <TouchedFiles
          paths={request.touched ?? []}
          root={answer?.root.startsWith('/') ? answer.root : undefined}
          onChange={(touched) => change({ touched })}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <BudgetSlider asked={request.budget} used={answer?.budget} onChange={(next) => change({ budget: next })} />
        <LoadOptions request={request} change={change} isOnDisk={isOnDisk} />
      </div>
    </div>
  )
}

function PlaceField({ place, onChange }: { readonly place: string; readonly onChange: (place: string) => void }) {
  const [draft, setDraft] = useState(place)
  useEffect(() => setDraft(place), [place])
  const id = useId()
  const folders = useFolders(draft)
  const commit = () => draft.trim() !== '' && draft !== place && onChange(draft.trim())
  return (
    <Form onSubmit={commit}>
      <TextField
        label="Folder or place"
        value={draft}
        onText={setDraft}
        onBlur={commit}
        isCode
        placeholder="./src, or handbook/api"
        list={id}
      />
      <datalist id={id}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </Form>
  )
}

/** Subfolders of the typed folder on disk, for people who may see them. */
function useFolders(written: string): readonly string[] {
  const typedFolder = useDebounced(written.slice(0, written.lastIndexOf('/') + 1), SUGGEST_MS)
  const { data } = useQuery({
    ...operationQuery('browse', { disk: typedFolder || '.' }),
    enabled: useMay('collections.add') && !typedFolder.includes('://'),
    retry: false,
  })
  return (data?.directories ?? []).map(({ name }) => `${typedFolder}${name}`)
}

/** Milliseconds after the last letter until the request is sent. */
const DEBOUNCE_MS = 300

function TaskField({ task, onChange }: { readonly task: string; readonly onChange: (task: string) => void }) {
  const [draft, setDraft] = useDraft(task, DEBOUNCE_MS, onChange)
  return <TextField label="Task" value={draft} onText={setDraft} placeholder="What the agent is about to do" />
}

/** Milliseconds after the last letter until paths are suggested. */
const SUGGEST_MS = 150

interface TouchedProps {
  readonly paths: readonly string[]
  /** Root of the project on disk; undefined if it is not visible. */
  readonly root: string | undefined
  readonly onChange: (paths: readonly string[]) => void
}

/** The files that the agent read or wrote. The context gets the instruction files that apply to them. */
function TouchedFiles({ paths, root, onChange }: TouchedProps) {
  const [draft, setDraft] = useState('')
  const letters = useDebounced(draft.trim(), SUGGEST_MS)
  const may = useMay('collections.add')
  const { data } = useQuery({
    ...operationQuery('browse', { disk: root ?? '.', match: letters, limit: 8 }),
    enabled: may && root !== undefined && letters !== '',
    retry: false,
  })
  const add = (path: string) => {
    if (path !== '' && !paths.includes(path)) onChange([...paths, path])
    setDraft('')
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="text-xs font-medium text-ink-2">Touched files</span>
      {paths.map((path) => (
        <span key={path} className="flex h-6 max-w-full items-center rounded-sm bg-raised pl-1.5 font-mono text-xs">
          <Name title={path} className="truncate" text={path} />
          <IconButton
            icon={X}
            label={`Remove ${path}`}
            className="size-6 [&_svg]:size-3"
            onClick={() => onChange(paths.filter((each) => each !== path))}
          />
        </span>
      ))}
      <Form onSubmit={() => add(draft.trim())} className="flex min-w-32 flex-1 items-center gap-1">
        <Input
          aria-label="A file that the agent touched"
          value={draft}
          onText={setDraft}
          isCode
          placeholder="src/server.ts, from the project root"
          className="h-7 max-w-80"
        />
        {draft.trim() !== '' && (
          <Button icon={Plus} type="submit">
            Add
          </Button>
        )}
      </Form>
      {letters !== '' && draft.trim() !== '' && (data?.files?.length ?? 0) > 0 && (
        <ul aria-label="Files of the project" className="flex w-full flex-wrap gap-1">
          {data?.files?.map((path) => (
            <li key={path} className="min-w-0">
              <button
                type="button"
                onClick={() => add(path)}
                className="rounded-sm border border-line px-1.5 py-0.5 text-left font-mono text-xs wrap-anywhere hover:bg-raised"
              >
                <Name text={path} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const AGENTS = PROFILES.map((value) => ({ value, name: value === 'ambit' ? 'all files (Ambit)' : value }))

const NEAREST = { 'specific-first': 'nearest first', 'general-first': 'general first' }
const ORDERS = choicesOf({ '': "the agent's own order", ...NEAREST })
const COUNTERS = choicesOf({ bytes4: 'by bytes (fast)', o200k: "by OpenAI's o200k" })

/** Options of the request. The URL leaves out defaults. */
function LoadOptions({ request, change, isOnDisk }: Omit<ControlsProps, 'answer'> & { readonly isOnDisk: boolean }) {
  const {
    profile = 'ambit',
    order = '',
    tokens = 'bytes4',
    home = true,
    instructions = true,
    withContextDir = false,
  } = request
  const isUnusual = order !== '' || tokens !== 'bytes4' || !home || !instructions || withContextDir
  const set = (name: string, byDefault: unknown) => (next: unknown) =>
    change({ [name]: next === byDefault ? undefined : String(next) })
  return (
    <>
      {isOnDisk && <Select label="Agent" value={profile} values={AGENTS} onChange={set('profile', 'ambit')} />}
      <details open={isUnusual} className="max-md:basis-full">
        <summary className="w-max rounded-sm text-xs text-ink-2 hover:text-ink">More options</summary>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1">
          <Select label="Order" value={order} values={ORDERS} onChange={set('order', '')} />
          <Select label="Count tokens" value={tokens} values={COUNTERS} onChange={set('tokens', 'bytes4')} />
          {isOnDisk ? (
            <>
              <Checkbox label="Your own files, from the home folder" isOn={home} onChange={set('home', true)} />
              <Checkbox label="Instruction files" isOn={instructions} onChange={set('instructions', true)} />
            </>
          ) : (
            <Checkbox label="Context directory" isOn={withContextDir} onChange={set('withContextDir', false)} />
          )}
        </div>
      </details>
    </>
  )
}
