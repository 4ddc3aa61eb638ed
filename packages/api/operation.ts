/** Type of a row of the table of operations (operations.ts), and what rows share. */
import type { TSchema } from "typebox";
import type { ErrorCode } from "./errors.ts";
import type { Parameters } from "./primitives.ts";

export type Scope = "data:read" | "geography:read" | "journey:read";
type Tag =
  | "Mobility"
  | "Geocoding"
  | "Services"
  | "Transport"
  | "Walking"
  | "Live map"
  | "GBFS"
  | "Capabilities"
  | "Legacy"
  | "System";

/** Price of a 2xx reply, in units; a reply that has nothing to report is free. */
export type Charge =
  | { per: "reply"; units: number }
  /** `first` for the reply, `each` for every category asked that a maps provider answers. */
  | { per: "category"; first: number; each: number; categories: readonly string[] }
  /** `units` for each started block of `objects` results. */
  | { per: "block"; objects: number; units: number }
  /** `units` for an execution of one of the `paid` capabilities; the others are free. */
  | { per: "execution"; units: number; paid: readonly string[]; free: readonly string[] };

export const FREE = { per: "reply", units: 0 } as const satisfies Charge;
export const ONE_UNIT = { per: "reply", units: 1 } as const satisfies Charge;

/** Time that an answer may take. Operations of one name share a member of the configuration. */
export type Deadline = {
  /** Member of `deadlines_ms` in the configuration, which overrides the default. */
  name: string;
  default_ms: number;
  /** Purpose of the member; absent: the operation's method and path. */
  description?: string;
};

export type Content = { schema: TSchema; examples: Readonly<Record<string, unknown>> };

export type Operation = {
  id: string;
  method: "GET" | "POST";
  /** `{name}` is a segment: the parameter of that name, whose `in` says `path`. */
  path: string;
  /** Path of the metadata that a challenge names (RFC 9728 5.1). */
  resource_metadata?: string;
  /** Further paths that are answered alike and described nowhere. */
  also?: readonly string[];
  tag: Tag;
  summary: string;
  description: string;
  parameters: Parameters;
  /** Names that must be given together or not at all. */
  together?: readonly [string, string];
  /** Body of a POST, as JSON of at most LIMITS.body_bytes. */
  body?: Content;
  /** Body of a 200, by content type. */
  success: { description: string; content: Readonly<Record<string, Content>> };
  /** Conditional requests (http/conditional): strong ETag and 304. */
  conditional?: true;
  /** §7: the documented error statuses and the codes that may appear in them. */
  errors: Readonly<Record<number, readonly ErrorCode[]>>;
  /** `none`: credentials are not looked at; `optional`: anonymous or key (§5); `required`: a key. */
  auth: "none" | "optional" | "required";
  /** Scopes of which a key needs one; empty: none. */
  scope: readonly Scope[];
  /** Decisions, metering; the description says it in words. */
  charge: Charge;
  /** null: nothing is waited for. */
  deadline: Deadline | null;
  /** Which documented `Cache-Control` a 200 carries, in words. */
  caching: string;
  /** Data replies carry `Link: </v1/sources>; rel="license"`. */
  licence_link: boolean;
  /** Route that replaces this legacy one, named in every reply (decisions, Legacy routes). */
  successor?: string;
  /** Not part of the contract (decisions, Conventions): marked `x-addition` in the description. */
  addition?: true;
};

/** 401 wherever a credential may be presented. */
export const CREDENTIAL_401 = ["invalid_api_key", "expired_api_key"] as const;

/** Of what costs nothing and needs no scope. */
export const CALLER_ERRORS = {
  400: ["invalid_request", "conflicting_credentials"],
  401: CREDENTIAL_401,
  429: ["rate_limited"],
  503: ["overloaded", "shutting_down", "store_unavailable"],
} as const;

/** §4.6, §4.7, §7: the nearby searches that document 503. */
export const SEARCH_ERRORS = {
  400: ["invalid_request", "conflicting_credentials"],
  401: CREDENTIAL_401,
  402: ["quota_exhausted", "subscription_inactive"],
  403: ["insufficient_scope", "plan_not_allowed", "account_suspended"],
  429: ["rate_limited", "quota_exhausted"],
  503: ["overloaded", "shutting_down", "store_unavailable"],
} as const;

/** Rules for the reuse of a search's 200, in words. */
export const SEARCH_CACHING =
  "Anonymous and complete: `public`, at most 30 s. With a key: `private`. Partial or debug: `no-store`.";
