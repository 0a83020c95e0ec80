/** `report.pdf`, `report (2).pdf`: no two files of a session are cited alike. */
export function aliasFor(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let alias = name
  for (let count = 2; taken.has(alias); count++) alias = `${stem} (${count})${end}`
  return alias
}
