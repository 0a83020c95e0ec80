import { type ReactNode, Suspense, useMemo } from 'react'
import { type FileText, MOST_TEXT, useFileText } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { useIndexedText } from '../../api/places.ts'
import { cn } from '../../ui/cn.ts'
import { sizeOf } from '../../ui/format.ts'
import { endingOf, languageOf } from '../../ui/languages.ts'
import { lazyPart } from '../../ui/part.ts'
import { Scroll } from '../../ui/Scroll.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import { Code } from './Code.tsx'
import { HexView } from './HexView.tsx'
import { ImageView } from './ImageView.tsx'
import { formatOf, type Kind, kindOf } from './kinds.ts'
import { MediaView } from './MediaView.tsx'

const Markdown = lazyPart(() => import('./Markdown.tsx').then(({ Markdown }) => Markdown))
const DataTable = lazyPart(() => import('./DataTable.tsx').then(({ DataTable }) => DataTable))
const DataTree = lazyPart(() => import('./DataTree.tsx').then(({ DataTree }) => DataTree))
const Notebook = lazyPart(() => import('./Notebook.tsx').then(({ Notebook }) => Notebook))
const PdfPages = lazyPart(() => import('./PdfPages.tsx').then(({ PdfPages }) => PdfPages))

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
export function Preview({ place: given, isSource = false, lines, isWhole = false }: PreviewProps) {
  // The same object for the same place: what reads the file begins anew with another.
  const written = JSON.stringify(given)
  const place = useMemo(() => JSON.parse(written) as Place, [written])
  const kind = isSource ? 'code' : kindOf(nameOf(place))
  return (
    <Pane name={nameOf(place)} kind={kind} isWhole={isWhole}>
      <Suspense fallback={<Skeleton />}>
        <View place={place} kind={kind} isSource={isSource} lines={lines} />
      </Suspense>
    </Pane>
  )
}

type ViewProps = Required<Pick<PreviewProps, 'place' | 'isSource'>> &
  Pick<PreviewProps, 'lines'> & { readonly kind: Kind }

function View({ place, kind, isSource, lines }: ViewProps) {
  switch (kind) {
    case 'image':
      return <ImageView place={place} />
    case 'pdf':
      return <PdfPages place={place} />
    case 'audio':
    case 'video':
      return <MediaView place={place} kind={kind} />
    case 'table':
      return <DataTable place={place} />
    default:
      // A search tells lines of the text that was indexed, which of some files is not what stands in them.
      return isIndexedText(place, { kind, isSource, lines }) ? (
        <IndexedText place={place} lines={lines} />
      ) : (
        <Text place={place} kind={kind} lines={lines} />
      )
  }
}

function isIndexedText(
  place: Place,
  { kind, isSource, lines }: Pick<ViewProps, 'kind' | 'isSource' | 'lines'>,
): boolean {
  const own = kindOf(nameOf(place))
  const isParsed = own === 'document' || (isSource && own === 'pdf')
  const isMade = own === 'table' || own === 'tree' || own === 'notebook' || /^x?html?$/.test(endingOf(nameOf(place)))
  return place.within === undefined && (kind === 'document' || isParsed || (isMade && lines !== undefined))
}

interface PaneProps {
  readonly name: string
  readonly kind: Kind
  readonly isWhole: boolean
  readonly children: ReactNode
}

/** Kinds of which a part of its own scrolls, and is reached by keys. */
const SCROLLS_ITSELF: ReadonlySet<Kind> = new Set(['code', 'text', 'table', 'document'])

function Pane({ name, kind, isWhole, children }: PaneProps) {
  if (isWhole || SCROLLS_ITSELF.has(kind)) {
    return (
      <div className={cn('min-w-0', !isWhole && 'min-h-0 flex-1 overflow-auto')} data-preview={kind}>
        {children}
      </div>
    )
  }
  return (
    <Scroll
      label={`Contents of ${name}`}
      className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto"
      data-preview={kind}
    >
      {children}
    </Scroll>
  )
}

interface TextProps {
  readonly place: Place
  readonly kind: Kind
  readonly lines: string | undefined
}

/** Where there is no text in the index, the file as it is. */
function IndexedText({ place, lines }: Pick<TextProps, 'place' | 'lines'>) {
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
  if (!text) return <HexView bytes={bytes} total={total} />
  const name = nameOf(place)
  const language = languageOf(name)
  return (
    <>
      <About file={data} />
      {kind === 'markdown' ? (
        <Markdown text={text.text} place={place} lines={lines} />
      ) : kind === 'notebook' ? (
        <Notebook text={text.text} place={place} />
      ) : kind === 'tree' ? (
        <DataTree text={text.text} format={formatOf(name)} language={language} />
      ) : (
        <Code text={text.text} language={language} lines={lines} />
      )}
    </>
  )
}

/** What is unusual about a text. */
function About({ file: { text, total, isCut } }: { readonly file: FileText }) {
  const whole = total === undefined ? '' : ` of ${sizeOf(total)}`
  const said = [
    ...(text && text.encoding !== 'UTF-8' ? [`Encoding: ${text.encoding}.`] : []),
    ...(isCut ? [`Only the first ${sizeOf(MOST_TEXT)}${whole} are shown.`] : []),
  ]
  if (said.length === 0) return null
  return <p className="border-b border-line bg-surface px-4 py-1.5 text-xs text-ink-2">{said.join(' ')}</p>
}
