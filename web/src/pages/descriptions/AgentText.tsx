import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { counted } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'

/** Characters that are drawn; copying takes all. */
const MOST = 400_000

interface AgentTextProps {
  readonly text: string
  /** A newer text is on its way. */
  readonly isOld: boolean
  /** Beside the title. */
  readonly children?: ReactNode
  readonly className?: string
}

/** Byte for byte what an agent gets. */
export function AgentText({ text, isOld, children, className }: AgentTextProps) {
  return (
    <section
      aria-labelledby="agent-text"
      className={cn('flex min-w-0 flex-col border-line max-lg:border-t lg:min-h-0 lg:border-l', className)}
    >
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1 pr-2 pl-4">
        <h2 id="agent-text" className="flex-1 text-base font-semibold whitespace-nowrap">
          What the agent sees
        </h2>
        {children}
        <CopyButton text={text} />
      </header>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
        tabIndex={0}
        className={cn(
          'min-h-40 flex-1 overflow-auto px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere',
          isOld && 'opacity-75',
        )}
      >
        <PlainText text={text.slice(0, MOST)} />
      </pre>
      {text.length > MOST && (
        <p className="border-t border-line px-4 py-2 text-xs text-ink-3">
          {counted(text.length - MOST, 'more character')} are not drawn; Copy takes them, too.
        </p>
      )}
    </section>
  )
}
