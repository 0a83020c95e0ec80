import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Form, TextField } from '../../ui/Field.tsx'
import { Name } from '../../ui/PlainText.tsx'
import { Section } from '../../ui/Section.tsx'
import { ErrorNote } from '../../ui/State.tsx'
import type { LoadAnswer } from '../descriptions/ledger-rows.ts'
import type { LoadRequest } from './useLoadRequest.ts'

/** Explains why an expected file is not loaded. */
export function WhyNot({ request }: { readonly request: LoadRequest }) {
  const [file, setFile] = useState('')
  const [about, setAbout] = useState('')
  return (
    <section className="stack gap-2 px-4 pt-4 pb-8">
      <Form onSubmit={() => setAbout(file.trim())} className="flex items-start gap-2">
        <div className="min-w-0 flex-1 md:max-w-96">
          <TextField label="Why is a file missing?" value={file} onText={setFile} placeholder="docs/AGENTS.md" isCode />
        </div>
        <Button type="submit" size="md" className="mt-5" disabled={file.trim() === ''}>
          Ask
        </Button>
      </Form>
      {about !== '' && <Reason request={request} file={about} />}
    </section>
  )
}

function Reason({ request, file }: { readonly request: LoadRequest; readonly file: string }) {
  const { order: _order, instructions: _instructions, withContextDir: _with, format: _format, ...rest } = request
  const { data, error } = useQuery(operationQuery('explain', { ...rest, whyNot: file }))
  if (error) return <ErrorNote error={error} className="p-0" />
  if (!data?.whyNot) return <p className="min-h-5 text-ink-3" />
  return (
    <p role="status" className="min-h-5 max-w-prose text-base wrap-anywhere">
      {data.whyNot.answer}
    </p>
  )
}

/** Warnings about loaded files, and required files that are missing. */
export function Warnings({ answer: { warnings, missingRequired, contextDir, root } }: { readonly answer: LoadAnswer }) {
  const all = [
    // A project without a context directory needs none of these files.
    ...(contextDir ? missingRequired : []).map((name) => ({
      path: name,
      message: 'A context directory should have this file.',
    })),
    ...warnings.map(({ path, message }) => ({
      path: path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path,
      message,
    })),
  ]
  if (all.length === 0) return null
  return (
    <Section title="Warnings" className="px-4 pt-4">
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
    </Section>
  )
}
