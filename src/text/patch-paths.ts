/** Matches a line of a patch that names a file, in the format of `apply_patch` or of a unified diff. */
const PATCHED =
  /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^(?:\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/gm

/** The files that a patch names, each once: `*** Update File: a.ts`, or `+++ b/a.ts`. */
export function patchPaths(text: string): readonly string[] {
  const named = [...text.matchAll(PATCHED)].map(([, changed, moved, diffed]) => changed ?? moved ?? diffed ?? '')
  return [...new Set(named.map((name) => name.trim()).filter((name) => name !== '' && name !== '/dev/null'))]
}
