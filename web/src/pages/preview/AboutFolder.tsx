import { childOf, type Place } from '../../api/place.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Preview } from './Preview.tsx'
import { SUMMARY, Summary } from './Summary.tsx'

const README = /^(readme|index)(\.(md|markdown|txt))?$/i

/** Of the names of a folder, those of the files that say what it is: a README, then a list of what is to be seen first. */
export function aboutFiles(names: readonly string[]): string[] {
  const named = names.filter((name) => README.test(name))
  const readme = named.find((name) => /^readme/i.test(name)) ?? named[0]
  return [...(readme === undefined ? [] : [readme]), ...names.filter((name) => name === SUMMARY)]
}

interface AboutFolderProps {
  readonly folder: Place
  /** Names of its files. */
  readonly files: readonly string[]
}

/** What a folder, or a package, says of itself. */
export function AboutFolder({ folder, files }: AboutFolderProps) {
  return (
    <div className="shrink-0 pb-8">
      {aboutFiles(files).map((name) =>
        name === SUMMARY ? (
          <Summary key={name} place={childOf(folder, name)} />
        ) : (
          <section key={name} aria-label={name} className="mx-4 mt-5 rounded-md border border-line">
            <h2 className="border-b border-line bg-surface px-4 py-2 font-mono text-xs text-ink-2">
              <Name text={name} />
            </h2>
            <Preview place={childOf(folder, name)} isWhole />
          </section>
        ),
      )}
    </div>
  )
}
