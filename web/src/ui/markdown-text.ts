/** What is done with the text of a Markdown file before it is shown. */

export interface Heading {
  readonly id: string
  readonly depth: number
  readonly text: string
}

/** The front matter, without its fences, and the rest. */
export function withoutFrontMatter(text: string): { readonly front: string; readonly body: string } {
  const [whole = '', front = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)(?:\r?\n|$)/.exec(text) ?? []
  return { front, body: text.slice(whole.length) }
}

/** The id of a heading: its own prefix keeps it apart from what the page has. */
export function headingId(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
  return `text-${words}`
}

/** The headings that are marked by `#`, outside of code, up to the fourth level. */
export function headingsOf(text: string): Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  for (const line of withoutFrontMatter(text).body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      continue
    }
    fence = mark
    const [, hashes = '', title = ''] = /^ {0,3}(#{1,4})\s+(.+?)\s*#*\s*$/.exec(line) ?? []
    const shown = title.replace(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, '$1')
    if (shown !== '') headings.push({ id: headingId(shown), depth: hashes.length, text: shown })
  }
  return headings
}
