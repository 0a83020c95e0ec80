import { lazy, Suspense } from 'react'
import { nameOf, type Place } from '../../../api/place.ts'
import { useText } from '../../../api/places.ts'
import { cn } from '../../../ui/cn.ts'
import { Skeleton, Trouble } from '../../../ui/State.tsx'
import { Code } from './Code.tsx'
import { ImageView } from './ImageView.tsx'
import { type Kind, kindOf, languageOf } from './kinds.ts'

const Markdown = lazy(() => import('./Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })))
const CsvTable = lazy(() => import('./CsvTable.tsx').then(({ CsvTable }) => ({ default: CsvTable })))
const JsonTree = lazy(() => import('./JsonTree.tsx').then(({ JsonTree }) => ({ default: JsonTree })))
const PdfPages = lazy(() => import('./PdfPages.tsx').then(({ PdfPages }) => ({ default: PdfPages })))

interface PreviewProps {
  readonly place: Place
  /** The text as it is, whatever the file is. */
  readonly isSource?: boolean
  /** Those that are to be seen: `10` or `10-20`. */
  readonly lines?: string | undefined
  /** As tall as it is, instead of scrolling. */
  readonly isWhole?: boolean
}

/** A file as people read it. */
export function Preview({ place, isSource = false, lines, isWhole = false }: PreviewProps) {
  const kind = isSource ? 'code' : kindOf(nameOf(place))
  return (
    <div className={cn('min-w-0', !isWhole && 'min-h-0 flex-1 overflow-auto')} data-preview={kind}>
      <Suspense fallback={<Skeleton />}>
        {kind === 'image' ? (
          <ImageView place={place} />
        ) : kind === 'pdf' ? (
          <PdfPages place={place} />
        ) : (
          <Text place={place} kind={kind} lines={lines} />
        )}
      </Suspense>
    </div>
  )
}

interface TextProps {
  readonly place: Place
  readonly kind: Kind
  readonly lines: string | undefined
}

function Text({ place, kind, lines }: TextProps) {
  const { data, error, refetch } = useText(place)
  if (!data) return error ? <Trouble error={error} retry={refetch} /> : <Skeleton rows={10} />
  const { text } = data
  const name = nameOf(place)
  if (kind === 'markdown') return <Markdown text={text} place={place} />
  if (kind === 'table') return <CsvTable text={text} />
  if (kind === 'json') return <JsonTree text={text} />
  return <Code text={text} language={languageOf(name)} lines={lines} />
}
