import { endingOf } from '../../ui/languages.ts'

/** What a file is shown as, by its name. */
export type Kind =
  | 'markdown'
  | 'notebook'
  | 'table'
  | 'tree'
  | 'image'
  | 'pdf'
  | 'audio'
  | 'video'
  | 'code'
  | 'text'
  /** The text that the index made of it. */
  | 'document'

const ENDINGS: Readonly<Record<Exclude<Kind, 'code'>, string>> = {
  markdown: 'md markdown mdx mdc',
  notebook: 'ipynb',
  table: 'csv tsv parquet pq arrow arrows feather',
  tree: 'json geojson webmanifest jsonl ndjson yaml yml toml',
  image: 'png jpg jpeg gif webp avif svg bmp ico',
  pdf: 'pdf',
  audio: 'mp3 wav ogg oga opus flac m4a aac',
  video: 'mp4 webm m4v ogv mov',
  text: 'txt text log',
  document: 'docx docm xlsx xlsm pptx pptm odt',
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(ENDINGS).flatMap(([kind, endings]) => endings.split(' ').map((ending) => [ending, kind as Kind])),
)

export function kindOf(name: string): Kind {
  return KINDS.get(endingOf(name)) ?? (name.includes('.') || /^(make|docker)file$/i.test(name) ? 'code' : 'text')
}

/** Kinds that have a view besides their source. */
export const TWO_VIEWS: ReadonlySet<Kind> = new Set(['markdown', 'notebook', 'table', 'tree', 'pdf'])

/** Tables of which a person could not read the source. */
const BINARY_TABLES: ReadonlySet<string> = new Set(['parquet', 'pq', 'arrow', 'arrows', 'feather'])

/** Whether the source of a file can be read by a person, besides its preview. */
export function hasSource(name: string): boolean {
  return (TWO_VIEWS.has(kindOf(name)) && !BINARY_TABLES.has(endingOf(name))) || endingOf(name) === 'svg'
}

/** How the contents of a table or a tree are written. */
export type Format = 'csv' | 'tsv' | 'parquet' | 'arrow' | 'json' | 'lines' | 'yaml' | 'toml'

const FORMATS: Readonly<Record<string, Format>> = {
  tsv: 'tsv',
  parquet: 'parquet',
  pq: 'parquet',
  arrow: 'arrow',
  arrows: 'arrow',
  feather: 'arrow',
  jsonl: 'lines',
  ndjson: 'lines',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  csv: 'csv',
}

/** Default: `json`. */
export function formatOf(name: string): Format {
  return FORMATS[endingOf(name)] ?? 'json'
}
