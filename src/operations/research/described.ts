/** The input that names a session. */
export const session = {
  is: 'text',
  required: true,
  placeholder: 'ID',
  names: 'sessions',
  description: 'the beginning of the id of a session; "last" is the newest',
} as const
