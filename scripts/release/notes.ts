/** The section of a version in the changelog, without its heading. @throws Error if there is no section, or if it is empty */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((each) => each.split('\n', 1)[0]?.split(' ')[0] === version)
  const text = section?.slice(section.indexOf('\n')).trim() ?? ''
  if (text === '') throw new Error(`CHANGELOG.md has no section about ${version}.`)
  return `${text}\n`
}
