import { useMemo } from 'react'
import { type Citing, Prose } from '../../ui/Prose.tsx'

/** Citations of a report: `[3]`; of one that an older version wrote `[plan.md::S3]`, `[https://…]`, `[ambit://…]`. */
const CITATION = /^(?:\d{1,5}|.{1,300}::S\d+|(?:https?|ambit):\/\/\S{1,2000})$/

interface ReportTextProps {
  readonly markdown: string
  /** What it cites; the first has the number 1. */
  readonly refs: readonly string[]
  /** The number of the source that is shown. */
  readonly shown: number | undefined
  readonly onShow: (source: number) => void
}

/** A report as prose. What it cites is a number, which opens the source beside it. */
export function ReportText({ markdown, refs, shown, onShow }: ReportTextProps) {
  const citing = useMemo((): Citing => {
    const numbers = new Map(refs.map((ref, at) => [ref, at + 1]))
    return {
      pattern: CITATION,
      numberOf: (cited) => numbers.get(cited) ?? (refs[Number(cited) - 1] === undefined ? undefined : Number(cited)),
      shown: (number) => <Cite number={number} isShown={number === shown} onShow={onShow} />,
    }
  }, [refs, shown, onShow])
  return <Prose text={markdown} citing={citing} />
}

interface CiteProps {
  readonly number: number
  readonly isShown: boolean
  readonly onShow: (source: number) => void
}

function Cite({ number, isShown, onShow }: CiteProps) {
  return (
    <button
      type="button"
      aria-label={`Source ${number}`}
      aria-pressed={isShown}
      onClick={() => onShow(number)}
      className="mx-0.5 rounded-sm border border-line-strong px-1 align-text-top text-xs leading-4 text-accent tabular-nums hover:bg-raised aria-pressed:bg-mark"
    >
      {number}
    </button>
  )
}
