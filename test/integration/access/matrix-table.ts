/**
 * What each caller gets (decisions, "Errors" and "Authentication, plans, metering"), by hand: a row
 * for each kind of caller, a column for each class of operations. Nothing here is read from the
 * implementation.
 */
import type { CLASSES } from "../../support/by-hand.ts";

export type Class = keyof typeof CLASSES;

/** What the `RateLimit` header reports: the burst once it was checked, the units once they were. */
export type Reported = "nothing" | "burst" | "burst and units" | "units";

export type Outcome = {
  status: number;
  code?: string;
  reported: Reported;
  /** Until when, where `Retry-After` is due. */
  retry?: "day" | "month" | "burst";
  /** Which scopes the challenge of a 403 names. */
  lacks?: string;
};

const ok = (reported: Reported): Outcome => ({ status: 200, reported });
const OK = ok("burst and units");
const OPEN = ok("nothing");
const FREE = ok("burst");

const invalid: Outcome = { status: 401, code: "invalid_api_key", reported: "nothing" };
const expired: Outcome = { status: 401, code: "expired_api_key", reported: "nothing" };
const conflict: Outcome = { status: 400, code: "conflicting_credentials", reported: "nothing" };
const twice: Outcome = { status: 400, code: "invalid_request", reported: "nothing" };
const throttled: Outcome = {
  status: 429,
  code: "rate_limited",
  reported: "nothing",
  retry: "burst",
};
const hurried: Outcome = { ...throttled, reported: "burst" };
const lacks = (scope: string): Outcome => ({
  status: 403,
  code: "insufficient_scope",
  reported: "burst",
  lacks: scope,
});
const suspended: Outcome = { status: 403, code: "account_suspended", reported: "burst" };
const lapsed: Outcome = {
  status: 402,
  code: "subscription_inactive",
  reported: "burst",
  retry: "month",
};
/** Where 402 is not documented. */
const disallowed: Outcome = { status: 403, code: "plan_not_allowed", reported: "burst" };
const spent: Outcome = {
  status: 402,
  code: "quota_exhausted",
  reported: "burst and units",
  retry: "month",
};
const spentElsewhere: Outcome = { ...spent, status: 429 };
const absent = (reported: Reported): Outcome => ({
  status: 404,
  code: "dataset_not_found",
  reported,
});
const ABSENT = absent("burst");
const UNPUBLISHED: Outcome = { status: 404, code: "not_found", reported: "nothing" };
const KEYLESS: Outcome = { status: 401, code: "missing_token", reported: "nothing" };
const dayOver: Outcome = { ...spent, status: 429, retry: "day" };

export type Row = Readonly<Record<Class, Outcome>>;

const all = (outcome: Outcome): Row => ({
  open: OPEN,
  nearby: outcome,
  geocoding: outcome,
  reverse: outcome,
  search: outcome,
  free: outcome,
  capability: outcome,
  record: outcome,
  legacy: outcome,
  vehicles: outcome,
  unpublished: UNPUBLISHED,
});
const GOOD: Row = { ...all(OK), free: FREE, record: ABSENT };
const SCOPELESS: Row = {
  open: OPEN,
  free: FREE,
  unpublished: UNPUBLISHED,
  legacy: lacks("data:read"),
  vehicles: lacks("data:read"),
  nearby: lacks("data:read"),
  search: lacks("data:read"),
  capability: lacks("data:read"),
  record: lacks("data:read"),
  geocoding: lacks("geography:read data:read"),
  reverse: lacks("geography:read"),
};
const UNLIMITED: Row = { ...all(ok("nothing")), open: OPEN, record: absent("nothing") };

/** The names are those of `callers.ts`, which says how each presents itself. */
export const TABLE = {
  anonymous: { ...GOOD, vehicles: KEYLESS },
  "anonymous, day used up": { ...all(dayOver), free: FREE, record: ABSENT, vehicles: KEYLESS },
  "anonymous, burst used up": { ...all(hurried), vehicles: KEYLESS },
  "scheme alone": all(invalid),
  "scheme Basic": all(invalid),
  "scheme unknown": all(invalid),
  "no scheme": all(invalid),
  "header empty": all(invalid),
  "two words": all(invalid),
  "key too short": all(invalid),
  "key with a typing error": all(invalid),
  "key with another prefix": all(invalid),
  "key unknown": all(invalid),
  "key of the other mode": all(invalid),
  "key revoked": all(invalid),
  "key expired": all(expired),
  "key expired and revoked": all(invalid),
  "no scope": SCOPELESS,
  "journey:read": SCOPELESS,
  "data:read": { ...GOOD, reverse: lacks("geography:read") },
  "geography:read": { ...SCOPELESS, geocoding: OK, reverse: OK },
  "every scope": GOOD,
  "account suspended": { ...all(suspended), open: OPEN, free: FREE },
  "account past due": {
    open: OPEN,
    free: FREE,
    nearby: lapsed,
    search: lapsed,
    unpublished: UNPUBLISHED,
    legacy: lapsed,
    vehicles: lapsed,
    geocoding: disallowed,
    reverse: disallowed,
    capability: disallowed,
    record: ABSENT,
  },
  "hard plan used up": {
    open: OPEN,
    free: FREE,
    nearby: spent,
    search: spent,
    unpublished: UNPUBLISHED,
    legacy: spent,
    vehicles: spent,
    geocoding: spentElsewhere,
    reverse: spentElsewhere,
    capability: spentElsewhere,
    record: ABSENT,
  },
  "soft plan used up": GOOD,
  "plan without bounds": UNLIMITED,
  "burst of the key used up": all(hurried),
  "scope missing, plan used up": SCOPELESS,
  "header and token differ": all(conflict),
  "malformed header and token": all(conflict),
  "header and token agree": GOOD,
  "token alone": GOOD,
  "token expired": all(expired),
  "token unknown": all(invalid),
  "token empty": all(invalid),
  "token badly escaped": all(invalid),
  "token empty, header good": all(invalid),
  "token twice": all(twice),
  "20 bad keys before": all(throttled),
  "20 bad keys before, good key": GOOD,
} as const satisfies Readonly<Record<string, Row>>;

export type RowName = keyof typeof TABLE;
