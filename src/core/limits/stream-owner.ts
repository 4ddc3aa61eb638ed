/** Whose a stream of events is: bounds of one caller are counted by it. */

/** `block`: of an anonymous address; null: an account. */
export type StreamOwner = { own: string; block: string | null };
