import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Input } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'

type Search = Readonly<Record<string, unknown>>

export type LoadRequest = Omit<Input<'load'>, 'full' | 'drift'>

/** How the text is shown: one of the formats, or the whole answer. */
const SHAPES = ['markdown', 'xml', 'json'] as const

/** The request in the address of the page, and a function that changes it. The address is the only state. */
export function useLoadRequest() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const asking = useMemo(() => parseLoadRequest(search), [search])
  const change = (next: Search) =>
    navigate({ to: '/context', search: (before: Search) => plain({ ...before, ...next }), replace: true })
  // Undefined: the place decides.
  const shape = SHAPES.find((each) => each === search.format)
  return { asking, shape, change }
}

/** The request with absolute paths of touched files, which are typed relative to the root of the project. Undefined until the root is known. */
export function useAbsolutePaths(asking: LoadRequest): LoadRequest | undefined {
  const { place = '.', touched = [] } = asking
  const isRelative = touched.some((path) => !path.startsWith('/'))
  const short = operationQuery('load', { place, full: false, drift: false })
  const { data: root, isError } = useQuery({ ...short, enabled: isRelative, select: (answer) => answer.root })
  return useMemo(() => {
    if (!isRelative || isError) return asking
    if (root === undefined) return undefined
    // A person who may not see the path of the project sends the paths as typed.
    return root.startsWith('/') ? { ...asking, touched: touched.map((path) => fromRoot(root, path)) } : asking
  }, [asking, touched, isRelative, isError, root])
}

function fromRoot(root: string, path: string): string {
  return path.startsWith('/') ? path : `${root.replace(/\/$/, '')}/${path}`
}

/** Leaves out values that are not numbers. The server refuses invalid words. */
function parseLoadRequest(search: Search): LoadRequest {
  const word = (name: string) => {
    const value = [search[name]].flat()[0]
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  const touched = [search.touched ?? []]
    .flat()
    .filter((path): path is string => typeof path === 'string' && path !== '')
  const budget = Number(word('budget'))
  const format = word('format')
  const chosen: Record<string, unknown> = {
    place: word('place') ?? '.',
    task: word('task'),
    profile: word('profile'),
    order: word('order'),
    tokens: word('tokens'),
    budget: Number.isSafeInteger(budget) && budget > 0 ? budget : undefined,
    touched: touched.length > 0 ? touched : undefined,
    home: word('home') === 'false' ? false : undefined,
    instructions: word('instructions') === 'false' ? false : undefined,
    withContextDir: word('withContextDir') === 'true' ? true : undefined,
    format: format === 'xml' || format === 'markdown' ? format : undefined,
  }
  return plain(chosen) as LoadRequest
}

/** Leaves out empty values. */
function plain(values: Search): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))
}
