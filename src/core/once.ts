/** Loads something when it is first needed, and keeps it. Without a way to load it there is none. */
export function once<Model>(
  load: () => Promise<Model | undefined> = async () => undefined,
): () => Promise<Model | undefined> {
  let loaded: Promise<Model | undefined> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}
