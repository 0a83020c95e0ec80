import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Play, Upload } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { addFile, changeRun, createSession, type NewSession, type SessionLine } from '../../api/sessions.ts'
import { Attachments } from '../../ui/Attachments.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Choices, Select } from '../../ui/Choice.tsx'
import { cn } from '../../ui/cn.ts'
import { Form, Labelled, Textarea, TextFields } from '../../ui/Field.tsx'
import { sizeOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { ErrorNote } from '../../ui/State.tsx'

/** The form of new research: question, files, and sources. */
export function NewResearch({ sessions }: { readonly sessions: readonly SessionLine[] }) {
  const navigate = useNavigate()
  const { follows } = useSearch({ strict: false }) as { readonly follows?: string }
  const followed = sessions.find(({ session_id }) => session_id === follows)
  const [question, setQuestion] = useState('')
  const [files, setFiles] = useState<readonly File[]>([])
  const [options, setOptions] = useState({ web: false, provider: DEFAULT.value, plan: false })
  const { data } = useQuery(operationQuery('collections.list', {}))
  const names = data?.collections.map(({ name }) => name) ?? []
  const [excluded, setExcluded] = useState<readonly string[]>([])
  const searched = names.filter((name) => !excluded.includes(name))
  const [values, setValues] = useState<RunOptions>(NO_OPTIONS)
  const sending = useMutation({
    mutationFn: async () => {
      const { web, provider, plan } = options
      const collections = searched.length === names.length ? {} : { collections: searched }
      const sources = { ...collections, searchCollections: searched.length > 0, ...(web && { web: provider }) }
      const follow = followed && { follows: followed.session_id }
      const { session_id } = await createSession({ ...inputOf(values), ...sources, ...follow, question, plan })
      for (const file of files) await addFile(session_id, file)
      await changeRun(session_id, 'start')
      return session_id
    },
    onSuccess: (session) => navigate({ to: '/research/$session', params: { session } }),
  })
  const { data: offered } = useQuery({ ...operationQuery('research.list', { limit: 1 }), enabled: options.web })
  return (
    <Form onSubmit={() => question.trim() !== '' && sending.mutate()} className="stack max-w-3xl gap-3 px-4 pt-2">
      {followed && (
        <p className="text-sm text-ink-2">
          Follow-up: it starts with the files and findings of “<PlainText text={followed.question} />
          ”.
        </p>
      )}
      <Labelled label="Question" hint="">
        {(ids) => <Textarea {...ids} rows={2} autoFocus value={question} onText={setQuestion} className="min-h-16" />}
      </Labelled>
      <FileDrop files={files} onChange={setFiles} />
      {names.length > 0 && (
        <Choices
          legend="Collections to search"
          values={names.map((name) => ({ value: name, label: name }))}
          chosen={searched}
          onChange={(chosen) => setExcluded(names.filter((name) => !chosen.includes(name)))}
          isInline
        />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Checkbox label="Search the web" isOn={options.web} onChange={(web) => setOptions({ ...options, web })} />
        {options.web && (
          <Select
            label="Web provider"
            value={options.provider}
            values={[DEFAULT, ...(offered?.search_providers ?? []).map((value) => ({ value, name: value }))]}
            onChange={(provider) => setOptions({ ...options, provider })}
          />
        )}
        <Checkbox
          label="Show me the plan first"
          isOn={options.plan}
          onChange={(plan) => setOptions({ ...options, plan })}
        />
        <span className="flex-1" />
        <Button icon={Play} type="submit" look="main" size="md" disabled={question.trim() === '' || sending.isPending}>
          {sending.isPending ? 'Starting…' : 'Start Research'}
        </Button>
      </div>
      <Options values={values} change={(next) => setValues({ ...values, ...next })} />
      {sending.error && <ErrorNote error={sending.error} className="px-0 py-2" />}
    </Form>
  )
}

type Provider = NonNullable<NewSession['web']>

const DEFAULT: { readonly value: Provider; readonly name: string } = { value: 'default', name: 'the one in Settings' }

/** The field for files, which a person drops there or chooses. */
function FileDrop({ files, onChange }: { readonly files: readonly File[]; onChange(files: readonly File[]): void }) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  const add = (list: FileList | null) => onChange([...files, ...(list ?? [])])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add(event.dataTransfer.files)
  }
  return (
    <div className="stack gap-1">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same for the keyboard. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          'flex items-center gap-2 rounded-md border border-dashed border-line-strong px-3 py-3 text-sm text-ink-2 has-focus-visible:outline-2 has-focus-visible:outline-accent',
          isOver && 'border-accent bg-selected',
        )}
      >
        <Upload aria-hidden className="size-4 shrink-0" />
        <label htmlFor={id} className="cursor-pointer">
          Drop files here, or <span className="text-accent underline">choose them</span>
        </label>
        <input
          id={id}
          type="file"
          multiple
          className="sr-only"
          onChange={({ target }) => {
            add(target.files)
            target.value = ''
          }}
        />
      </div>
      <Attachments
        label="Selected files"
        files={files.map(({ name, size }) => ({ name: `${name} · ${sizeOf(size)}` }))}
        onRemove={(at) => onChange(files.filter((_, index) => index !== at))}
      />
    </div>
  )
}

/** Options of a run. An empty text is the server's default. */
const NO_OPTIONS = { model: '', isWithoutModel: false, depth: '', calls: '', minutes: '', cost: '', language: '' }

type RunOptions = typeof NO_OPTIONS

function inputOf({ model, isWithoutModel, language, ...limits }: RunOptions): Omit<NewSession, 'question'> {
  const numbers = Object.entries(limits).filter(([, value]) => value !== '')
  return {
    ...Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)])),
    ...(isWithoutModel ? { extractive: true } : model.trim() !== '' && { model: model.trim() }),
    ...(language.trim() !== '' && { language: language.trim() }),
  }
}

/** Possible numbers of levels. */
const DEPTHS = [
  { value: '', name: '3 levels (default)' },
  ...[1, 2, 4, 5, 6].map((depth) => ({ value: String(depth), name: depth === 1 ? '1 level' : `${depth} levels` })),
]

const NUMBER = { type: 'number', min: 1, step: 1 }
const DOLLARS = { type: 'number', min: 0.01, step: 'any' }
const FIELDS = [
  { name: 'model', label: 'Model', hint: "provider/model; default: the server's model.", spellCheck: false },
  { name: 'calls', label: 'Model requests', hint: 'Maximum; default 400.', ...NUMBER },
  { name: 'minutes', label: 'Minutes', hint: 'Maximum; default 60.', ...NUMBER },
  { name: 'cost', label: 'Cost in US dollars', hint: 'Maximum, for models with a known price.', ...DOLLARS },
  { name: 'language', label: 'Language of the report', hint: 'Default: the language of the question.' },
] as const

/** The model, the depth and the limits of a run. */
function Options({ values, change }: { readonly values: RunOptions; change(next: Partial<RunOptions>): void }) {
  const fields = FIELDS.filter(({ name }) => name !== 'model' || !values.isWithoutModel)
  return (
    <details className="text-sm">
      <summary className="w-max rounded-sm text-xs text-ink-2 hover:text-ink">Model, depth and budget</summary>
      <div className="stack gap-3 pt-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Select label="Depth" value={values.depth} values={DEPTHS} onChange={(depth) => change({ depth })} />
          <Checkbox
            label="Without a model: quote the files"
            isOn={values.isWithoutModel}
            onChange={(isWithoutModel) => change({ isWithoutModel })}
          />
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,180px),1fr))] items-start gap-3">
          <TextFields fields={fields} values={values} onChange={change} />
        </div>
      </div>
    </details>
  )
}
