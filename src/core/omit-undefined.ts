/** The type of an object without its undefined properties. TypeScript distinguishes an absent property from an undefined one. */
type OmitUndefined<Values> = {
  readonly [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name]
} & {
  readonly [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined>
}

export function omitUndefined<Values extends object>(values: Values): OmitUndefined<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as OmitUndefined<Values>
}
