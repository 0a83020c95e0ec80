/** What tokens allow, in words. */
export const SCOPES = {
  read: 'read and search',
  write: 'describe folders and index',
  research: 'do research',
  admin: 'manage collections and tokens',
} as const

export type Scope = keyof typeof SCOPES

/** In words, as far as there are some. */
export function scopeText(scope: string): string {
  return Object.hasOwn(SCOPES, scope) ? SCOPES[scope as Scope] : scope
}
