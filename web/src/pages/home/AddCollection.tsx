import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useDoing } from '../../api/collections.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Input, Labelled } from '../../ui/Field.tsx'
import { Trouble } from '../../ui/State.tsx'

interface AddCollectionProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AddCollection(props: AddCollectionProps) {
  return (
    <Dialog title="Add a collection" className="w-[480px]" {...props}>
      <Form onClose={props.onClose} />
    </Dialog>
  )
}

/** The last name of a path, as a name for the collection. */
function nameFrom(root: string): string {
  return (
    root
      .replace(/\/+$/, '')
      .split('/')
      .at(-1)
      ?.replace(/^[~.]+/, '') ?? ''
  )
}

function Form({ onClose }: Pick<AddCollectionProps, 'onClose'>) {
  const [root, setRoot] = useState('')
  const [named, setNamed] = useState<string>()
  const [pattern, setPattern] = useState('')
  const { mutateAsync, error, isPending } = useDoing('collections.add')
  const navigate = useNavigate()
  const name = named ?? nameFrom(root)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const patterns = pattern.split(',').flatMap((each) => each.trim() || [])
    const added = await mutateAsync({ name, root, ...(patterns.length > 0 && { pattern: patterns }) }).catch(() => {})
    if (!added) return
    onClose()
    navigate({ to: '/browse/$collection/$', params: { collection: added.name, _splat: '' } })
  }
  return (
    <form onSubmit={submit} className="grid gap-3 p-4">
      <Labelled label="Folder" hint="In a directory that the server was started with. Its files stay where they are.">
        {(ids) => (
          <Input
            {...ids}
            required
            value={root}
            onChange={({ target }) => setRoot(target.value)}
            placeholder="docs"
            className="font-mono"
          />
        )}
      </Labelled>
      <Labelled label="Name" hint="How its places are written: name/path.">
        {(ids) => <Input {...ids} required value={name} onChange={({ target }) => setNamed(target.value)} />}
      </Labelled>
      <Labelled
        label="Only files that match"
        hint="Globs with commas between, such as **/*.md. Empty: all that can be read."
      >
        {(ids) => (
          <Input {...ids} value={pattern} onChange={({ target }) => setPattern(target.value)} className="font-mono" />
        )}
      </Labelled>
      {error && <Trouble error={error} className="p-0" />}
      <div className="flex justify-end gap-2 pt-1">
        <Button size="md" onClick={onClose}>
          Cancel
        </Button>
        <Button size="md" look="main" type="submit" disabled={isPending}>
          Add
        </Button>
      </div>
    </form>
  )
}
