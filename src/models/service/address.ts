import { ContextError } from '../../core/errors.ts'
import { EMBEDDING, type ServiceKind } from './errors.ts'

/** Where a service is asked. */
export interface ServiceAddress {
  readonly baseURL: string
  readonly queryParams?: Record<string, string>
  /** What it is called in messages: without what may be secret in it. */
  readonly where: string
}

/**
 * A base URL as people write it: with or without `/v1`, with or without the end of the path. Where that end is written,
 * the path is taken as it is: some services have no `/v1`.
 *
 * @throws ContextError `invalid-input` for a URL that is none.
 */
export function addressOf(url: string, end: string, { name }: ServiceKind = EMBEDDING): ServiceAddress {
  if (!URL.canParse(url)) {
    const hint = 'It is such as http://127.0.0.1:11434/v1.'
    throw new ContextError('invalid-input', `The URL of the ${name} service is none.`, { hint })
  }
  const { origin, pathname, searchParams } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  const base = path.endsWith(`/${end}`) ? path.slice(0, -end.length - 1) : path || '/v1'
  return {
    baseURL: origin + base,
    ...(searchParams.size > 0 && { queryParams: Object.fromEntries(searchParams) }),
    where: origin,
  }
}
