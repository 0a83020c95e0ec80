import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { counted, numberOf } from '../../ui/format.ts'

/** Findings that are shown before all are asked for. */
const FEW = 5

const LOOKS = { error: 'text-bad', warning: 'text-warn', note: 'text-ink-3' } as const

/** What has gone stale in the context files of the directory that is served; nothing where there are none. */
export function Findings() {
  const { data } = useQuery({
    ...operationQuery('check', { place: '.', home: false }),
    retry: false,
    staleTime: 60_000,
  })
  const [isAll, setAll] = useState(false)
  const findings = data?.findings ?? []
  if (!data || findings.length === 0) return null
  return (
    <section aria-labelledby="findings" className="pb-8">
      <h2 id="findings" className="px-4 pb-1 text-base font-semibold">
        Out of date in context files
        <span className="ml-2 text-xs font-normal text-ink-3">{counted(data.checked, 'file')} checked</span>
      </h2>
      <ul>
        {findings.slice(0, isAll ? findings.length : FEW).map(({ rule, severity, path, line, message, hint }) => (
          <li
            key={`${path}:${line}:${rule}:${message}`}
            className="border-b border-line px-4 py-2 leading-5 hover:bg-surface"
          >
            <p>
              <span className={cn('mr-2 text-xs font-medium', LOOKS[severity])}>{severity}</span>
              <bdi className="font-mono text-xs wrap-anywhere">
                {path}
                {line !== undefined && `:${line}`}
              </bdi>{' '}
              <span className="text-ink-2 wrap-anywhere">{message}</span>
            </p>
            {hint !== undefined && <p className="text-xs text-ink-3 wrap-anywhere">{hint}</p>}
          </li>
        ))}
      </ul>
      {!isAll && findings.length > FEW && (
        <Button look="quiet" className="mt-1 ml-2" onClick={() => setAll(true)}>
          Show {numberOf(findings.length - FEW)} more
        </Button>
      )}
    </section>
  )
}
