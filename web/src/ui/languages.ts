/** Names of languages by file extension, for extensions that the highlighter does not accept as names. */
const LANGUAGES: Readonly<Record<string, string>> = {
  jsonl: 'json',
  geojson: 'json',
  ipynb: 'json',
  dockerfile: 'bash',
}

export function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

/** The highlighter's name for the language of a file. */
export function languageOf(name: string): string {
  const ending = endingOf(name)
  return LANGUAGES[ending] ?? ending
}
