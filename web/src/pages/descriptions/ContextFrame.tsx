import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { countOf } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import { Tabs } from '../../ui/Tabs.tsx'

/** The pages about context, as tabs. */
const PAGES = [
  { to: '/context', name: 'At a place' },
  { to: '/task', name: 'For a task' },
] as const

interface ContextFrameProps {
  readonly current: (typeof PAGES)[number]['to']
  /** Content beside the tabs. */
  readonly about?: ReactNode
  /** The exact text that an agent gets; undefined before a request. */
  readonly text: string | undefined
  /** Whether a newer text is loading. */
  readonly isOld: boolean
  /** Content beside the title of the text. */
  readonly format?: ReactNode
  readonly children: ReactNode
}

/** A page of context: the decisions, beside the text that an agent gets. */
export function ContextFrame({ current, about, text, isOld, format, children }: ContextFrameProps) {
  return (
    <div className="flex h-full flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="min-w-0 shrink-0 lg:flex-1 lg:overflow-y-auto">
        <header className="flex min-h-12 flex-wrap items-center gap-x-3 px-4 pt-2">
          <h1 className="text-lg font-semibold">Context</h1>
          <Tabs label="Kinds of context" tabs={PAGES.map((one) => ({ ...one, isCurrent: one.to === current }))} />
          {about}
        </header>
        {children}
      </div>
      {text !== undefined && (
        <section
          aria-labelledby="agent-text"
          className="flex min-w-0 flex-col border-line max-lg:border-t lg:min-h-0 lg:flex-1 lg:border-l"
        >
          <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1 pr-2 pl-4">
            <h2 id="agent-text" className="flex-1 text-base font-semibold whitespace-nowrap">
              What the agent sees
            </h2>
            {format}
            <CopyButton text={text} />
          </header>
          <Scroll label="The text" className={cn('min-h-40 flex-1 overflow-auto px-4 py-3', isOld && 'opacity-75')}>
            <PlainText as="pre" className={TEXT} text={text.slice(0, MAX_CHARACTERS)} />
          </Scroll>
          {text.length > MAX_CHARACTERS && (
            <p className="border-t border-line px-4 py-2 text-xs text-ink-3">
              {countOf(text.length - MAX_CHARACTERS, 'more character')} are not shown. “Copy” includes them.
            </p>
          )}
        </section>
      )}
    </div>
  )
}

/** Maximum number of characters to show. Copying takes the whole text. */
const MAX_CHARACTERS = 400_000

const TEXT = 'font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere'
