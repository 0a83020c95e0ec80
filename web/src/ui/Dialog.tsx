import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './Button.tsx'
import { cn } from './cn.ts'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Its place and size. */
  readonly className?: string
  /** The title is only said, and there is no button to close it: Escape, or a click beside it. */
  readonly isBare?: boolean
}

/**
 * The browser's own modal dialog: it keeps the focus, makes the rest of the page inert, gives the focus back, and puts no
 * style element into the page, which the content security policy would refuse.
 */
export function Dialog({ title, isOpen, onClose, children, className, isBare = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (isOpen) ref.current?.showModal()
  }, [isOpen])
  if (!isOpen) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser has it.
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target }) => target === ref.current && onClose()}
      className={cn('m-auto max-w-[calc(100vw-24px)] rounded-md border border-line-strong bg-canvas p-0', className)}
    >
      <header className={cn(isBare ? 'sr-only' : 'flex h-11 items-center gap-2 border-b border-line pr-2 pl-4')}>
        <h2 id={id} className="flex-1 text-base font-semibold">
          {title}
        </h2>
        {!isBare && (
          <IconButton label="Close" onClick={onClose}>
            <X />
          </IconButton>
        )}
      </header>
      {children}
    </dialog>
  )
}
