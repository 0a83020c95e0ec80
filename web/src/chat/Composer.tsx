import { ArrowUp, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import type { Model } from '../api/chat.ts'
import { IconButton } from '../ui/Button.tsx'
import { Textarea } from '../ui/Field.tsx'

interface ComposerProps {
  readonly isBusy: boolean
  readonly models: readonly Model[]
  readonly model: string | undefined
  readonly onModel: (name: string) => void
  readonly onSend: (text: string) => void
  readonly onStop: () => void
  /** Above the field. */
  readonly children: ReactNode
}

/** Where a question is written. Enter asks, with Shift it begins a line. */
export function Composer({ isBusy, models, model, onModel, onSend, onStop, children }: ComposerProps) {
  const [text, setText] = useState('')
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (isBusy || text.trim() === '') return
    onSend(text.trim())
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While characters are composed, Enter is for them.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form onSubmit={send} className="grid shrink-0 gap-1.5 border-t border-line p-2">
      {children}
      <Textarea
        aria-label="Ask about this place"
        placeholder="Ask about this place…"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        className="max-h-40"
      />
      <div className="flex items-center gap-2">
        <Models models={models} model={model} onModel={onModel} />
        <span className="flex-1" />
        {isBusy ? (
          <IconButton label="Stop the answer" look="plain" onClick={onStop}>
            <Square />
          </IconButton>
        ) : (
          <IconButton label="Ask" look="main" type="submit" disabled={text.trim() === ''}>
            <ArrowUp />
          </IconButton>
        )}
      </div>
    </form>
  )
}

function Models({ models, model, onModel }: Pick<ComposerProps, 'models' | 'model' | 'onModel'>) {
  const shown = model ?? models[0]?.name ?? ''
  if (models.length < 2) return <span className="min-w-0 truncate pl-1 text-xs text-ink-3">{shown}</span>
  return (
    <select
      aria-label="Model"
      value={shown}
      onChange={({ target }) => onModel(target.value)}
      className="h-7 max-w-56 min-w-0 truncate rounded-md border border-transparent bg-canvas px-1 text-xs text-ink-2 hover:border-line-strong"
    >
      {models.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
