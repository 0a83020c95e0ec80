import { Pencil, Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useOperation } from '../../api/collections.ts'
import { useMay } from '../../api/me.ts'
import { type Place, placeText, uriOf } from '../../api/place.ts'
import { type Description, useDescriptions } from '../../api/places.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { Form, Textarea } from '../../ui/Field.tsx'
import { isSendKey } from '../../ui/hooks.ts'
import { Name, PlainText } from '../../ui/PlainText.tsx'
import { ErrorNote } from '../../ui/State.tsx'

const LINE = 'flex min-h-6 items-baseline gap-2 text-sm leading-5'

interface DescriptionsProps {
  readonly place: Place
  /** Whether the place is a file. A file shows only the nearest inherited description, and a button for the others. */
  readonly isFile?: boolean
}

/** The descriptions of a place: inherited descriptions in grey, then its own description, which can be edited. */
export function Descriptions({ place, isFile = false }: DescriptionsProps) {
  const { data: descriptions, error } = useDescriptions(place)
  const [isAll, setAll] = useState(!isFile)
  const may = useMay('contexts.add')
  if (!descriptions) return error ? null : <div className="h-9 shrink-0" />
  if (descriptions.length === 0 && !may) return null
  const own = descriptions.find((each) => each.place.collection === place.collection && each.place.path === place.path)
  const inherited = descriptions.filter((each) => each !== own)
  const shown = isAll ? inherited : own ? [] : inherited.slice(-1)
  const hidden = inherited.length - shown.length
  const moreButton = hidden > 0 && (
    <TextButton className="shrink-0 text-xs" onClick={() => setAll(true)}>
      {hidden} more
    </TextButton>
  )
  return (
    <section aria-label="Context" className="stack shrink-0 gap-0.5 border-b border-line px-4 py-2">
      {shown.map((each, at) => (
        <p key={placeText(each.place)} className={cn(LINE, 'text-ink-3')}>
          <Scope place={each.place} />
          <PlainText as="span" className="line-clamp-3 min-w-0 wrap-anywhere" title={each.text} text={each.text} />
          {at === shown.length - 1 && moreButton}
        </p>
      ))}
      <OwnDescription key={placeText(place)} place={place} description={own} what={isFile ? 'file' : 'folder'}>
        {shown.length === 0 && moreButton}
      </OwnDescription>
    </section>
  )
}

/** The place of a description. */
function Scope({ place: { collection, path } }: { readonly place: Place }) {
  const name = collection === '' ? 'all collections' : path === '' ? collection : `…/${path.split('/').at(-1)}`
  return <Name title={name} className="max-w-2/5 shrink-0 truncate font-mono text-xs" text={name} />
}

interface OwnProps {
  readonly place: Place
  readonly description: Description | undefined
  readonly what: 'file' | 'folder'
  /** Content after the description. */
  readonly children: ReactNode
}

function OwnDescription({ place, description, what, children }: OwnProps) {
  const [isEditing, setEditing] = useState(false)
  const may = useMay('contexts.add')
  if (isEditing) {
    const about = { path: uriOf(place), name: placeText(place), what, before: description?.text }
    return <Editor {...about} onDone={() => setEditing(false)} />
  }
  const edit = () => setEditing(true)
  if (!description && !may) return children
  if (!description) {
    return (
      <Button icon={Plus} look="quiet" className="-ml-2 h-6 justify-self-start" onClick={edit}>
        Describe this {what}
      </Button>
    )
  }
  return (
    <p className={cn(LINE, 'group')}>
      <span aria-hidden className="size-2 shrink-0 self-start translate-y-1.5 rounded-[2px] bg-kind-path" />
      {may ? (
        <button
          type="button"
          aria-label={`Edit the description: ${description.text}`}
          onClick={edit}
          className="line-clamp-6 min-w-0 rounded-sm text-left wrap-anywhere hover:bg-raised"
        >
          <PlainText text={description.text} />
          <Pencil aria-hidden className="ml-1.5 inline size-3.5 text-ink-3" />
        </button>
      ) : (
        <PlainText as="span" className="line-clamp-6 min-w-0 wrap-anywhere" text={description.text} />
      )}
      {children}
    </p>
  )
}

interface EditorProps {
  /** The place as an input of operations. */
  readonly path: string
  readonly name: string
  readonly what: 'file' | 'folder'
  /** The current description. */
  readonly before?: string | undefined
  readonly onDone: () => void
}

/** The form for a description. Enter saves, Escape cancels. An empty text removes the description. */
export function Editor({ path, name, what, before = '', onDone }: EditorProps) {
  const [text, setText] = useState(before)
  const add = useOperation('contexts.add')
  const remove = useOperation('contexts.remove')
  const save = () => {
    const trimmed = text.trim()
    if (trimmed === before) return onDone()
    if (trimmed === '') return remove.mutate({ path }, { onSuccess: onDone })
    add.mutate({ path, text: trimmed }, { onSuccess: onDone })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone()
    if (!isSendKey(event)) return
    event.preventDefault()
    save()
  }
  const error = add.error ?? remove.error
  return (
    <Form onSubmit={save} className="stack gap-2 py-1">
      <Textarea
        autoFocus
        aria-label={`What ${name} is for`}
        placeholder={`What this ${what} is for, in a sentence or two`}
        maxLength={8192}
        value={text}
        onText={setText}
        onKeyDown={onKeyDown}
      />
      {error && <ErrorNote error={error} className="p-0" />}
      <div className="flex items-center gap-2">
        <Button type="submit" look="main" disabled={add.isPending || remove.isPending}>
          {before !== '' && text.trim() === '' ? 'Remove' : 'Save'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        <span className="text-xs text-ink-3 max-md:hidden">Enter saves. An empty text removes the description.</span>
      </div>
    </Form>
  )
}
