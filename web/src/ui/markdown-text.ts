/** What is done with the text of a Markdown file before it is shown. */

/** The front matter, without its fences, and the rest. */
export function withoutFrontMatter(text: string): { readonly front: string; readonly body: string } {
  const [whole = '', front = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)(?:\r?\n|$)/.exec(text) ?? []
  return { front, body: text.slice(whole.length) }
}
