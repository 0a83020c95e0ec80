import { type FormEvent, useState } from 'react'
import { useOperation } from '../../api/collections.ts'
import { SaveButtons } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Labelled, Textarea } from '../../ui/Field.tsx'
import { ErrorNote } from '../../ui/State.tsx'

interface DescribeProps {
  /** A place as operations take it. */
  readonly path: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks what a place is for, and keeps the answer. */
export function Describe({ path, isOpen, onClose }: DescribeProps) {
  return (
    <Dialog title={`What is ${path} for?`} isOpen={isOpen} onClose={onClose} className="w-[480px]">
      <Form path={path} onClose={onClose} />
    </Dialog>
  )
}

function Form({ path, onClose }: Omit<DescribeProps, 'isOpen'>) {
  const [text, setText] = useState('')
  const { mutate, error, isPending } = useOperation('contexts.add')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ path, text }, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit} className="stack gap-3 p-4">
      <Labelled label="Description" hint="One or two sentences. Agents receive them with everything they find here.">
        {(ids) => (
          <Textarea
            {...ids}
            required
            maxLength={8192}
            rows={3}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Labelled>
      {error && <ErrorNote error={error} className="p-0" />}
      <SaveButtons isPending={isPending} onCancel={onClose} />
    </form>
  )
}
