import type { FileUIPart } from 'ai'
import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { type Model, modelName } from '../api/chat.ts'
import { decodeBytes } from '../api/decode.ts'
import { Attachments } from '../ui/Attachments.tsx'
import { IconButton } from '../ui/Button.tsx'
import { cn } from '../ui/cn.ts'
import { Form, Textarea } from '../ui/Field.tsx'
import { sizeOf } from '../ui/format.ts'
import { isSendKey } from '../ui/hooks.ts'

export interface QuestionInput {
  readonly text: string
  readonly files?: readonly FileUIPart[]
}

interface ComposerProps {
  readonly isBusy: boolean
  /** Whether the conversation fills a page; else it is in the side column. */
  readonly isFullPage: boolean
  readonly models: readonly Model[]
  readonly model: string | undefined
  readonly onModel: (name: string) => void
  readonly onSend: (question: QuestionInput) => void
  readonly onStop: () => void
  /** Content above the field. */
  readonly children: ReactNode
}

/** The field for a question. Enter sends it; Shift+Enter begins a new line. */
export function Composer({ isBusy, isFullPage, models, model, onModel, onSend, onStop, children }: ComposerProps) {
  const [text, setText] = useState('')
  const { files, problem, add, remove, clear } = useFiles()
  const picker = useRef<HTMLInputElement>(null)
  const send = () => {
    if (isBusy || text.trim() === '') return
    onSend({ text: text.trim(), files })
    setText('')
    clear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return
    event.preventDefault()
    send()
  }
  return (
    <Form
      onSubmit={send}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        add(event.dataTransfer.files)
      }}
      className={cn('stack shrink-0 gap-1.5 border-t border-line p-2', isFullPage && 'mx-auto w-full max-w-2xl')}
    >
      {children}
      <Attachments files={files.map(attachmentOf)} onRemove={remove} />
      {problem !== undefined && (
        <p role="alert" className="text-xs text-warn wrap-anywhere">
          {problem}
        </p>
      )}
      <Textarea
        data-ask
        aria-label="Ask about this place"
        placeholder="Ask about this place…"
        value={text}
        onText={setText}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return
          event.preventDefault()
          add(event.clipboardData.files)
        }}
        className="max-h-40"
      />
      <div className="flex items-center gap-2">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={({ target }) => {
            if (target.files) add(target.files)
            target.value = ''
          }}
        />
        <IconButton
          icon={Paperclip}
          label="Attach images, PDFs or text files"
          onClick={() => picker.current?.click()}
        />
        <ModelSelect {...{ models, model, onModel }} />
        <span className="flex-1" />
        {isBusy ? (
          <IconButton icon={Square} label="Stop the answer" look="plain" onClick={onStop} />
        ) : (
          <IconButton icon={ArrowUp} label="Ask" look="main" type="submit" disabled={text.trim() === ''} />
        )}
      </div>
    </Form>
  )
}

/** The files to send, and why the last one was refused. */
function useFiles() {
  const [files, setFiles] = useState<readonly FileUIPart[]>([])
  const [problem, setProblem] = useState<string>()
  const add = async (list: FileList) => {
    setProblem(undefined)
    // The browser empties `list` when the field is cleared.
    const chosen = [...list]
    if (files.length + chosen.length > MAX_FILES) return setProblem(`A question can have at most ${MAX_FILES} files.`)
    for (const file of chosen) {
      try {
        const part = await attachedFile(file)
        setFiles((before) => [...before, part])
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error))
      }
    }
  }
  const remove = (at: number) => setFiles((before) => before.filter((_, index) => index !== at))
  const clear = () => {
    setFiles([])
    setProblem(undefined)
  }
  return { files, problem, add, remove, clear }
}

/** A file as an item of `Attachments`. Only images have a `url`. */
export function attachmentOf({ filename = 'file', mediaType, url }: FileUIPart) {
  return { name: filename, ...(mediaType.startsWith('image/') && { url }) }
}

function ModelSelect({ models, model, onModel }: Pick<ComposerProps, 'models' | 'model' | 'onModel'>) {
  const shown = model ?? models[0]?.name ?? ''
  if (models.length < 2)
    return <span className="min-w-0 wrap-anywhere pl-1 text-xs text-ink-3">{modelName(shown)}</span>
  return (
    <select
      aria-label="Model"
      value={shown}
      onChange={({ target }) => onModel(target.value)}
      className="h-7 max-w-56 min-w-0 truncate rounded-md border border-transparent bg-canvas px-1 text-xs text-ink-2 hover:border-line-strong"
    >
      {models.map(({ name }) => (
        <option key={name} value={name}>
          {modelName(name)}
        </option>
      ))}
    </select>
  )
}

/** The server's limits for the files of a question. */
const MAX_FILES = 10
const MAX_IMAGE_BYTES = 3_750_000
const MAX_FILE_BYTES = 10_000_000

const IMAGES = /^image\/(png|jpeg|gif|webp)$/

/** Documents from which the server extracts text. */
const DOCUMENTS = /\.(pdf|docx|docm|xlsx|xlsm|pptx|pptm|odt)$/i

/**
 * Prepares a file for a question: images and documents stay as they are, texts become UTF-8. @throws Error if the file is
 * refused
 */
async function attachedFile(file: File): Promise<FileUIPart> {
  const { name, type, size } = file
  const part = async (mediaType: string, content: BlobPart) => ({
    type: 'file' as const,
    filename: name,
    mediaType,
    url: await dataUrl(new Blob([content], { type: mediaType })),
  })
  const most = IMAGES.test(type) ? MAX_IMAGE_BYTES : MAX_FILE_BYTES
  if (size > most) throw new Error(`${name} is too large (${sizeOf(size)}): at most ${sizeOf(most)} can be attached.`)
  if (IMAGES.test(type)) return part(type, file)
  if (DOCUMENTS.test(name)) return part(type || 'application/octet-stream', file)
  const text = decodeBytes(new Uint8Array(await file.arrayBuffer()))?.text
  if (text === undefined) throw new Error(`${name} is not an image (PNG, JPEG, GIF, WebP), a document or a text file.`)
  if (text.trim() === '') throw new Error(`${name} has no text.`)
  return part('text/plain', text)
}

function dataUrl(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(blob)
  return promise
}
