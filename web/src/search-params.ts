/** Parses and writes the query of a URL. A list repeats its name for each value. */

type Values = Readonly<Record<string, unknown>>

export function parseSearch(text: string): Record<string, string | string[]> {
  const query = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [first = '', ...rest] = query.getAll(name)
      return [name, rest.length === 0 ? first : [first, ...rest]]
    }),
  )
}

export function stringifySearch(values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const word of Array.isArray(value) ? value : [value]) {
      if (word !== undefined && word !== '') query.append(name, String(word))
    }
  }
  return query.size === 0 ? '' : `?${query}`
}
