/** Matches a line of a patch that names a file, in the format of `apply_patch` or of a unified diff. */
const PATCHED_FILE =
  /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^(?:\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/gm

/** The files that a patch names, each once: `*** Update File: a.ts`, or `+++ b/a.ts`. */
export function patchPaths(text: string): readonly string[] {
  const names = [...text.matchAll(PATCHED_FILE)].map(([, changed, moved, diffed]) => changed ?? moved ?? diffed ?? '')
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== '' && name !== '/dev/null'))]
}
