import { Search } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react'
import { cn } from './cn.ts'

/** 16 px on small screens, because some phones zoom into fields with smaller text. */
const LOOK =
  'w-full rounded-md border border-line-strong bg-canvas px-2 text-lg text-ink md:text-sm placeholder:text-ink-3 aria-invalid:border-bad'

type WithText<Props> = Props & { readonly onText?: (text: string) => void }

export type InputProps = WithText<ComponentProps<'input'>> & {
  /** Whether the text is a path, a pattern or an identifier. */
  readonly isCode?: boolean
}

const CODE = { spellCheck: false, autoCapitalize: 'off' }

export function Input({ className, onText, isCode = false, ...rest }: InputProps) {
  const look = cn(LOOK, 'h-8', isCode && 'font-mono md:text-xs', className)
  return <input className={look} onChange={({ target }) => onText?.(target.value)} {...(isCode && CODE)} {...rest} />
}

export function Textarea({ className, onText, ...rest }: WithText<ComponentProps<'textarea'>>) {
  const look = cn(LOOK, 'field-sizing-content min-h-8 resize-none py-1.5', className)
  return <textarea className={look} onChange={({ target }) => onText?.(target.value)} {...rest} />
}

/** A form that the page handles itself, without a request of the browser. */
export function Form({ onSubmit, ...rest }: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit(): void }) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return <form onSubmit={submit} {...rest} />
}

/** The large field of a search. */
export function SearchInput({ className, ...rest }: InputProps) {
  return (
    <div className={cn('relative min-w-0 flex-1', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-3" />
      <Input type="search" className="pl-8 md:text-base" {...rest} />
    </div>
  )
}

interface LabelledProps {
  readonly label: string
  /** Help below the field. */
  readonly hint?: ReactNode
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string }) => ReactNode
}

/** A field of one line under its label. */
export function TextField({ label, hint, ...rest }: InputProps & Omit<LabelledProps, 'children'>) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => <Input {...ids} {...rest} />}
    </Labelled>
  )
}

interface TextFieldsProps<Name extends string> {
  readonly fields: readonly (Omit<ComponentProps<typeof TextField>, 'name'> & { readonly name: Name })[]
  readonly values: Readonly<Record<Name, string>>
  onChange(changed: Partial<Record<Name, string>>): void
}

/** Fields of one line, each under its label. */
export function TextFields<Name extends string>({ fields, values, onChange }: TextFieldsProps<Name>) {
  const change = (name: Name) => (text: string) => onChange({ [name]: text } as Partial<Record<Name, string>>)
  return fields.map((field) => (
    <TextField key={field.name} {...field} value={values[field.name]} onText={change(field.name)} />
  ))
}

/** A field under its label. */
export function Labelled({ label, hint, children }: LabelledProps) {
  const id = useId()
  return (
    <div className="stack gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      {children({ id, 'aria-describedby': `${id}-hint` })}
      <p id={`${id}-hint`} className="text-xs text-ink-3 empty:hidden">
        {hint}
      </p>
    </div>
  )
}
