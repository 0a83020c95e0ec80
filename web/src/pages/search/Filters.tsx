import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import { asked as query } from '../../api/client.ts'
import { useStatus } from '../../api/collections.ts'
import { Button } from '../../ui/Button.tsx'
import { Input } from '../../ui/Field.tsx'
import type { Asked } from './asked.ts'

interface FiltersProps {
  readonly asked: Asked
  readonly onAsk: (next: Partial<Asked>) => void
}

/** Collections that are offered one by one. */
const MOST = 12

const MODES = [
  { value: 'lexical', name: 'By words' },
  { value: 'vector', name: 'By meaning' },
] as const

/** What narrows a search down. */
export function Filters({ asked, onAsk }: FiltersProps) {
  const [isOpen, setOpen] = useState(asked.path !== '' || asked.after !== '')
  const { data } = useQuery(query('collections.list', {}))
  const { data: status } = useStatus()
  const isFiltered = asked.c.length > 0 || asked.path !== '' || asked.after !== '' || asked.mode !== ''
  const toggle = (name: string) =>
    onAsk({ c: asked.c.includes(name) ? asked.c.filter((each) => each !== name) : [...asked.c, name] })
  const clear = () => {
    setOpen(false)
    onAsk({ c: [], path: '', after: '', mode: '' })
  }
  return (
    <div className="mt-2 grid gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend that is seen. */}
      <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
        {(data?.collections ?? []).slice(0, MOST).map(({ name }) => (
          <Chip key={name} name={name} isOn={asked.c.includes(name)} onToggle={() => toggle(name)} />
        ))}
        {status?.embedding &&
          MODES.map(({ value, name }) => (
            <Chip
              key={value}
              name={name}
              isOn={asked.mode === value}
              onToggle={() => onAsk({ mode: asked.mode === value ? '' : value })}
            />
          ))}
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden />
          Path and date
        </Button>
        {isFiltered && (
          <Button look="quiet" onClick={clear}>
            <X aria-hidden />
            Clear
          </Button>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-wrap items-center gap-3 text-xs text-ink-2">
          <label htmlFor="path" className="flex items-center gap-2">
            Path
            <Input
              id="path"
              key={asked.path === '' ? 'none' : 'some'}
              defaultValue={asked.path}
              placeholder="api/**"
              onChange={({ target }) => onAsk({ path: target.value })}
              className="h-7 w-40 font-mono md:text-xs"
            />
          </label>
          <label htmlFor="after" className="flex items-center gap-2">
            Changed since
            <Input
              id="after"
              type="date"
              value={asked.after}
              onChange={({ target }) => onAsk({ after: target.value })}
              className="h-7 w-36 md:text-xs"
            />
          </label>
        </div>
      )}
    </div>
  )
}

interface ChipProps {
  readonly name: string
  readonly isOn: boolean
  readonly onToggle: () => void
}

function Chip({ name, isOn, onToggle }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className="h-6 max-w-48 truncate rounded-full border border-line-strong px-2.5 text-xs text-ink-2 hover:bg-raised aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:text-ink"
    >
      <bdi>{name}</bdi>
    </button>
  )
}
