/** A schema cannot be used; the message says why, in half a sentence. */
export class UnusableSchema extends Error {}
