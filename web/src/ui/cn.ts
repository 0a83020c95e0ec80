import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['xs', 'sm', 'base', 'lg', 'xl'] }], display: ['stack'] } },
})

/** Class names together; of two that say the same thing the later wins. */
export function cn(...classes: readonly ClassValue[]): string {
  return merge(clsx(classes))
}
