/** The section of a version in the changelog, without its heading. Throws where there is none, or nothing in it. */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((each) => each.split('\n', 1)[0]?.split(' ')[0] === version)
  const text = section?.slice(section.indexOf('\n')).trim() ?? ''
  if (text === '') throw new Error(`CHANGELOG.md says nothing of ${version}.`)
  return `${text}\n`
}
