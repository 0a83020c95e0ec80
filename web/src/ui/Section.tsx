import { type ReactNode, useId } from 'react'
import { cn } from './cn.ts'

interface SectionProps {
  readonly title: ReactNode
  readonly className?: string
  /** Classes of the title. */
  readonly look?: string
  readonly children: ReactNode
}

/** A part of a page under its title. */
export function Section({ title, className, look, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className={cn('pb-1 text-base font-semibold', look)}>
        {title}
      </h2>
      {children}
    </section>
  )
}
