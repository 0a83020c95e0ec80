import { parse } from 'csv-parse/sync'
import { guessDelimiter } from '../../text/tables.ts'

/** Characters in which the header must end; a longer one is none. */
const LONGEST_HEADER = 64 * 1024

/** The fields of the first record; none when it is not a valid CSV. Without a delimiter, the commonest of the first line. */
export function headerColumns(text: string, delimiter?: string): string[] {
  const head = text.slice(0, LONGEST_HEADER)
  try {
    const options = { to: 1, delimiter: delimiter ?? commonest(head), relax_column_count: true, trim: true }
    const [header = []] = parse(head, { ...options, skip_empty_lines: true })
    return header.map(String)
  } catch {
    return []
  }
}

function commonest(head: string): string {
  return guessDelimiter(head.trimStart().split(/[\r\n]/, 1)[0] ?? '')
}
