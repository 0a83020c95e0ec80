import { TriangleAlert } from 'lucide-react'
import { Name } from '../../ui/PlainText.tsx'
import type { LoadAnswer } from '../descriptions/ledger-rows.ts'

/** What is not valid in what was loaded. */
export function Warnings({ answer: { warnings, missingRequired, root } }: { readonly answer: LoadAnswer }) {
  const all = [
    ...missingRequired.map((name) => ({ path: name, message: 'A context directory should have it.' })),
    ...warnings.map(({ path, message }) => ({
      path: path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path,
      message,
    })),
  ]
  if (all.length === 0) return null
  return (
    <section aria-labelledby="warnings" className="px-4 pt-4">
      <h2 id="warnings" className="pb-1 text-base font-semibold">
        Warnings
      </h2>
      <ul className="stack gap-1">
        {all.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="flex gap-2 text-xs leading-4.5">
            <TriangleAlert aria-hidden className="mt-px size-4 shrink-0 text-warn" />
            <p className="min-w-0 wrap-anywhere">
              <Name className="font-mono" text={path} /> <span className="text-ink-2">{message}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
