import { useId } from 'react'
import { cn } from './cn.ts'

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly values: readonly { readonly value: Value; readonly name: string }[]
  readonly onChange: (value: Value) => void
  readonly className?: string
}

/** The `values` of `Segments` or `Select`. `names`: the name of each value, in order. */
export function choicesOf<Value extends string>(names: Readonly<Record<Value, string>>) {
  return Object.entries<string>(names).map(([value, name]) => ({ value: value as Value, name }))
}

/** One of a few values, side by side. */
export function Segments<Value extends string>({ label, value, values, onChange, className }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className={cn('inline-flex h-7 rounded-md border border-line-strong p-px', className)}>
      <legend className="sr-only">{label}</legend>
      {values.map((each) => (
        <label
          key={each.value}
          className="flex items-center rounded-[5px] px-2 text-xs text-ink-2 select-none hover:text-ink has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={each.value === value}
            onChange={() => onChange(each.value)}
          />
          {each.name}
        </label>
      ))}
    </fieldset>
  )
}

/** One of several values, in the browser's own list. */
export function Select<Value extends string>({ label, value, values, onChange, className }: ChoiceProps<Value>) {
  return (
    <label className={cn('inline-flex items-center gap-1.5 text-xs text-ink-2', className)}>
      {label}
      <select
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
        className="h-7 rounded-md border border-line-strong bg-canvas px-1.5 text-ink"
      >
        {values.map((each) => (
          <option key={each.value} value={each.value}>
            {each.name}
          </option>
        ))}
      </select>
    </label>
  )
}

interface CheckboxProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** A checkbox with its label. */
export function Checkbox({ label, isOn, onChange }: CheckboxProps) {
  return (
    <label className="inline-flex min-h-7 items-center gap-1.5 text-xs text-ink-2 select-none">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
        className="size-3.5 accent-accent"
      />
      {label}
    </label>
  )
}

interface ChoicesProps<Value extends string> {
  readonly legend: string
  readonly values: readonly { readonly value: Value; readonly label: string }[]
  readonly chosen: readonly Value[]
  readonly onChange: (chosen: readonly Value[]) => void
  /** Whether the checkboxes are side by side. */
  readonly isInline?: boolean
}

/** A checkbox for each value. */
export function Choices<Value extends string>({ legend, values, chosen, onChange, isInline }: ChoicesProps<Value>) {
  return (
    <fieldset className="max-h-48 overflow-y-auto">
      <legend className="text-xs font-medium text-ink-2">{legend}</legend>
      <div className={isInline ? 'flex flex-wrap gap-x-4' : 'stack justify-items-start'}>
        {values.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            isOn={chosen.includes(value)}
            onChange={(isOn) => onChange(isOn ? [...chosen, value] : chosen.filter((each) => each !== value))}
          />
        ))}
      </div>
    </fieldset>
  )
}
