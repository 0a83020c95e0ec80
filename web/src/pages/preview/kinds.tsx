/** The table of previews: the kind of each file by its name. A new kind is a line here and its component. */

import * as Icons from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { bytesUrl } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { endingOf } from '../../ui/languages.ts'
import { lazyPart } from '../../ui/part.ts'
import { Empty } from '../../ui/State.tsx'
import { Code } from './Code.tsx'

/** Props of a component that shows a text. */
export interface TextViewProps {
  readonly text: string
  readonly place: Place
  readonly language: string
  /** Lines that are marked and brought into view: `10` or `10-20`. */
  readonly lines?: string | undefined
}

interface PreviewKind {
  /** Extensions of file names. */
  readonly endings: string
  readonly icon: Icons.LucideIcon
  /** Shows the text of a file. Without `ofText` and `ofFile`, the text of the index is shown. */
  readonly ofText?: ComponentType<TextViewProps>
  /** Reads and shows a file. */
  readonly ofFile?: ComponentType<{ readonly place: Place }>
  /** Whether a person can switch to the source. */
  readonly hasSource?: boolean
  /** Whether lines of the index differ from lines of the file. */
  readonly isConverted?: boolean
  /** Whether the preview has its own scroll area, which the keyboard can reach. Otherwise the preview scrolls as a whole. */
  readonly scrollsItself?: boolean
}

const Markdown = lazyPart(() => import('./Markdown.tsx').then(({ Markdown }) => Markdown))
const DataTable = lazyPart(() => import('./DataTable.tsx').then(({ DataTable }) => DataTable))
const DataTree = lazyPart(() => import('./DataTree.tsx').then(({ DataTree }) => DataTree))
const Notebook = lazyPart(() => import('./Notebook.tsx').then(({ Notebook }) => Notebook))
const PdfPages = lazyPart(() => import('./PdfPages.tsx').then(({ PdfPages }) => PdfPages))

const TABLE = { icon: Icons.FileSpreadsheet, ofFile: DataTable, isConverted: true, scrollsItself: true }

const KINDS = {
  markdown: { endings: 'md markdown mdx mdc', icon: Icons.FileText, ofText: Markdown, hasSource: true },
  notebook: { endings: 'ipynb', icon: Icons.FileCode, ofText: Notebook, hasSource: true, isConverted: true },
  table: { ...TABLE, endings: 'csv tsv', hasSource: true },
  columns: { ...TABLE, endings: 'parquet pq arrow arrows feather' },
  tree: {
    ...{ endings: 'json geojson webmanifest jsonl ndjson yaml yml toml', icon: Icons.FileJson },
    ...{ ofText: DataTree, hasSource: true, isConverted: true },
  },
  drawing: { endings: 'svg', icon: Icons.FileImage, ofFile: MediaView, hasSource: true },
  image: { endings: 'png jpg jpeg gif webp avif bmp ico', icon: Icons.FileImage, ofFile: MediaView },
  pdf: { endings: 'pdf', icon: Icons.FileText, ofFile: PdfPages, hasSource: true },
  audio: { endings: 'mp3 wav ogg oga opus flac m4a aac', icon: Icons.FileAudio, ofFile: MediaView },
  video: { endings: 'mp4 webm m4v ogv mov', icon: Icons.FileVideo, ofFile: MediaView },
  page: { endings: 'html htm xhtml', icon: Icons.FileCode, ofText: Code, isConverted: true, scrollsItself: true },
  text: { endings: 'txt text log', icon: Icons.File, ofText: Code, scrollsItself: true },
  document: { endings: 'docx docm xlsx xlsm pptx pptm odt', icon: Icons.FileText, scrollsItself: true },
  code: { endings: '', icon: Icons.FileCode, ofText: Code, scrollsItself: true },
} as const satisfies Readonly<Record<string, PreviewKind>>

export type Kind = keyof typeof KINDS

const BY_ENDING: ReadonlyMap<string, Kind> = new Map(
  Object.entries(KINDS).flatMap(([kind, { endings }]) => endings.split(' ').map((ending) => [ending, kind as Kind])),
)

export function kindOf(name: string): Kind {
  const kind = name.includes('.') ? BY_ENDING.get(endingOf(name)) : undefined
  return kind ?? (name.includes('.') || /^(make|docker)file$/i.test(name) ? 'code' : 'text')
}

export function previewOf(kind: Kind): PreviewKind {
  return KINDS[kind]
}

const CANNOT_PLAY = 'This browser cannot play this format. Save the file to play it.'

/** An image; or a recording, with the controls of the browser. */
function MediaView({ place }: { readonly place: Place }): ReactNode {
  const [facts, setFacts] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  const name = nameOf(place)
  const kind = kindOf(name)
  const Recording = kind === 'audio' || kind === 'video' ? kind : undefined
  const look = Recording === 'audio' ? 'w-full max-w-xl' : 'max-h-[75vh] max-w-full border border-line bg-surface'
  const common = { src: bytesUrl(place), className: look, onError: () => setBroken(true) }
  if (isBroken) {
    const title = Recording ? `The ${kind} cannot be played` : 'The image cannot be shown'
    const why = Recording ? CANNOT_PLAY : 'The file is missing or is not an image.'
    return <Empty title={title}>{why}</Empty>
  }
  return (
    <figure className="stack justify-items-center gap-2 p-4">
      {Recording ? (
        <Recording
          {...common}
          controls
          preload="metadata"
          aria-label={name}
          onLoadedMetadata={({ currentTarget }) => setFacts(factsOf(currentTarget))}
        >
          <track kind="captions" />
        </Recording>
      ) : (
        <img
          {...common}
          alt={name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setFacts(`${naturalWidth} × ${naturalHeight} pixels`)
          }
        />
      )}
      <figcaption className="h-4 text-xs text-ink-3 tabular-nums">{facts}</figcaption>
    </figure>
  )
}

/** `640 × 360 pixels · 1:05`. */
function factsOf(media: HTMLMediaElement): string {
  const size = media instanceof HTMLVideoElement ? [`${media.videoWidth} × ${media.videoHeight} pixels`] : []
  const seconds = Math.round(media.duration)
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return [...size, ...(Number.isFinite(seconds) ? [clock] : [])].join(' · ')
}
