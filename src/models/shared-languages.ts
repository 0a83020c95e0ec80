import type { LanguageModel } from './language.ts'

/** Models by name; each is loaded when it is first needed, and kept. Without a name: the one that is set. */
export function keptLanguages(load: (name: string | undefined) => Promise<LanguageModel>) {
  const languages = new Map<string, Promise<LanguageModel>>()
  return (name?: string): Promise<LanguageModel> => {
    const known = languages.get(name ?? '') ?? load(name)
    languages.set(name ?? '', known)
    // What failed may be mended, and is tried again.
    known.catch(() => languages.delete(name ?? ''))
    return known
  }
}
