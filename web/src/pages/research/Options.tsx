import { type ReactNode, useState } from 'react'
import type { NewSession } from '../../api/sessions.ts'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { Input, Labelled } from '../../ui/Field.tsx'

/** Options of a run; an empty text leaves one to the server. */
const NO_OPTIONS = { model: '', isWithoutModel: false, depth: '', calls: '', minutes: '', cost: '', language: '' }

type RunOptions = typeof NO_OPTIONS

export function useOptions() {
  const [values, setValues] = useState<RunOptions>(NO_OPTIONS)
  return { values, change: (next: Partial<RunOptions>) => setValues({ ...values, ...next }), input: inputOf(values) }
}

function inputOf({ model, isWithoutModel, language, ...limits }: RunOptions): Omit<NewSession, 'question'> {
  const numbers = Object.entries(limits).filter(([, value]) => value !== '')
  return {
    ...Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)])),
    ...(isWithoutModel ? { extractive: true } : model.trim() !== '' && { model: model.trim() }),
    ...(language.trim() !== '' && { language: language.trim() }),
  }
}

/** Possible numbers of levels. */
const DEPTHS = [
  { value: '', name: '3 levels (default)' },
  ...[1, 2, 4, 5, 6].map((depth) => ({ value: String(depth), name: depth === 1 ? '1 level' : `${depth} levels` })),
]

const NUMBER = { type: 'number', min: 1, step: 1 }
const FIELDS = [
  { name: 'model', label: 'Model', hint: "provider/model; default: the server's model.", input: { spellCheck: false } },
  { name: 'calls', label: 'Model requests', hint: 'Maximum; default 400.', input: NUMBER },
  { name: 'minutes', label: 'Minutes', hint: 'Maximum; default 60.', input: NUMBER },
  {
    name: 'cost',
    label: 'Cost in US dollars',
    hint: 'Maximum, for models with a known price.',
    input: { type: 'number', min: 0.01, step: 'any' },
  },
  { name: 'language', label: 'Language of the report', hint: 'Default: the language of the question.', input: {} },
] as const

/** With which model, how deep, and how far a run may go. */
export function Options({ values, change }: Pick<ReturnType<typeof useOptions>, 'values' | 'change'>): ReactNode {
  const fields = FIELDS.filter(({ name }) => name !== 'model' || !values.isWithoutModel)
  return (
    <details className="text-sm">
      <summary className="w-max rounded-sm text-xs text-ink-2 hover:text-ink">Model, depth and budget</summary>
      <div className="stack gap-3 pt-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Select label="Depth" value={values.depth} values={DEPTHS} onChange={(depth) => change({ depth })} />
          <Checkbox
            label="Without a model: quote the files"
            isOn={values.isWithoutModel}
            onChange={(isWithoutModel) => change({ isWithoutModel })}
          />
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,180px),1fr))] items-start gap-3">
          {fields.map(({ name, label, hint, input }) => (
            <Labelled key={name} label={label} hint={hint}>
              {(ids) => (
                <Input
                  {...ids}
                  {...input}
                  value={values[name]}
                  onChange={({ target }) => change({ [name]: target.value })}
                />
              )}
            </Labelled>
          ))}
        </div>
      </div>
    </details>
  )
}
