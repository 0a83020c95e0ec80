import { Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn.ts'

/** Of 16 px on small screens: below that some phones zoom into a field. */
const LOOK =
  'w-full rounded-md border border-line-strong bg-canvas px-2 text-lg text-ink md:text-sm placeholder:text-ink-3 aria-invalid:border-bad'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(LOOK, 'h-8', className)} {...rest} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cn(LOOK, 'field-sizing-content min-h-8 resize-none py-1.5', className)} {...rest} />
}

/** The large field of a search. */
export function SearchInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <div className={cn('relative min-w-0 flex-1', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-ink-3" />
      <Input type="search" className="pl-8 md:text-base" {...rest} />
    </div>
  )
}

interface LabelledProps {
  readonly label: string
  /** Help below it. */
  readonly hint?: ReactNode
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string }) => ReactNode
}

/** A line of text under its label. */
export function TextField({ label, hint, ...rest }: ComponentProps<'input'> & Omit<LabelledProps, 'children'>) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => <Input {...ids} {...rest} />}
    </Labelled>
  )
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
