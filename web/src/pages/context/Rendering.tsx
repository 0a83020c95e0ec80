import { useMemo } from 'react'
import { Segments } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/Copy.tsx'
import { cn } from '../../ui/cn.ts'
import { counted } from '../../ui/format.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import type { LoadAnswer } from '../descriptions/ledger-rows.ts'
import type { OutputFormat } from './useLoadRequest.ts'

interface RenderingProps {
  readonly answer: LoadAnswer | undefined
  readonly shape: OutputFormat
  readonly isOld: boolean
  readonly onShape: (shape: OutputFormat) => void
}

const SHAPES = [
  { value: 'markdown', name: 'Markdown' },
  { value: 'xml', name: 'XML' },
  { value: 'json', name: 'JSON' },
] as const satisfies readonly { readonly value: OutputFormat; readonly name: string }[]

/** Characters that are drawn; copying takes all. */
const MOST = 400_000

/** Byte for byte what the agent gets. */
export function Rendering({ answer, shape, isOld, onShape }: RenderingProps) {
  const text = useMemo(() => textOf(answer, shape), [answer, shape])
  return (
    <section
      aria-labelledby="rendering"
      className="flex min-w-0 flex-col border-line max-lg:border-t lg:min-h-0 lg:flex-[9] lg:border-l"
    >
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1 pr-2 pl-4">
        <h2 id="rendering" className="flex-1 text-base font-semibold whitespace-nowrap">
          What the agent sees
        </h2>
        <Segments label="Format" value={shape} values={SHAPES} onChange={onShape} />
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

function textOf(answer: LoadAnswer | undefined, shape: OutputFormat): string {
  if (!answer) return ''
  return shape === 'json' ? JSON.stringify(answer, null, 2) : answer.text
}
