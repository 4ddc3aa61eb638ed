/**
 * Routes of the contract that the table of operations does not have yet. A test holds this list to
 * exactly those: a route is removed here when it is added, and its lines need tests from then on.
 */
export const PENDING: readonly string[] = [];
