/** The part of an address behind `?`: words as they are, a list as the name again for each. */

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
