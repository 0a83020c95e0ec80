/** A text without marks of Markdown and line breaks. */
export function foldMarks(text: string): string {
  return text
    .replace(/(^|\n)[>*\s]+/g, ' ')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
