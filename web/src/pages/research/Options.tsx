import { type ComponentProps, useState } from 'react'
import type { NewSession } from '../../api/sessions.ts'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { Input, Labelled } from '../../ui/Field.tsx'

/** What is said of a run besides its question and files; an empty text leaves it to the server. */
const NO_OPTIONS = { model: '', isWithoutModel: false, depth: '', calls: '', minutes: '', cost: '', language: '' }

type RunOptions = typeof NO_OPTIONS

export function useOptions() {
  const [said, setSaid] = useState<RunOptions>(NO_OPTIONS)
  return { said, say: (next: Partial<RunOptions>) => setSaid({ ...said, ...next }), wanted: wantedBy(said) }
}

function wantedBy({ model, isWithoutModel, language, ...limits }: RunOptions): Omit<NewSession, 'question'> {
  const numbers = Object.entries(limits).filter(([, value]) => value !== '')
  return {
    ...Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)])),
    ...(isWithoutModel ? { extractive: true } : model.trim() !== '' && { model: model.trim() }),
    ...(language.trim() !== '' && { language: language.trim() }),
  }
}

/** Levels of questions that can be asked for. */
const DEPTHS = [
  { value: '', name: '3 levels (default)' },
  ...[1, 2, 4, 5, 6].map((depth) => ({ value: String(depth), name: depth === 1 ? '1 level' : `${depth} levels` })),
]

/** With which model, how deep, and how far it may go. */
export function Options({ said, say }: Pick<ReturnType<typeof useOptions>, 'said' | 'say'>) {
  return (
    <details className="text-sm">
      <summary className="w-max rounded-sm text-xs text-ink-2 hover:text-ink">Model, depth and budget</summary>
      <div className="stack gap-3 pt-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Select label="Depth" value={said.depth} values={DEPTHS} onChange={(depth) => say({ depth })} />
          <Checkbox
            label="Without a model: quote the files"
            isOn={said.isWithoutModel}
            onChange={(isWithoutModel) => say({ isWithoutModel })}
          />
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,180px),1fr))] items-start gap-3">
          {!said.isWithoutModel && (
            <Labelled label="Model" hint="provider/model; default: the server's model.">
              {(ids) => (
                <Input
                  {...ids}
                  value={said.model}
                  onChange={({ target }) => say({ model: target.value })}
                  spellCheck={false}
                  className="font-mono"
                />
              )}
            </Labelled>
          )}
          <Limit
            label="Model requests"
            hint="Maximum; default 400."
            value={said.calls}
            onSay={(calls) => say({ calls })}
          />
          <Limit
            label="Minutes"
            hint="Maximum; default 60."
            value={said.minutes}
            onSay={(minutes) => say({ minutes })}
          />
          <Limit
            label="Cost in US dollars"
            hint="Maximum, for models with a known price."
            value={said.cost}
            step="any"
            onSay={(cost) => say({ cost })}
          />
          <Labelled label="Language of the report" hint="Default: the language of the question.">
            {(ids) => (
              <Input {...ids} value={said.language} onChange={({ target }) => say({ language: target.value })} />
            )}
          </Labelled>
        </div>
      </div>
    </details>
  )
}

interface LimitProps extends Pick<ComponentProps<'input'>, 'step'> {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly onSay: (value: string) => void
}

function Limit({ label, hint, value, step = 1, onSay }: LimitProps) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <Input
          {...ids}
          type="number"
          min={step === 1 ? 1 : 0.01}
          step={step}
          value={value}
          onChange={({ target }) => onSay(target.value)}
        />
      )}
    </Labelled>
  )
}
