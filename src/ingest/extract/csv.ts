import { parse } from 'csv-parse/sync'

/** Characters in which the header must end; a longer one is none. */
const LONGEST_HEADER = 64 * 1024

const DELIMITERS = [',', ';', '\t', '|']

/** The fields of the first record; none when it is no valid CSV. Without a delimiter, the commonest of the first line. */
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

/** A comma before a blank is one of a sentence. */
function commonest(head: string): string {
  const [line = ''] = head.trimStart().split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((delimiter) => line.replaceAll(`${delimiter} `, '').split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
