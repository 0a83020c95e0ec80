import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, IconButton } from './Button.tsx'
import { cn } from './cn.ts'
import { Form } from './Field.tsx'
import { ErrorNote } from './State.tsx'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Classes for its position and size. */
  readonly className?: string
  /** Whether only screen readers read the title, and there is no close button. Escape or a click outside closes the dialog. */
  readonly isBare?: boolean
}

/**
 * The browser's own modal dialog. It keeps the focus, makes the rest of the page inert, and gives the focus back. It puts no
 * style element into the page, because the content security policy would refuse one.
 */
export function Dialog({ title, isOpen, onClose, children, className, isBare = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (isOpen) ref.current?.showModal()
  }, [isOpen])
  if (!isOpen) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it at Escape.
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target }) => target === ref.current && onClose()}
      className={cn('m-auto max-w-[calc(100vw-24px)] rounded-md border border-line-strong bg-canvas p-0', className)}
    >
      <div
        className={cn(isBare ? 'sr-only' : 'flex min-h-11 items-center gap-2 border-b border-line py-1.5 pr-2 pl-4')}
      >
        <h2 id={id} className="flex-1 text-base font-semibold">
          {title}
        </h2>
        {!isBare && <IconButton icon={X} label="Close" onClick={onClose} />}
      </div>
      {children}
    </dialog>
  )
}

interface FormDialogProps extends Pick<DialogProps, 'title' | 'onClose' | 'children' | 'className'> {
  onSubmit(): void
  /** Label of the button that saves; default "Save". */
  readonly verb?: string
  /** Label of the button that cancels; default "Cancel". */
  readonly cancel?: string
  /** Whether the form deletes something. */
  readonly isBad?: boolean
  readonly isDisabled?: boolean
  /** State of the save. */
  readonly saving: { readonly error: unknown; readonly isPending: boolean }
}

/** A dialog with a form: its fields, an error, and buttons to save and cancel. */
export function FormDialog({
  title,
  onClose,
  className = 'w-96',
  children,
  onSubmit,
  saving,
  ...rest
}: FormDialogProps) {
  const { verb = 'Save', cancel = 'Cancel', isBad = false, isDisabled = false } = rest
  return (
    <Dialog title={title} isOpen onClose={onClose} className={className}>
      <Form onSubmit={onSubmit} className="stack gap-3 p-4">
        {children}
        {saving.error !== null && <ErrorNote error={saving.error} className="p-0" />}
        <div className="flex justify-end gap-2 pt-1">
          <Button size="md" onClick={onClose}>
            {cancel}
          </Button>
          <Button size="md" look={isBad ? 'bad' : 'main'} type="submit" disabled={saving.isPending || isDisabled}>
            {verb}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
