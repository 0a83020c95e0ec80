import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pin, PinOff, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { changeRun, replan, type Session } from '../../api/sessions.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Textarea } from '../../ui/Field.tsx'

/** Questions that a plan may have. */
const MOST = 7

/** The first questions of a run that waits for its plan: they can be changed, kept, left out and added to. */
export function Plan({ session }: { readonly session: Session }) {
  const client = useQueryClient()
  const [questions, setQuestions] = useState(() =>
    session.nodes
      .filter(({ parent }) => parent === '1')
      .map(({ id, question, pinned }) => ({ key: id, question, pinned })),
  )
  const change = (key: string, to: Partial<(typeof questions)[number]>) =>
    setQuestions(questions.map((each) => (each.key === key ? { ...each, ...to } : each)))
  const kept = questions.filter(({ question }) => question.trim() !== '')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await replan(
        session.session_id,
        kept.map(({ question, pinned }) => ({ question: question.trim(), pinned })),
      )
      await changeRun(session.session_id, 'resume')
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <section aria-labelledby="plan" className="stack max-w-prose gap-2 p-4">
      <h2 id="plan" className="text-base font-semibold">
        The plan
      </h2>
      <p className="text-sm text-ink-2">
        Research continues with these questions. A pinned question is not split further.
      </p>
      <ol className="stack gap-2">
        {questions.map(({ key, question, pinned }, at) => (
          <li key={key} className="flex items-start gap-1">
            <Textarea
              aria-label={`Question ${at + 1}`}
              value={question}
              onChange={({ target }) => change(key, { question: target.value })}
            />
            <IconButton
              label={pinned ? `Unpin question ${at + 1}` : `Pin question ${at + 1}`}
              aria-pressed={pinned}
              onClick={() => change(key, { pinned: !pinned })}
            >
              {pinned ? <PinOff /> : <Pin />}
            </IconButton>
            <IconButton
              label={`Remove question ${at + 1}`}
              onClick={() => setQuestions(questions.filter((each) => each.key !== key))}
            >
              <Trash2 />
            </IconButton>
          </li>
        ))}
      </ol>
      <div className="flex items-center gap-2">
        <Button
          disabled={questions.length >= MOST}
          onClick={() => setQuestions([...questions, { key: crypto.randomUUID(), question: '', pinned: false }])}
        >
          <Plus aria-hidden />
          Add a question
        </Button>
        <Button look="main" disabled={isPending || kept.length === 0} onClick={() => mutate()}>
          Continue with this plan
        </Button>
      </div>
      {error && (
        <p role="alert" className="text-sm text-bad">
          {error.message}
        </p>
      )}
    </section>
  )
}
