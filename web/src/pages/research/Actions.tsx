import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, CircleStop, Pause, Play, RotateCcw } from 'lucide-react'
import { changeRun, hasEnded, isRunning, type Session, type Verb } from '../../api/sessions.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'

/** What can be done with a run as it is. */
export function Actions({ session }: { readonly session: Session }) {
  const client = useQueryClient()
  const id = session.session_id
  const { mutate, isPending, error } = useMutation({
    mutationFn: (verb: Verb) => changeRun(id, verb),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const button = (verb: Verb, name: string, icon: React.ReactNode) => (
    <Button disabled={isPending} onClick={() => mutate(verb)} look={verb === 'start' ? 'main' : 'plain'}>
      {icon}
      {name}
    </Button>
  )
  const { status } = session
  return (
    <div className="flex flex-wrap items-center gap-2">
      {error && (
        <span role="alert" className="text-xs text-bad">
          {error.message}
        </span>
      )}
      {status === 'created' && button('start', 'Start Research', <Play aria-hidden />)}
      {isRunning(session) && button('pause', 'Pause', <Pause aria-hidden />)}
      {(status === 'paused' || status === 'failed') && button('resume', 'Resume', <RotateCcw aria-hidden />)}
      {status !== 'created' && !hasEnded(session) && button('stop', 'Stop', <CircleStop aria-hidden />)}
      {session.report && (
        <Link to="/research/$session/report" params={{ session: id }} className={buttonLook({ look: 'main' })}>
          <BookOpen aria-hidden />
          Read the report
        </Link>
      )}
      {hasEnded(session) && (
        <Link to="/research" search={{ follows: id }} className={buttonLook({ look: 'plain' })}>
          Ask a follow-up
        </Link>
      )}
    </div>
  )
}
