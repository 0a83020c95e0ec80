import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['xs', 'sm', 'base', 'lg', 'xl'] }], display: ['stack'] } },
})

/** Joins class names. If two conflict, the later one wins. */
export function cn(...classes: readonly ClassValue[]): string {
  return merge(clsx(classes))
}
