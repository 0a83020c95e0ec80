import { CircleAlert, CircleCheck, CircleDashed, CircleDot, CirclePause, CircleStop, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../ui/cn.ts'

interface StatusLook {
  readonly name: string
  readonly icon: ReactNode
  readonly colour: string
}

const RUNNING: StatusLook = {
  name: 'running',
  icon: <LoaderCircle aria-hidden className="motion-safe:animate-spin" />,
  colour: 'text-accent',
}

/** States of sessions and questions. */
const STATUS: Readonly<Record<string, StatusLook>> = {
  created: { name: 'not started', icon: <CircleDashed aria-hidden />, colour: 'text-ink-3' },
  pending: { name: 'waiting', icon: <CircleDashed aria-hidden />, colour: 'text-ink-3' },
  queued: { name: 'waiting for its turn', icon: <CircleDashed aria-hidden />, colour: 'text-ink-3' },
  running: RUNNING,
  decomposed: { ...RUNNING, name: 'working on its parts' },
  planned: { name: 'plan ready', icon: <CircleDot aria-hidden />, colour: 'text-warn' },
  paused: { name: 'paused', icon: <CirclePause aria-hidden />, colour: 'text-warn' },
  completed: { name: 'done', icon: <CircleCheck aria-hidden />, colour: 'text-good' },
  answered: { name: 'answered', icon: <CircleCheck aria-hidden />, colour: 'text-good' },
  partial: { name: 'answered in part', icon: <CircleDot aria-hidden />, colour: 'text-warn' },
  unresolved: { name: 'not answered', icon: <CircleAlert aria-hidden />, colour: 'text-bad' },
  stopped: { name: 'stopped', icon: <CircleStop aria-hidden />, colour: 'text-ink-2' },
  quarantined: { name: 'set aside', icon: <CircleAlert aria-hidden />, colour: 'text-bad' },
  failed: { name: 'failed', icon: <CircleAlert aria-hidden />, colour: 'text-bad' },
}

/** State of an unfinished question of a run that ended or was paused. */
const HALTED: StatusLook = { name: 'not finished', icon: <CircleStop aria-hidden />, colour: 'text-ink-3' }
const UNFINISHED: ReadonlySet<string> = new Set(['running', 'queued', 'pending', 'decomposed'])

interface StatusProps {
  readonly status: string
  /** Whether the run has ended or waits for the person. Default: false. */
  readonly isHalted?: boolean
  /** Whether only screen readers read the name. */
  readonly isBare?: boolean
}

/** A state with its icon, its colour and its name. */
export function Status({ status, isHalted = false, isBare = false }: StatusProps) {
  const known = isHalted && UNFINISHED.has(status) ? HALTED : STATUS[status]
  const { name, icon, colour } = known ?? { name: status, icon: <CircleDot aria-hidden />, colour: 'text-ink-2' }
  return (
    <span
      title={name}
      className={cn('inline-flex items-center gap-1.5 text-xs [&_svg]:size-4 [&_svg]:shrink-0', colour)}
    >
      {icon}
      <span className={isBare ? 'sr-only' : ''}>{name}</span>
    </span>
  )
}
