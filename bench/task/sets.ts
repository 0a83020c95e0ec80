/** Which repositories tasks are made of. None of them is one of ContextBench's, which is applied from outside. */

/** Looked at when weights and cuts were chosen: 13 repositories in 8 languages. */
const TUNING = [
  'aio-libs/aiohttp',
  'encode/httpx',
  'honojs/hono',
  'javaparser/javaparser',
  'jekyll/jekyll',
  'kysely-org/kysely',
  'labstack/echo',
  'pallets/click',
  'redis/redis',
  'square/okhttp',
  'streamlit/streamlit',
  'tokio-rs/axum',
  'withastro/astro',
]

/** Looked at for the final figures alone: 10 other repositories in 9 languages. */
const HELD_OUT = [
  'actix/actix-web',
  'apache/commons-lang',
  'caddyserver/caddy',
  'charmbracelet/crush',
  'composer/composer',
  'fastify/fastify',
  'libuv/libuv',
  'psf/black',
  'rubocop/rubocop',
  'trpc/trpc',
]

export type SetName = 'tuning' | 'held out'

/** The folders of each set, by the last parts of their paths: `…/owner/name`, `…/owner+name` or `…/owner+name/repo`. */
export function foldersBySet(folders: readonly string[]): ReadonlyMap<SetName, readonly string[]> {
  const sets = [
    ['tuning', TUNING],
    ['held out', HELD_OUT],
  ] as const
  return new Map(sets.map(([set, names]) => [set, folders.filter((folder) => names.includes(repositoryName(folder)))]))
}

/** `owner/name`. */
function repositoryName(folder: string): string {
  const parts = folder.replace(/\/+(?:repo)?\/*$/, '').split('/')
  const last = parts.at(-1) ?? ''
  return last.includes('+') ? last.replace('+', '/') : parts.slice(-2).join('/')
}
