import { type ReactNode, Suspense, useMemo } from 'react'
import { type FileText, MOST_TEXT, useFileText } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { useIndexedText } from '../../api/places.ts'
import { cn } from '../../ui/cn.ts'
import { sizeOf } from '../../ui/format.ts'
import { languageOf } from '../../ui/languages.ts'
import { Scroll } from '../../ui/Scroll.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Code } from './Code.tsx'
import { type Kind, kindOf, previewOf } from './kinds.tsx'

interface PreviewProps {
  readonly place: Place
  /** Whether to show the source text instead of a rendered view. */
  readonly isSource?: boolean
  /** Lines to show: `10` or `10-20`. */
  readonly lines?: string | undefined
  /** Whether the preview has its full height instead of scrolling. */
  readonly isWhole?: boolean
}

/** A file as people read it. */
export function Preview({ place: given, isSource = false, lines, isWhole = false }: PreviewProps) {
  // Keeps one object for each place, because the file of a new object would be read again.
  const key = JSON.stringify(given)
  const place = useMemo(() => JSON.parse(key) as Place, [key])
  const kind = isSource ? 'code' : kindOf(nameOf(place))
  const { ofFile: OfFile } = previewOf(kind)
  return (
    <Pane name={nameOf(place)} kind={kind} isWhole={isWhole}>
      <Suspense fallback={<Skeleton />}>
        {OfFile && <OfFile place={place} />}
        {!OfFile && showsIndex(place, kind, lines) && <IndexedText place={place} lines={lines} />}
        {!OfFile && !showsIndex(place, kind, lines) && <Text place={place} kind={kind} lines={lines} />}
      </Suspense>
    </Pane>
  )
}

/** Whether the text of the index is shown: for files that are not text, and for lines of the index. */
function showsIndex(place: Place, kind: Kind, lines: string | undefined): boolean {
  const fileKind = kindOf(nameOf(place))
  const hasNoText = kind === 'document' || fileKind === 'document' || (kind === 'code' && fileKind === 'pdf')
  const isAsked = previewOf(fileKind).isConverted === true && lines !== undefined
  return place.within === undefined && (hasNoText || isAsked)
}

interface PaneProps {
  readonly name: string
  readonly kind: Kind
  readonly isWhole: boolean
  readonly children: ReactNode
}

function Pane({ name, kind, isWhole, children }: PaneProps) {
  const paneProps = { 'data-preview': kind, children }
  if (isWhole || previewOf(kind).scrollsItself) {
    return <div className={cn('min-w-0', !isWhole && 'min-h-0 flex-1 overflow-auto')} {...paneProps} />
  }
  const scrolls = 'min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto'
  return <Scroll label={`Contents of ${name}`} className={scrolls} {...paneProps} />
}

interface TextProps {
  readonly place: Place
  readonly kind: Kind
  readonly lines: string | undefined
}

/** The indexed text; the file itself if it is not indexed. */
function IndexedText({ place, lines }: Omit<TextProps, 'kind'>) {
  const { data, error, refetch } = useIndexedText(place, true)
  if (data === undefined) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={10} />
  if (data === null) return <Text place={place} kind="code" lines={lines} />
  return <Code text={data} language={languageOf(nameOf(place))} lines={lines} />
}

function Text({ place, kind, lines }: TextProps) {
  const { data, error, refetch } = useFileText(place)
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={10} />
  const { text, bytes, total } = data
  if (bytes.length === 0) return <Empty title="This file is empty">It has 0 bytes.</Empty>
  if (!text) {
    const size = total === undefined ? '' : `${sizeOf(total)} of data. `
    return <Empty title="This file is not text">{size}Save it to open it with another program.</Empty>
  }
  const { ofText: View = Code } = previewOf(kind)
  return (
    <>
      <About file={data} />
      <View text={text.text} place={place} language={languageOf(nameOf(place))} lines={lines} />
    </>
  )
}

/** Notes about a text: its encoding, unless that is UTF-8, and whether the text is cut. */
function About({ file: { text, total, isCut } }: { readonly file: FileText }) {
  const whole = total === undefined ? '' : ` of ${sizeOf(total)}`
  const notes = [
    ...(text && text.encoding !== 'UTF-8' ? [`Encoding: ${text.encoding}.`] : []),
    ...(isCut ? [`Only the first ${sizeOf(MOST_TEXT)}${whole} are shown.`] : []),
  ]
  if (notes.length === 0) return null
  return <p className="border-b border-line bg-surface px-4 py-1.5 text-xs text-ink-2">{notes.join(' ')}</p>
}
