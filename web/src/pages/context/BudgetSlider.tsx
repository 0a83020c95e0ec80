import { useId } from 'react'
import { Button } from '../../ui/Button.tsx'
import { numberOf } from '../../ui/format.ts'
import { useDraft } from '../../ui/hooks.ts'
import { budgetAt, LAST_STEP, stepOf } from './budget-scale.ts'

interface BudgetSliderProps {
  readonly asked: number | undefined
  /** The budget of the answer if none was requested; null for no limit. */
  readonly used: number | null | undefined
  readonly onChange: (budget: number | undefined) => void
}

/** Milliseconds after the last move until the request is sent. */
const DEBOUNCE_MS = 60

/** The budget if neither the URL nor an answer has one. */
const DEFAULT_BUDGET = 8_000

/** The budget, as a slider and a field. */
export function BudgetSlider({ asked, used, onChange }: BudgetSliderProps) {
  const id = useId()
  const [draft, setDraft] = useDraft(asked, DEBOUNCE_MS, onChange)
  const isNone = draft === undefined && used === null
  const budget = draft ?? used ?? DEFAULT_BUDGET
  return (
    <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        Budget
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={LAST_STEP}
        value={isNone ? LAST_STEP : stepOf(budget)}
        onChange={({ target }) => setDraft(budgetAt(Number(target.value)))}
        aria-valuetext={isNone ? 'none' : `${numberOf(budget)} tokens`}
        className="h-7 min-w-0 flex-1 accent-accent sm:w-52"
      />
      <input
        aria-label="Budget in tokens"
        type="number"
        min={1}
        value={isNone ? '' : budget}
        placeholder="none"
        onChange={({ target }) => target.valueAsNumber >= 1 && setDraft(Math.floor(target.valueAsNumber))}
        className="h-7 w-20 rounded-md border border-line-strong bg-canvas px-1.5 text-right text-xs tabular-nums"
      />
      {asked !== undefined && (
        <Button look="quiet" onClick={() => onChange(undefined)}>
          Reset
        </Button>
      )}
    </div>
  )
}
