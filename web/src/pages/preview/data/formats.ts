import { endingOf } from '../../../ui/languages.ts'

/** Formats of tables and trees. */
export type Format = 'csv' | 'tsv' | 'parquet' | 'arrow' | 'json' | 'lines' | 'yaml' | 'toml'

const FORMATS: Readonly<Record<string, Format>> = {
  csv: 'csv',
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
}

/** The format of a file, by the extension of its name. Default: `json`. */
export function formatOf(name: string): Format {
  return FORMATS[endingOf(name)] ?? 'json'
}
