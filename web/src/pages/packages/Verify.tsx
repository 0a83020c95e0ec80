import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import { placeOf, useVerifying, type Verified } from '../../api/packages.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { numberOf, sizeOf } from '../../ui/format.ts'
import { Trouble } from '../../ui/State.tsx'
import { entriesOf, type PackagePlace } from './usePackageAt.ts'

/** Reads every entry and holds it against the manifest. */
export function Verify({ place: { at } }: { readonly place: PackagePlace }) {
  const { start, stop, isRunning, progress, answer, error } = useVerifying(placeOf(at))
  return (
    <div className="grid content-start gap-4 overflow-y-auto px-4 py-4">
      <p className="max-w-prose text-base text-ink-2">
        The hash of the manifest is computed anew, and the size and hash of every entry are compared with what it says.
        All bytes are read once; nothing is changed.
      </p>
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {isRunning ? (
          <>
            <Button size="md" onClick={stop}>
              Stop
            </Button>
            <progress
              aria-label="Verifying"
              className="h-1.5 w-60 accent-accent"
              {...(progress && progress.total > 0 && { value: progress.done, max: progress.total })}
            />
            <span role="status" className="text-xs text-ink-2 tabular-nums">
              {progress ? `${numberOf(progress.done)} of ${entriesOf(progress.total)}` : 'The manifest is read'}
            </span>
          </>
        ) : (
          <Button size="md" look={answer ? 'plain' : 'main'} onClick={start}>
            <ShieldCheck aria-hidden />
            {answer ? 'Verify again' : 'Verify all entries'}
          </Button>
        )}
      </div>
      {error !== undefined && <Trouble error={error} className="p-0" />}
      {answer && <Outcome answer={answer} />}
    </div>
  )
}

function Outcome({ answer }: { readonly answer: Verified }) {
  const { isGood, isTopHashGood, computedHash, hash, verified, totalEntries, totalBytes, counts, reports, problem } =
    answer
  const Icon = isGood ? CircleCheck : CircleX
  const others = Object.entries(counts)
  const all = others.reduce((sum, [, number]) => sum + number, 0)
  return (
    <section aria-label="What was found" className="grid gap-3">
      <p
        role="status"
        className={cn('flex items-center gap-2 text-base font-semibold', isGood ? 'text-good' : 'text-bad')}
      >
        <Icon aria-hidden className="size-5" />
        {isGood
          ? verified === totalEntries
            ? 'All is as the hash names it'
            : 'Good, as far as it was looked at'
          : 'Not as it should be'}
      </p>
      <ul className="grid gap-1 text-sm text-ink-2 tabular-nums">
        <li className="wrap-anywhere">
          {isTopHashGood
            ? 'The manifest has the hash that names it.'
            : computedHash === null
              ? `The hash of the manifest cannot be computed: ${problem ?? ''}`
              : `The manifest has the hash ${computedHash}, and not ${hash}.`}
        </li>
        <li>
          {numberOf(verified)} of {entriesOf(totalEntries)} verified ({sizeOf(totalBytes)})
          {others.map(([name, number]) => `, ${numberOf(number)} ${name}`)}
        </li>
      </ul>
      {reports.length > 0 && <Reports reports={reports} left={all - reports.length} />}
    </section>
  )
}

function Reports({ reports, left }: { readonly reports: Verified['reports']; readonly left: number }) {
  return (
    <>
      <table className="w-full border-separate border-spacing-0 text-left text-xs [&_td]:border-b [&_td]:border-line [&_td]:py-1.5 [&_td]:pr-3 [&_td]:align-top max-md:[&_td]:block max-md:[&_td:not(:last-child)]:border-b-0 max-md:[&_td:not(:last-child)]:pb-0">
        <thead className="max-md:sr-only">
          <tr className="text-ink-3 [&_th]:h-7 [&_th]:border-b [&_th]:border-line [&_th]:pr-3 [&_th]:font-medium">
            <th scope="col">Problem</th>
            <th scope="col">Entry</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {reports.map(({ line, logicalKey, problem, detail }) => (
            <tr key={`${line} ${problem}`}>
              <td className="whitespace-nowrap text-bad">{problem}</td>
              <td className="font-mono wrap-anywhere">
                <bdi>{logicalKey}</bdi>
              </td>
              <td className="wrap-anywhere text-ink-2">{detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p className="text-xs text-ink-3">{numberOf(left)} more have a problem.</p>}
    </>
  )
}
