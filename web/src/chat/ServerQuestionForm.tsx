import { useState } from 'react'
import { replyToServer } from '../api/chat.ts'
import { Button } from '../ui/Button.tsx'
import { legible } from '../ui/controls.ts'
import { Form, Input, Labelled } from '../ui/Field.tsx'
import { OutsideLink } from '../ui/OutsideLink.tsx'
import { PlainText } from '../ui/PlainText.tsx'
import { type QuestionField, type ServerQuestion, useSession } from './session.ts'

type FieldValue = string | number | boolean | readonly string[]

interface QuestionProps {
  readonly id: string
  readonly question: ServerQuestion
  /** Whether the assistant's answer that needs this reply is in progress. */
  readonly isRunning: boolean
}

const ENDS = { asked: 'Nobody answered.', answered: 'You answered.', declined: 'You declined.' } as const

/** The question of a tool server, as a form until the person answers or declines. */
export function ServerQuestionForm({ id, question, isRunning }: QuestionProps) {
  const { server, message, url, fields, state } = question
  const conversation = useSession()?.id ?? ''
  const [values, setValues] = useState<Readonly<Record<string, FieldValue | undefined>>>({})
  const [problem, setProblem] = useState<string>()
  const reply = (answer: { readonly values?: object }) =>
    replyToServer(conversation, { question: id, ...answer }).catch((error: unknown) =>
      setProblem(String(Object(error).message)),
    )
  const isOpen = state === 'asked' && isRunning
  return (
    <Form
      aria-label={legible(`The MCP server ${server} asks`)}
      onSubmit={() => reply({ values })}
      className="stack gap-2 rounded-md border border-line-strong bg-canvas p-2 text-sm"
    >
      <PlainText as="p" className="wrap-anywhere" text={`The MCP server ${server} asks: ${message}`} />
      {url !== undefined && (
        <OutsideLink href={url} host={new URL(url).host}>
          {legible(url)}
        </OutsideLink>
      )}
      {isOpen &&
        fields.map((field) => (
          <ServerField
            key={field.name}
            field={field}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      {problem !== undefined && <PlainText as="p" className="text-bad" text={problem} />}
      {isOpen ? (
        <div className="flex gap-2">
          <Button look="main" type="submit">
            {url === undefined ? 'Send' : 'Agree'}
          </Button>
          <Button onClick={() => reply({})}>Decline</Button>
        </div>
      ) : (
        <p className="text-ink-3">{ENDS[state]}</p>
      )}
    </Form>
  )
}

interface FieldProps {
  readonly field: QuestionField
  /** `value` is undefined for an empty field. */
  readonly onChange: (value: FieldValue | undefined) => void
}

function ServerField({ field: { about, type, choices, isRequired }, onChange }: FieldProps) {
  const isMany = type === 'list'
  const isNumber = type === 'number' || type === 'integer'
  const change = (...texts: string[]) => {
    const [text = ''] = texts
    const single = type === 'yes-no' ? text === 'yes' : isNumber ? Number(text) : text
    onChange(texts.join('') === '' ? undefined : isMany ? texts : single)
  }
  const changeText = (text: string) => change(...(isMany ? text.split(',').map((one) => one.trim()) : [text]))
  const listed = type === 'yes-no' ? ['yes', 'no'] : choices
  const shown = listed && !isMany ? ['', ...listed] : listed
  return (
    <Labelled
      label={isRequired ? about : `${about} (optional)`}
      hint={isMany && !shown && 'Separate values with commas'}
    >
      {(ids) =>
        shown ? (
          <select
            {...ids}
            multiple={isMany}
            required={isRequired}
            className="w-fit max-w-full rounded-md border border-line-strong bg-canvas px-1.5 text-ink"
            onChange={({ target }) => change(...Array.from(target.selectedOptions, ({ value }) => value))}
          >
            {shown.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : (
          <Input
            {...ids}
            required={isRequired}
            onText={changeText}
            {...(isNumber && { type: 'number', step: 'any' })}
          />
        )
      }
    </Labelled>
  )
}
