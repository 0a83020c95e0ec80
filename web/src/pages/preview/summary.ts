/** Parses `quilt_summarize.json` of Quilt: a list of files, or of rows of files. Pure. */

export interface SummaryItem {
  /** Path relative to the folder of `quilt_summarize.json`, without `..`. */
  readonly path: string
  readonly title?: string
  readonly description?: string
}

interface SummaryList {
  readonly rows: readonly (readonly SummaryItem[])[]
  /** Number of items that are not shown. */
  readonly left: number
}

/** Maximum number of files to show. */
const MAX_FILES = 24

/** Reads the text of `quilt_summarize.json`; undefined if it is not a JSON array. */
export function readSummary(text: string): SummaryList | undefined {
  const value = parsedJson(text)
  if (!Array.isArray(value)) return undefined
  const all = value.map((row) => (Array.isArray(row) ? row : [row]).flatMap(readItem)).filter((row) => row.length > 0)
  const rows: SummaryItem[][] = []
  let shown = 0
  for (const row of all) {
    const part = row.slice(0, MAX_FILES - shown)
    if (part.length > 0) rows.push(part)
    shown += part.length
  }
  return { rows, left: all.flat().length - shown }
}

function readItem(value: unknown): SummaryItem[] {
  const { path, title, description } = typeof value === 'string' ? { path: value } : Object(value)
  if (typeof path !== 'string') return []
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length === 0 || parts.includes('..')) return []
  return [
    {
      path: parts.join('/'),
      ...(typeof title === 'string' && title !== '' && { title }),
      ...(typeof description === 'string' && description !== '' && { description }),
    },
  ]
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
