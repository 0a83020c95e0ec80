import {
  BookOpen,
  Bot,
  Compass,
  Eye,
  FileDiff,
  FolderTree,
  Layers,
  type LucideIcon,
  Package,
  PackageOpen,
  PencilLine,
  Search,
  Wrench,
} from 'lucide-react'

interface Tool {
  readonly icon: LucideIcon
  /** What it does, in a word or two. */
  readonly name: string
}

const TOOLS: Readonly<Record<string, Tool>> = {
  search: { icon: Search, name: 'Search' },
  read: { icon: BookOpen, name: 'Read' },
  list: { icon: FolderTree, name: 'List' },
  context_for: { icon: Layers, name: 'Context' },
  packages: { icon: Package, name: 'Packages' },
  package_entries: { icon: PackageOpen, name: 'Entries' },
  package_diff: { icon: FileDiff, name: 'Compare' },
  preview: { icon: Eye, name: 'Look' },
  navigate: { icon: Compass, name: 'Go to' },
  set_path_context: { icon: PencilLine, name: 'Write' },
  delegate: { icon: Bot, name: 'Delegate' },
}

/** Those of other servers keep their names. */
export function toolOf(name: string): Tool {
  return (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined) ?? { icon: Wrench, name }
}

/** What a call looked for, in a line. */
export function wordsOf(input: unknown): string {
  const values = Object.values(Object(input)).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return values.join(' · ').replace(/\s+/g, ' ')
}
