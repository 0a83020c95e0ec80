import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Input } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'

type Search = Readonly<Record<string, unknown>>

export type LoadRequest = Omit<Input<'load'>, 'full' | 'drift'>

/** Formats of the text. `json` shows the whole answer. */
const SHAPES = ['markdown', 'xml', 'json'] as const

/** The request in the URL of the page, and a function that changes the URL, which is the only state. */
export function useLoadRequest() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const request = useMemo(() => parseLoadRequest(search), [search])
  const change = (next: Search) =>
    navigate({ to: '/context', search: (before: Search) => withoutEmpty({ ...before, ...next }), replace: true })
  // Undefined if the URL has no format: the server chooses the format by the place.
  const shape = SHAPES.find((each) => each === search.format)
  return { request, shape, change }
}

/**
 * The request with absolute paths of touched files, which people type relative to the project root. Undefined until the root is
 * known.
 */
export function useAbsolutePaths(request: LoadRequest): LoadRequest | undefined {
  const { place = '.', touched = [] } = request
  const isRelative = touched.some((path) => !path.startsWith('/'))
  const rootQuery = operationQuery('load', { place, full: false, drift: false })
  const { data: root, isError } = useQuery({ ...rootQuery, enabled: isRelative, select: (answer) => answer.root })
  return useMemo(() => {
    if (!isRelative || isError) return request
    if (root === undefined) return undefined
    // A person who may not see the path of the project sends the paths as typed.
    return root.startsWith('/') ? { ...request, touched: touched.map((path) => fromRoot(root, path)) } : request
  }, [request, touched, isRelative, isError, root])
}

function fromRoot(root: string, path: string): string {
  return path.startsWith('/') ? path : `${root.replace(/\/$/, '')}/${path}`
}

/** Reads the request from the URL. Leaves out an invalid budget; the server refuses other invalid values. */
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
  return withoutEmpty(chosen) as LoadRequest
}

/** Leaves out empty values. */
function withoutEmpty(values: Search): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))
}
