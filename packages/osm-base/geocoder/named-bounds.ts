/** Sureties and weights by which a place counts as named, and a candidate as in it. */

/** Surety from which a word is the one that is written. */
export const WRITTEN = 0.97;
/** Surety from which a word of the whereabouts counts as named. */
export const NAMED = 0.7;
/** Surety of what lies in a place or is reached by it; of a name that is like it there is less. */
export const IN_IT = 0.85;
/** Part of being elsewhere that it is to be in the next municipality, which the place reaches. */
export const ADJACENT = 0.5;
/** A named town binds more than a part of one, of which towns have others of the same name. */
export const BINDS = { whole: 1, part: 0.25 } as const;
