import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Answer, Input as OperationInput } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'
import { useOperation } from '../../api/collections.ts'
import { Button, SaveButtons } from '../../ui/Button.tsx'
import { Select } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Input, Labelled } from '../../ui/Field.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'

type Settings = Answer<'settings.show'>
type Kind = keyof typeof SERVICE_NAMES

const SERVICE_NAMES = {
  model: { name: 'Language model', none: 'None. Answers quote your files, without a model.' },
  search: { name: 'Web search', none: 'None. Research uses only your files.' },
  embedding: { name: 'Embedding model', none: 'None. Search matches words only.' },
  reranking: { name: 'Reranking model', none: 'None' },
} as const

const KINDS = ['model', 'search', 'embedding', 'reranking'] as const

/** The models and the web search that the server uses. Keys go in, and never come out. */
export function Services({ mayChange }: { readonly mayChange: boolean }) {
  const { data, error, refetch } = useQuery(operationQuery('settings.show', {}))
  const [changed, setChanged] = useState<Kind>()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={4} />
  return (
    <div className="stack gap-3">
      <ul className="stack">
        {KINDS.map((kind) => (
          <Row key={kind} kind={kind} service={data[kind]} {...(mayChange && { onChange: () => setChanged(kind) })} />
        ))}
      </ul>
      <p className="max-w-prose text-xs text-ink-3">
        Keys are kept on the server and never shown. {data.file !== null && <>Changes are kept in {data.file}.</>}
      </p>
      {changed && <Change kind={changed} settings={data} onClose={() => setChanged(undefined)} />}
    </div>
  )
}

interface RowProps {
  readonly kind: Kind
  readonly service: Settings['model']
  readonly onChange?: () => void
}

function Row({ kind, service: { name, url, hasKey, isFixed }, onChange }: RowProps) {
  const words = SERVICE_NAMES[kind]
  return (
    <li className="flex min-h-10 items-center gap-3 border-b border-line py-1.5">
      <div className="min-w-0 flex-1 leading-5">
        <p className="grid grid-cols-[9rem_minmax(0,1fr)] max-sm:grid-cols-1">
          <span className="pr-3 text-ink-3">{words.name}</span>
          {name === undefined ? <span className="text-ink-2">{words.none}</span> : <Value text={name} />}
        </p>
        {name !== undefined && (
          <p className="text-xs wrap-anywhere text-ink-3">
            {[url, hasKey ? 'with a key' : 'without a key'].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
      {onChange &&
        (isFixed ? (
          <p className="max-w-48 text-xs text-ink-3">Set by the server's environment</p>
        ) : (
          <Button onClick={onChange} aria-label={`Change ${words.name.toLowerCase()}`}>
            Change
          </Button>
        ))}
    </li>
  )
}

function Value({ text }: { readonly text: string }) {
  return <code className="font-mono text-sm wrap-anywhere">{text}</code>
}

interface ChangeProps {
  readonly kind: Kind
  readonly settings: Settings
  readonly onClose: () => void
}

/** A service that speaks as OpenAI does, wherever it is: its models have names of their own. */
const SERVICE = 'service'

/** A model in a folder on the server: what can be chosen is only whether it stays. */
const FOLDER = 'folder'

const NAMES: Readonly<Record<string, string>> = {
  '': 'None',
  [SERVICE]: 'a service at a URL',
  [FOLDER]: 'a folder of the server',
}

/** What can be chosen. */
function providersOf(kind: Kind, settings: Settings): readonly { readonly value: string; readonly name: string }[] {
  const { model, search } = settings.providers
  const own = { model, search, embedding: ['openai', SERVICE], reranking: [SERVICE] }
  const [present] = partsOf(kind, settings[kind])
  const values = ['', ...(present === FOLDER ? [FOLDER] : []), ...own[kind]]
  return values.map((value) => ({ value, name: NAMES[value] ?? value }))
}

/** The provider, and the model as that calls it. */
function partsOf(kind: Kind, { name = '', url }: Settings[Kind]): readonly [provider: string, model: string] {
  if (kind === 'search' || name === '') return [name, '']
  if (kind === 'embedding' && url === 'https://api.openai.com/v1') return ['openai', name]
  if (kind !== 'model') return url === undefined ? [FOLDER, ''] : [SERVICE, name]
  const [provider = '', ...rest] = name.split('/')
  return [provider, rest.join('/')]
}

/** A service as it was filled in. */
function useService({ kind, settings }: Pick<ChangeProps, 'kind' | 'settings'>) {
  const { url: known = '', hasKey } = settings[kind]
  const [first, name] = partsOf(kind, settings[kind])
  const [provider, setProvider] = useState(first)
  const [model, setModel] = useState(name)
  const own = kind === 'embedding' && first === 'openai' ? '' : known
  const [url, setUrl] = useState(own)
  const [key, setKey] = useState('')
  const isService = provider !== '' && provider !== FOLDER
  const hasModel = isService && kind !== 'search'
  const chosen = !hasModel ? provider : provider === SERVICE ? model : `${provider}/${model}`
  const change: OperationInput<'settings.set'> = {
    ...(provider !== FOLDER && { [kind]: chosen }),
    ...(isService && { [`${kind}Url`]: url }),
    ...(key !== '' && { [`${kind}Key`]: key }),
  }
  /** A key is of one service at one place. */
  const keepsKey = hasKey && provider === first && url === own
  return {
    ...{ provider, setProvider, model, setModel, url, setUrl, key, setKey },
    isService,
    hasModel,
    change,
    keepsKey,
  }
}

function Change({ kind, settings, onClose }: ChangeProps) {
  const { mutate, error, isPending } = useOperation('settings.set')
  const form = useService({ kind, settings })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(form.change, { onSuccess: onClose })
  }
  return (
    <Dialog title={SERVICE_NAMES[kind].name} isOpen onClose={onClose} className="w-[440px]">
      <form onSubmit={submit} className="stack gap-3 p-4">
        <Select
          label="Provider"
          value={form.provider}
          values={providersOf(kind, settings)}
          onChange={form.setProvider}
          className="justify-self-start"
        />
        {form.hasModel && (
          <Labelled label="Model" hint="The provider's name for the model.">
            {(ids) => (
              <Input
                {...ids}
                required
                value={form.model}
                onChange={({ target }) => form.setModel(target.value)}
                spellCheck={false}
                className="font-mono"
              />
            )}
          </Labelled>
        )}
        {form.isService && <AddressAndKey form={form} />}
        {kind === 'embedding' && form.isService && (
          <p className="text-xs text-ink-3">To search by meaning, press “Make vectors” under Index after saving.</p>
        )}
        {/* What to do about it is above; the server's hint names variables. */}
        {error && <ErrorNote error={new Error(error.message)} className="p-0" />}
        <SaveButtons isPending={isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function AddressAndKey({ form }: { readonly form: ReturnType<typeof useService> }) {
  return (
    <>
      <Labelled
        label="URL"
        hint={form.provider === SERVICE ? 'Such as http://127.0.0.1:11434/v1' : "Leave empty for the provider's own."}
      >
        {(ids) => (
          <Input
            {...ids}
            type="url"
            required={form.provider === SERVICE}
            value={form.url}
            onChange={({ target }) => form.setUrl(target.value)}
            className="font-mono"
          />
        )}
      </Labelled>
      <Labelled
        label="Key"
        hint={form.keepsKey ? 'A key is set. Leave empty to keep it.' : 'Leave empty if no key is needed.'}
      >
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete="new-password"
            value={form.key}
            onChange={({ target }) => form.setKey(target.value)}
          />
        )}
      </Labelled>
    </>
  )
}
