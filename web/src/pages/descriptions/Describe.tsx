import { useState } from 'react'
import { useOperation } from '../../api/collections.ts'
import { FormDialog } from '../../ui/Dialog.tsx'
import { Labelled, Textarea } from '../../ui/Field.tsx'

interface DescribeProps {
  /** A place as operations take it. */
  readonly path: string
  readonly onClose: () => void
}

/** Asks what a place is for, and keeps the answer. */
export function Describe({ path, onClose }: DescribeProps) {
  const [text, setText] = useState('')
  const saving = useOperation('contexts.add')
  const save = () => saving.mutate({ path, text }, { onSuccess: onClose })
  return (
    <FormDialog title={`What is ${path} for?`} onClose={onClose} className="w-[480px]" saving={saving} onSubmit={save}>
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
    </FormDialog>
  )
}
