import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, Input as OperationInput } from '../api/call.ts'
import { operationQuery } from '../api/client.ts'
import { useOperation } from '../api/collections.ts'
import { meQuery } from '../api/me.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'
import { FormDialog } from '../ui/Dialog.tsx'
import { TextFields } from '../ui/Field.tsx'

type Settings = Answer<'settings.show'>
export type Service = Settings['model']
export type ServiceKind = keyof typeof SERVICES

/** The services of a server: what each is for, and what happens without it. */
export const SERVICES = {
  model: {
    name: 'Language model',
    about: 'Writes answers and research reports.',
    without: 'None. Answers quote your files, without a model.',
  },
  search: {
    name: 'Web search',
    about: 'Finds web pages for research.',
    without: 'None. Research uses only your files.',
  },
  embedding: {
    name: 'Embedding model',
    about: 'Finds text by its meaning, more precisely than the built-in table of words.',
    without: 'None. Search uses words and the built-in table.',
  },
  reranking: {
    name: 'Reranking model',
    about: 'Reads the best search results once more and puts the most relevant first.',
    without: 'None',
  },
} as const

/** Another service with OpenAI's API, at any URL. */
const OTHER = 'service'

/** A model in a folder on the server. The dialog can only keep or replace it. */
const FOLDER = 'folder'

/** The server's language model, which can also rerank. */
const LANGUAGE = 'language'

const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  '': 'None',
  [OTHER]: 'a service at a URL',
  [FOLDER]: 'a folder on the server',
  [LANGUAGE]: 'the language model',
}

function providersOf(kind: ServiceKind, settings: Settings) {
  const { model, search } = settings.providers
  const [savedProvider] = splitName(kind, settings[kind])
  const { name: languageModel = 'local/' } = settings.model
  const canRerank = savedProvider === LANGUAGE || !languageModel.startsWith('local/')
  const providers = {
    model,
    search,
    embedding: ['openai', OTHER],
    reranking: [...(canRerank ? [LANGUAGE] : []), OTHER],
  }
  const values = ['', ...(savedProvider === FOLDER ? [FOLDER] : []), ...providers[kind]]
  return values.map((value) => ({ value, name: PROVIDER_NAMES[value] ?? value }))
}

/** The provider, and the provider's name for the model; `''` for none. */
function splitName(kind: ServiceKind, { name = '', url }: Service): readonly [provider: string, model: string] {
  if (kind === 'search' || name === '') return [name, '']
  if (kind === 'embedding' && url === 'https://api.openai.com/v1') return ['openai', name]
  if (kind === 'reranking' && url === undefined) return [LANGUAGE, name]
  if (kind !== 'model') return url === undefined ? [FOLDER, ''] : [OTHER, name]
  const [provider = '', ...rest] = name.split('/')
  return [provider, rest.join('/')]
}

function useServiceForm(kind: ServiceKind, settings: Settings) {
  const { url: savedUrl = '', hasKey } = settings[kind]
  const [savedProvider, savedModel] = splitName(kind, settings[kind])
  const startUrl = kind === 'embedding' && savedProvider === 'openai' ? '' : savedUrl
  const [values, setValues] = useState({ provider: savedProvider, model: savedModel, url: startUrl, key: '' })
  const { provider, model, url, key } = values
  const isService = !['', FOLDER, LANGUAGE].includes(provider)
  const hasModel = isService && kind !== 'search'
  const languageModel = savedProvider === LANGUAGE ? savedModel : (settings.model.name ?? '')
  const named = provider === OTHER ? model : `${provider}/${model}`
  const chosen = provider === LANGUAGE ? languageModel : hasModel ? named : provider
  const input: OperationInput<'settings.set'> = {
    ...(provider !== FOLDER && { [kind]: chosen }),
    ...(isService && { [`${kind}Url`]: url }),
    ...(provider === LANGUAGE && { rerankingUrl: '', rerankingKey: '' }),
    ...(isService && key !== '' && { [`${kind}Key`]: key }),
  }
  const change = (next: Partial<typeof values>) => setValues({ ...values, ...next })
  // A key belongs to one service at one address.
  const keepsKey = hasKey && provider === savedProvider && url === startUrl
  return { ...values, change, isService, hasModel, input, keepsKey }
}

interface ServiceDialogProps {
  readonly kind: ServiceKind
  readonly settings: Settings
  onClose(): void
}

/** Sets one service. A saved key is never shown. */
export function ServiceDialog({ kind, settings, onClose }: ServiceDialogProps) {
  const { mutate, error, isPending } = useOperation('settings.set')
  const { change, input, ...form } = useServiceForm(kind, settings)
  const isOther = form.provider === OTHER
  const keyHint = form.keepsKey ? 'A key is set. Leave empty to keep it.' : 'Leave empty if no key is needed.'
  const urlHint = isOther ? 'Such as http://127.0.0.1:11434/v1' : "Leave empty to use the provider's own URL."
  const modelField = { label: 'Model', hint: "The provider's name for the model.", required: true, isCode: true }
  const fields = [
    ...(form.hasModel ? [{ name: 'model' as const, ...modelField }] : []),
    { name: 'url' as const, label: 'URL', hint: urlHint, type: 'url', required: isOther, isCode: true },
    { name: 'key' as const, label: 'Key', hint: keyHint, type: 'password', autoComplete: 'new-password' },
  ]
  // Leaves out the server's hint, which names environment variables, because the fields say what to do.
  const saving = { isPending, error: error && new Error(error.message) }
  const save = () => mutate(input, { onSuccess: onClose })
  return (
    <FormDialog title={SERVICES[kind].name} className="w-[440px]" onClose={onClose} saving={saving} onSubmit={save}>
      <p className="text-ink-2">{SERVICES[kind].about}</p>
      <Select
        label="Provider"
        value={form.provider}
        values={providersOf(kind, settings)}
        onChange={(provider) => change({ provider })}
        className="justify-self-start"
      />
      {form.isService && <TextFields fields={fields} values={form} onChange={change} />}
      {kind === 'embedding' && form.isService && (
        <p className="text-xs text-ink-3">To search by meaning, press “Make vectors” under Index after saving.</p>
      )}
    </FormDialog>
  )
}

/** A button that sets the language model. Absent if a model is set, or if the person may not set one. */
export function SetModelButton() {
  const { data: me } = useQuery(meQuery)
  const isOwner = me?.isOwner === true
  const { data: settings } = useQuery({ ...operationQuery('settings.show', {}), enabled: isOwner })
  const [isOpen, setOpen] = useState(false)
  if (!isOwner || !settings || settings.model.name !== undefined || settings.model.isFixed) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Set a model</Button>
      {isOpen && <ServiceDialog kind="model" settings={settings} onClose={() => setOpen(false)} />}
    </>
  )
}
