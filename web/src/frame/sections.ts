import * as Icons from 'lucide-react'

/** A part of the UI in the navigation. To add one: a line here, a route in `router.tsx`, and its page. */
export interface Section {
  readonly name: string
  readonly to: '/' | '/search' | '/chat' | '/context' | '/packages' | '/research' | '/settings'
  readonly icon: Icons.LucideIcon
  /** The key after `g`. */
  readonly key: string
  /** The prefix of the section's other URLs, besides `to`. */
  readonly within?: string
  /** Whether it is in the menu "More" on small screens. */
  readonly isMore?: boolean
}

export const SECTIONS: readonly Section[] = [
  { name: 'Collections', to: '/', icon: Icons.FolderTree, key: 'c', within: '/browse' },
  { name: 'Search', to: '/search', icon: Icons.Search, key: 's' },
  { name: 'Chat', to: '/chat', icon: Icons.MessagesSquare, key: 'h', within: '/chat' },
  { name: 'Context', to: '/context', icon: Icons.Layers, key: 'x', within: '/task' },
  { name: 'Packages', to: '/packages', icon: Icons.Package, key: 'p', within: '/packages', isMore: true },
  { name: 'Research', to: '/research', icon: Icons.FlaskConical, key: 'r', within: '/research', isMore: true },
  { name: 'Settings', to: '/settings', icon: Icons.Settings, key: ',', isMore: true },
]

/** Whether an address is in a section. */
export function isIn({ to, within }: Section, pathname: string): boolean {
  return pathname === to || (within !== undefined && pathname.startsWith(within))
}
