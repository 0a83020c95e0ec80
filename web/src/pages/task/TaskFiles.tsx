import { cn } from '../../ui/cn.ts'
import { counted, numberOf } from '../../ui/format.ts'
import { KINDS } from '../../ui/kinds.ts'
import { Name } from '../../ui/PlainText.tsx'
import { type AddedLines, countLines, type TaskAnswer, type TaskFile } from './shown-lines.ts'

/** The files that fit the task, the best first: those that are shown with their lines, then those that are not. */
export function TaskFiles({ answer }: { readonly answer: TaskAnswer }) {
  const shown = answer.files.filter(({ ranges }) => ranges.length > 0)
  const others = answer.files.filter(({ ranges }) => ranges.length === 0)
  const details = new Map(answer.ledger.map(({ title, detail }) => [title, detail]))
  return (
    <>
      <ol aria-label="Files that are shown" className="stack border-t border-line">
        {shown.map((file) => (
          <FileItem key={file.path} file={file} />
        ))}
      </ol>
      {others.length > 0 && (
        <details className="px-4 py-2 text-xs text-ink-3">
          <summary>{counted(others.length, 'more file')} that fit less</summary>
          <ul className="mt-2 stack gap-2">
            {others.map(({ path, why, score }) => (
              <li key={path} className="stack gap-0.5 wrap-anywhere">
                <Name className="font-mono text-ink-2" text={path} />
                <span>
                  {why === '' ? '' : `${why}. `}
                  {details.get(path) ?? `Scores ${score}.`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function FileItem({ file }: { readonly file: TaskFile }) {
  const { path, score, why, ranges } = file
  const bodies = ranges.filter(({ shown }) => shown === 'body')
  const heads = ranges.length - bodies.length
  return (
    <li data-file={path} className="stack gap-1 border-b border-line px-4 py-2">
      <p className="flex items-baseline gap-2">
        <Name className="min-w-0 flex-1 font-mono text-xs wrap-anywhere" text={path} />
        <span className="text-xs whitespace-nowrap text-ink-3 tabular-nums">{counted(countLines(file), 'line')}</span>
      </p>
      <p className="text-xs text-ink-2 wrap-anywhere">{why}</p>
      <div role="img" aria-label={`Fits by ${score} of 1`} className="h-1 rounded-sm bg-raised">
        <div className={cn('h-full rounded-sm', KINDS.code.sign)} style={{ width: `${score * 100}%` }} />
      </div>
      <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-2 tabular-nums">
        {bodies.map(({ start, end, name }) => (
          <li key={`${start} ${name}`} className="wrap-anywhere">
            <span className="text-ink-3">
              {start}–{end}
            </span>
            {name !== undefined && <Name className="pl-1 font-mono" text={name} />}
          </li>
        ))}
        {heads > 0 && <li className="text-ink-3">{counted(heads, 'signature')}</li>}
      </ul>
    </li>
  )
}

interface MoreProps {
  readonly budget: number
  /** Undefined while it is not known. */
  readonly added: readonly AddedLines[] | undefined
}

/** What a larger budget would show besides. */
export function MoreWouldShow({ budget, added }: MoreProps) {
  return (
    <section aria-labelledby="more" className="px-4 pt-3 pb-6">
      <h2 id="more" className="pb-1 text-base font-semibold">
        With {numberOf(budget)} tokens
      </h2>
      {added === undefined && <p className="min-h-5 text-xs text-ink-3" />}
      {added?.length === 0 && (
        <p className="text-xs text-ink-2">Nothing more: no other lines fit the task well enough.</p>
      )}
      <ul className="stack gap-1 text-xs">
        {added?.map(({ path, ranges }) => (
          <li key={path} data-added={path} className="wrap-anywhere">
            <Name className="font-mono" text={path} />{' '}
            <span className="text-ink-3 tabular-nums">
              {ranges.map(({ start, end }) => (start === end ? start : `${start}–${end}`)).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
