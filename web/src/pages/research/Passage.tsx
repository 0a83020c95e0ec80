import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fileTextQuery, type ReportSource, sessionQuery } from '../../api/sessions.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'

/** Characters of a file that are shown before and behind what is cited. */
const AROUND = 4000

interface PassageProps {
  readonly session: string
  readonly source: ReportSource
}

/** What a citation leads to, marked; of a file with what stands around it. */
export function Passage({ session, source }: PassageProps) {
  const { text, file, offsets } = source
  const isOfFile = file !== undefined && offsets !== undefined
  const { data: files } = useQuery({ ...sessionQuery(session), enabled: isOfFile, select: (one) => one.files })
  const id = files?.find(({ alias }) => alias === file)?.id
  const { data: whole } = useQuery({ ...fileTextQuery(session, id ?? ''), enabled: id !== undefined })
  const mark = useRef<HTMLElement>(null)
  // What is around it comes a moment later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'nearest' })
  }, [whole])
  const [before, behind] =
    whole === undefined || !offsets
      ? ['', '']
      : [
          whole.slice(Math.max(0, offsets.start - AROUND), offsets.start),
          whole.slice(offsets.end, offsets.end + AROUND),
        ]
  return (
    <Scroll label="Cited passage" className="max-h-72 overflow-y-auto whitespace-pre-line wrap-anywhere">
      <span className="text-ink-3">
        <PlainText text={before} />
      </span>
      <mark ref={mark}>
        <PlainText text={text} />
      </mark>
      <span className="text-ink-3">
        <PlainText text={behind} />
      </span>
    </Scroll>
  )
}
