import { ContextError } from '../core/errors.ts'

/** What is wrong with a whole bucket, or with who asks: the next object would fail in the same way. */
export class BucketTrouble extends ContextError {}
