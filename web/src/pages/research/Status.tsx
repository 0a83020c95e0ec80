import { CircleAlert, CircleCheck, CircleDashed, CircleDot, CirclePause, CircleStop, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../ui/cn.ts'

interface Shown {
  readonly name: string
  readonly icon: ReactNode
  readonly colour: string
}

const RUNNING: Shown = {
  name: 'running',
  icon: <LoaderCircle aria-hidden className="motion-safe:animate-spin" />,
  colour: 'text-accent',
}

/** Of sessions and of questions alike. */
const STATUS: Readonly<Record<string, Shown>> = {
  created: { name: 'not started', icon: <CircleDashed aria-hidden />, colour: 'text-ink-3' },
  pending: { name: 'waiting', icon: <CircleDashed aria-hidden />, colour: 'text-ink-3' },
  queued: { name: 'waiting for its turn', icon: <CircleDashed aria-hidden />, colour: 'text-ink-3' },
  running: RUNNING,
  decomposed: { ...RUNNING, name: 'its parts are looked into' },
  planned: { name: 'plan ready', icon: <CircleDot aria-hidden />, colour: 'text-warn' },
  paused: { name: 'paused', icon: <CirclePause aria-hidden />, colour: 'text-warn' },
  completed: { name: 'done', icon: <CircleCheck aria-hidden />, colour: 'text-good' },
  answered: { name: 'answered', icon: <CircleCheck aria-hidden />, colour: 'text-good' },
  partial: { name: 'answered in part', icon: <CircleDot aria-hidden />, colour: 'text-warn' },
  unresolved: { name: 'not answered', icon: <CircleAlert aria-hidden />, colour: 'text-bad' },
  stopped: { name: 'stopped', icon: <CircleStop aria-hidden />, colour: 'text-ink-2' },
  quarantined: { name: 'put aside', icon: <CircleAlert aria-hidden />, colour: 'text-bad' },
  failed: { name: 'failed', icon: <CircleAlert aria-hidden />, colour: 'text-bad' },
}

interface StatusProps {
  readonly status: string
  /** The name is only said. */
  readonly isBare?: boolean
}

/** A state by its sign, its colour and its name. */
export function Status({ status, isBare = false }: StatusProps) {
  const { name, icon, colour } = STATUS[status] ?? {
    name: status,
    icon: <CircleDot aria-hidden />,
    colour: 'text-ink-2',
  }
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
