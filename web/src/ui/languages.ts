/** Endings that the highlighter does not know as names of languages. */
const LANGUAGES: Readonly<Record<string, string>> = {
  jsonl: 'json',
  geojson: 'json',
  ipynb: 'json',
  dockerfile: 'bash',
}

export function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

/** The language of a file's code, as the highlighter calls it. */
export function languageOf(name: string): string {
  const ending = endingOf(name)
  return LANGUAGES[ending] ?? ending
}
