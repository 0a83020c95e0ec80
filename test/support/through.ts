/** A part of which each call goes through something else first; `call` does what was asked. */
export function through<Part extends object>(
  part: Part,
  work: (name: string, call: () => unknown, given: readonly unknown[]) => unknown,
): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => work(String(name), () => value.apply(target, given), given)
    },
  })
}
