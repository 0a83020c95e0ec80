import { cva, type VariantProps } from 'class-variance-authority'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

const button = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        plain: 'border border-line-strong bg-canvas text-ink hover:bg-raised active:bg-raised',
        main: 'border border-accent bg-accent text-on-accent hover:bg-accent-strong',
        quiet: 'text-ink-2 hover:bg-raised hover:text-ink aria-expanded:bg-raised',
        bad: 'border border-line-strong text-bad hover:bg-raised',
      },
      size: { sm: 'h-7 px-2 text-xs', md: 'h-8 px-3 text-sm', icon: 'size-7' },
    },
    defaultVariants: { look: 'plain', size: 'sm' },
  },
)

type Look = VariantProps<typeof button>

/** The classes of a button, for a link that looks like one. */
export function buttonLook(look: Look): string {
  return button(look)
}

type ButtonProps = ComponentProps<'button'> & Look & { readonly icon?: LucideIcon | undefined }

/** A button, with its icon before its text. */
export function Button({ look, size, className, icon: Icon, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={cn(button({ look, size }), className)} {...rest}>
      {Icon && <Icon aria-hidden />}
      {children}
    </button>
  )
}

/** A button within text. */
export function TextButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={cn('rounded-sm text-accent underline', className)} {...rest} />
}

/** A button with only an icon. Screen readers read its name. */
export function IconButton({ label, ...rest }: Omit<ButtonProps, 'size'> & { readonly label: string }) {
  return <Button look="quiet" size="icon" aria-label={label} title={label} {...rest} />
}
