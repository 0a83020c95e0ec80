import { CircleAlert, CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import { useLongOperation } from '../../api/follow.ts'
import { placeOf, type Verified } from '../../api/packages.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { numberOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { ErrorNote } from '../../ui/State.tsx'
import { Table, type TableColumn } from '../../ui/Table.tsx'
import { entriesOf, type PackagePlace } from './usePackageAt.ts'

/** Reads every entry and holds it against the manifest. */
export function Verify({ place: { at } }: { readonly place: PackagePlace }) {
  const { start, stop, isRunning, progress, answer, error } = useLongOperation('packages.verify')
  const verb = answer ? 'Verify again' : 'Verify all entries'
  return (
    <div className="stack content-start gap-4 overflow-y-auto px-4 py-4">
      <p className="max-w-prose text-base text-ink-2">
        Recomputes the hash of the manifest, and checks the size and hash of every entry. Reads all bytes once, and
        changes nothing.
      </p>
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {isRunning ? (
          <ProgressLine
            label="Verifying"
            progress={progress}
            unit="entries"
            before="Reading the manifest"
            onStop={stop}
          />
        ) : (
          <Button size="md" look={answer ? 'plain' : 'main'} onClick={() => start({ package: placeOf(at) })}>
            <ShieldCheck aria-hidden />
            {verb}
          </Button>
        )}
      </div>
      {error !== undefined && <ErrorNote error={error} className="p-0" />}
      {answer && <Outcome answer={answer} />}
    </div>
  )
}

function Outcome({ answer }: { readonly answer: Verified }) {
  const { isTopHashGood, computedHash, hash, verified, totalEntries, totalBytes, counts, reports, problem } = answer
  const outcome = outcomeOf(answer)
  const others = Object.entries(counts)
  const all = others.reduce((sum, [, number]) => sum + number, 0)
  return (
    <section aria-label="What was found" className="stack gap-3">
      <p role="status" className={cn('flex items-center gap-2 text-base font-semibold', outcome.look)}>
        <outcome.icon aria-hidden className="size-5 shrink-0" />
        {outcome.name}
      </p>
      <ul className="stack gap-1 text-sm text-ink-2 tabular-nums">
        <li className="wrap-anywhere">
          {isTopHashGood
            ? 'The manifest matches its hash.'
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

/** Only what was read and is right is verified: of what could not be read nothing is known. */
function outcomeOf({ isGood, verified, totalEntries }: Verified) {
  if (!isGood) return { name: 'Verification failed', icon: CircleX, look: 'text-bad' }
  if (verified === totalEntries) {
    return { name: 'Verified: every entry matches its hash', icon: CircleCheck, look: 'text-good' }
  }
  const name = `Not verified: ${verified === 0 ? 'no entry' : `only ${numberOf(verified)} of ${entriesOf(totalEntries)}`} could be checked`
  return { name, icon: CircleAlert, look: 'text-warn' }
}

const COLUMNS: readonly TableColumn<Verified['reports'][number]>[] = [
  { name: 'Problem', className: 'w-28 pl-0! text-bad', cell: ({ problem }) => problem },
  { name: 'Entry', className: 'font-mono text-xs', cell: ({ logicalKey }) => <Name text={logicalKey} /> },
  { name: 'Details', className: 'text-ink-2', cell: ({ detail }) => detail },
]

function Reports({ reports, left }: { readonly reports: Verified['reports']; readonly left: number }) {
  return (
    <>
      <Table columns={COLUMNS} rows={reports} keyOf={({ line, problem }) => `${line} ${problem}`} />
      {left > 0 && <p className="text-xs text-ink-3">{numberOf(left)} more have a problem.</p>}
    </>
  )
}
