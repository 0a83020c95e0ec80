import { ContextError } from '../core/errors.ts'

/** `denied` because of who asks, whatever is asked for: what is asked next fails alike, so there is no use in going on. */
export class CredentialsError extends ContextError {}
