import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { addFile, changeRun, createSession, type NewSession, type SessionLine } from '../../api/sessions.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { Labelled, Textarea } from '../../ui/Field.tsx'
import { PlainText } from '../../ui/PlainText.tsx'
import { ErrorNote } from '../../ui/State.tsx'
import { FileDrop } from './FileDrop.tsx'
import { Options, useOptions } from './Options.tsx'

/** Asks for a question, files, and where to look. */
export function NewResearch({ sessions }: { readonly sessions: readonly SessionLine[] }) {
  const navigate = useNavigate()
  const { follows } = useSearch({ strict: false }) as { readonly follows?: string }
  const before = sessions.find(({ session_id }) => session_id === follows)
  const [question, setQuestion] = useState('')
  const [files, setFiles] = useState<readonly File[]>([])
  const [options, setOptions] = useState<SearchChoices>({
    collections: true,
    web: false,
    provider: 'default',
    plan: false,
  })
  const { values, change, input } = useOptions()
  const sending = useMutation({
    mutationFn: () => startRun({ question, files, options, input, follows: before?.session_id }),
    onSuccess: (session) => navigate({ to: '/research/$session', params: { session } }),
  })
  const { data } = useQuery(operationQuery('collections.list', {}))
  const { data: offered } = useQuery({ ...operationQuery('research.list', { limit: 1 }), enabled: options.web })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (question.trim() !== '') sending.mutate()
  }
  return (
    <form onSubmit={submit} className="stack max-w-3xl gap-3 px-4 pt-2">
      {before && (
        <p className="text-sm text-ink-2">
          Follow-up: it starts with the files and findings of “<PlainText text={before.question} />
          ”.
        </p>
      )}
      <Labelled label="Question" hint="">
        {(ids) => (
          <Textarea
            {...ids}
            rows={2}
            autoFocus
            value={question}
            onChange={({ target }) => setQuestion(target.value)}
            className="min-h-16"
          />
        )}
      </Labelled>
      <FileDrop files={files} onChange={setFiles} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {(data?.collections.length ?? 0) > 0 && (
          <Checkbox
            label="Search the collections"
            isOn={options.collections}
            onChange={(collections) => setOptions({ ...options, collections })}
          />
        )}
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
        <Button type="submit" look="main" size="md" disabled={question.trim() === '' || sending.isPending}>
          <Play aria-hidden />
          Start Research
        </Button>
      </div>
      <Options values={values} change={change} />
      {sending.error && <ErrorNote error={sending.error} className="px-0 py-2" />}
    </form>
  )
}

type Provider = NonNullable<NewSession['web']>

const DEFAULT: { readonly value: Provider; readonly name: string } = { value: 'default', name: 'the one in Settings' }

interface SearchChoices {
  readonly collections: boolean
  readonly web: boolean
  readonly provider: Provider
  readonly plan: boolean
}

interface NewRun {
  readonly question: string
  readonly files: readonly File[]
  readonly options: SearchChoices
  readonly input: Omit<NewSession, 'question'>
  readonly follows: string | undefined
}

/** Creates a session, uploads its files, starts it, and returns its id. */
async function startRun({ question, files, options, input, follows }: NewRun): Promise<string> {
  const { collections, web, provider, plan } = options
  const { session_id } = await createSession({
    ...input,
    question,
    searchCollections: collections,
    plan,
    ...(web && { web: provider }),
    ...(follows && { follows }),
  })
  for (const file of files) await addFile(session_id, file)
  await changeRun(session_id, 'start')
  return session_id
}
