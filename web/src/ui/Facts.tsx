import { Fragment, type ReactNode } from 'react'
import { cn } from './cn.ts'

interface FactsProps {
  /** Names and values. A name without a value is left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  readonly className?: string
}

/** A list of names, with their values beside them. */
export function Facts({ facts, className }: FactsProps) {
  return (
    <dl className={cn('grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 tabular-nums', className)}>
      {facts.map(
        ([name, value]) =>
          value !== undefined &&
          value !== false && (
            <Fragment key={name}>
              <dt className="text-ink-3">{name}</dt>
              <dd className="min-w-0 wrap-anywhere [&_code]:font-mono [&_code]:text-xs">{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
