import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { PROFILES } from '../../api/schema.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { Input, TextField } from '../../ui/Field.tsx'
import { useDebounced } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'
import type { LoadAnswer } from '../descriptions/ledger-rows.ts'
import { BudgetSlider } from './BudgetSlider.tsx'
import type { LoadRequest } from './useLoadRequest.ts'

interface ControlsProps {
  readonly asking: LoadRequest
  /** To what was asked before. */
  readonly answer: LoadAnswer | undefined
  readonly change: (next: Readonly<Record<string, unknown>>) => void
}

/** Inputs of the page: the place, the agent's task there, and the budget. */
export function Controls({ asking, answer, change }: ControlsProps) {
  // In a bucket nothing is touched, and no tool has a way of its own to see it.
  const isOnDisk = answer?.place.startsWith('/') ?? /^[/.~]/.test(asking.place ?? '.')
  return (
    <div className="stack gap-2 border-b border-line px-4 pt-1 pb-3">
      <div className="stack gap-2 md:grid-cols-2">
        <PlaceField place={asking.place ?? '.'} onChange={(place) => change({ place })} />
        <TaskField task={asking.task ?? ''} onChange={(task) => change({ task })} />
      </div>
      {isOnDisk && (
        <TouchedFiles
          paths={asking.touched ?? []}
          root={answer?.root.startsWith('/') ? answer.root : undefined}
          onChange={(touched) => change({ touched })}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <BudgetSlider asked={asking.budget} used={answer?.budget} onChange={(next) => change({ budget: next })} />
        <LoadOptions asking={asking} change={change} isOnDisk={isOnDisk} />
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    commit()
  }
  return (
    <form onSubmit={submit}>
      <TextField
        label="Folder or place"
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={commit}
        spellCheck={false}
        autoCapitalize="off"
        className="font-mono md:text-xs"
        placeholder="./src, or handbook/api"
        list={id}
      />
      <datalist id={id}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </form>
  )
}

/** Folders of the disk in the one that is written, for those who may see them. */
function useFolders(written: string): readonly string[] {
  const above = useDebounced(written.slice(0, written.lastIndexOf('/') + 1), COMPLETED)
  const { data } = useQuery({
    ...operationQuery('browse', { disk: above || '.' }),
    enabled: useMay('collections.add') && !above.includes('://'),
    retry: false,
  })
  return (data?.directories ?? []).map(({ name }) => `${above}${name}`)
}

/** Milliseconds after the last letter. */
const PAUSE = 300

function TaskField({ task, onChange }: { readonly task: string; readonly onChange: (task: string) => void }) {
  const [draft, setDraft] = useState(task)
  const later = useDebounced(draft, PAUSE)
  useEffect(() => setDraft(task), [task])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed goes into the address, not what comes from it.
  useEffect(() => {
    if (later === draft && later !== task) onChange(later)
  }, [later])
  return (
    <TextField
      label="Task"
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      placeholder="What the agent is about to do"
    />
  )
}

/** Milliseconds after the last letter, until paths are offered. */
const COMPLETED = 150

interface TouchedProps {
  readonly paths: readonly string[]
  /** Of the project on the disk; undefined if it is not visible. */
  readonly root: string | undefined
  readonly onChange: (paths: readonly string[]) => void
}

/** The files that the agent read or wrote: what applies to them comes in. */
function TouchedFiles({ paths, root, onChange }: TouchedProps) {
  const [draft, setDraft] = useState('')
  const letters = useDebounced(draft.trim(), COMPLETED)
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add(draft.trim())
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span className="text-xs font-medium text-ink-2">Touched files</span>
      {paths.map((path) => (
        <span key={path} className="flex h-6 max-w-full items-center rounded-sm bg-raised pl-1.5 font-mono text-xs">
          <Name title={path} className="truncate" text={path} />
          <IconButton
            icon={X}
            label={`Forget ${path}`}
            className="size-6 [&_svg]:size-3"
            onClick={() => onChange(paths.filter((each) => each !== path))}
          />
        </span>
      ))}
      <form onSubmit={submit} className="flex min-w-32 flex-1 items-center gap-1">
        <Input
          aria-label="A file that the agent touched"
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          spellCheck={false}
          autoCapitalize="off"
          placeholder="src/server.ts, from the project root"
          className="h-7 max-w-80 font-mono md:text-xs"
        />
        {draft.trim() !== '' && (
          <Button icon={Plus} type="submit">
            Add
          </Button>
        )}
      </form>
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

const TOOLS = PROFILES.map((value) => ({ value, name: value === 'ambit' ? 'all files (Ambit)' : value }))

const ORDERS = [
  { value: '', name: 'as the agent has it' },
  { value: 'specific-first', name: 'nearest first' },
  { value: 'general-first', name: 'general first' },
]

const COUNTERS = [
  { value: 'bytes4', name: 'by bytes (fast)' },
  { value: 'o200k', name: "by OpenAI's o200k" },
]

/** The ways in which the same can be asked. What is the default is not in the address. */
function LoadOptions({
  asking,
  change,
  isOnDisk,
}: Pick<ControlsProps, 'asking' | 'change'> & { readonly isOnDisk: boolean }) {
  const { profile = 'ambit', order = '', tokens = 'bytes4', home = true, instructions = true } = asking
  const isUnusual = order !== '' || tokens !== 'bytes4' || !home || !instructions || asking.withContextDir === true
  return (
    <>
      {isOnDisk && (
        <Select
          label="Agent"
          value={profile}
          values={TOOLS}
          onChange={(next) => change({ profile: next === 'ambit' ? undefined : next })}
        />
      )}
      <details open={isUnusual} className="max-md:basis-full">
        <summary className="w-max rounded-sm text-xs text-ink-2 hover:text-ink">More options</summary>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1">
          <Select label="Order" value={order} values={ORDERS} onChange={(next) => change({ order: next })} />
          <Select
            label="Count tokens"
            value={tokens}
            values={COUNTERS}
            onChange={(next) => change({ tokens: next === 'bytes4' ? undefined : next })}
          />
          {isOnDisk ? (
            <>
              <Checkbox
                label="Your own files, from the home folder"
                isOn={home}
                onChange={(isOn) => change({ home: isOn ? undefined : 'false' })}
              />
              <Checkbox
                label="Instruction files"
                isOn={instructions}
                onChange={(isOn) => change({ instructions: isOn ? undefined : 'false' })}
              />
            </>
          ) : (
            <Checkbox
              label="Context directory"
              isOn={asking.withContextDir ?? false}
              onChange={(isOn) => change({ withContextDir: isOn ? 'true' : undefined })}
            />
          )}
        </div>
      </details>
    </>
  )
}
