import type { ReactNode } from 'react'
import { useFileText } from '../../api/bytes.ts'
import { childOf, nameOf, type Place, parentOf } from '../../api/place.ts'
import { Name, PlainText } from '../../ui/PlainText.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { PlaceLink } from './links.tsx'
import { Preview } from './Preview.tsx'
import { readSummary, type SummaryItem } from './summary.ts'

const README = /^(readme|index)(\.(md|markdown|txt))?$/i

/** The names of the files that describe a folder: a README, then `quilt_summarize.json`. `names`: all files of it. */
export function aboutFiles(names: readonly string[]): string[] {
  const named = names.filter((name) => README.test(name))
  const readme = named.find((name) => /^readme/i.test(name)) ?? named[0]
  return [...(readme === undefined ? [] : [readme]), ...names.filter((name) => name === SUMMARY)]
}

/** Shows the files that describe a folder. `files`: the names of all files of the folder. */
export function AboutFolder({ folder, files }: { readonly folder: Place; readonly files: readonly string[] }) {
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

/** A file that lists which files of its folder to preview. */
const SUMMARY = 'quilt_summarize.json'

/** Files that `quilt_summarize.json` lists, each with its title and its preview. */
function Summary({ place }: { readonly place: Place }) {
  const { data, error, refetch } = useFileText(place)
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={4} />
  const summary = readSummary(data.text?.text ?? '')
  if (!summary) return <Note>{SUMMARY} is not a list of files.</Note>
  const folder = parentOf(place) ?? place
  return (
    <section aria-label="Summary" className="mx-4 mt-5 stack shrink-0 gap-4">
      {summary.rows.map((row, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key.
          key={at}
          className={row.length > 1 ? 'grid gap-4 lg:grid-cols-[repeat(auto-fit,minmax(280px,1fr))]' : 'stack gap-4'}
        >
          {row.map((item) => (
            <Item key={item.path} item={item} place={childOf(folder, item.path)} />
          ))}
        </div>
      ))}
      {summary.left > 0 && <Note>{summary.left} more listed files are not shown.</Note>}
    </section>
  )
}

function Note({ children }: { readonly children: ReactNode }) {
  return <p className="mx-4 mt-4 text-xs text-ink-3">{children}</p>
}

function Item({ item: { title, description }, place }: { readonly item: SummaryItem; readonly place: Place }) {
  return (
    <article aria-label={title ?? nameOf(place)} className="min-w-0 rounded-md border border-line">
      <header className="border-b border-line bg-surface px-4 py-2">
        <h2 className="text-sm font-semibold wrap-anywhere">
          <PlaceLink place={place}>
            <Name text={title ?? nameOf(place)} />
          </PlaceLink>
        </h2>
        {description !== undefined && (
          <PlainText as="p" className="text-xs text-ink-2 wrap-anywhere" text={description} />
        )}
      </header>
      <div className="flex max-h-[420px] flex-col">
        <Preview place={place} />
      </div>
    </article>
  )
}
