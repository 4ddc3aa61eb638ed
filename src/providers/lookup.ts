/**
 * Form of a source that is asked per question: a descriptor and pure functions, one to say what to
 * ask, one to say what the answer means. `upstream/lookup` does the asking. A registry is read whole
 * instead, now and then, and searched in memory.
 */
import type { Box, Location } from "#kit/geo.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { Descriptor } from "#providers/define.ts";
import type { SourceRequest } from "#providers/provider.ts";

/** An answer as it came: whatever the status, with the beginning of what a refusal said. */
export type WireAnswer = {
  status: number;
  content_type: string | null;
  body: Uint8Array;
};

/** Meaning of an answer. `raw`: how many things the source sent, before any was dropped. */
export type ReadAnswer<T> = { ok: true; value: T; raw: number } | ({ ok: false } & Failure);

export type Lookup<Query, Settings, Value> = {
  /** `<provider>.<operation>`: names its breaker, its budget and its cache entries. */
  id: string;
  provider: Descriptor;
  /** Two questions with equal keys get equal answers: they share a request and a cache entry. */
  keyOf(query: Query): string;
  request(query: Query, settings: Settings): SourceRequest;
  /**
   * The source says until when its answers are good (Expires), and wants to be asked after that only
   * whether anything changed (If-Modified-Since).
   */
  honours_expiry?: true;
  /** What was dropped goes to the trail with its reason; a body of another shape is a failure. */
  read(
    wire: WireAnswer,
    query: Query,
    options: { settings: Settings; trail: TrailRecorder },
  ): ReadAnswer<Value>;
};

/** Every lookup's settings; adapters add members of their own. */
export type LookupSettings = {
  /** Base address without a trailing slash. */
  url: string;
  timeout_ms: number;
};

/** Forward geocoding: `country` is a filter, two upper-case letters; `near` only a bias. */
export type GeocodeQuery = {
  q: string;
  language: string | null;
  country: string | null;
  near: Location | null;
  /** The last word is the beginning of one; servers that do not know of it take it for a word. */
  prefix?: boolean;
};
export type ReverseQuery = Location & { language: string | null };

/** Things of one kind around a point. `country`: two upper-case letters. */
export type AroundQuery = Location & {
  radius_m: number;
  limit: number;
  language: string | null;
  country: string | null;
};

/** Points of interest of some classes around a point. */
export type InterestQuery = AroundQuery & { classes: readonly string[] };

/** Things of several kinds in boxes (none crosses the antimeridian): what a tile store asks. */
export type BoxQuery = { kinds: readonly PlaceKind[]; boxes: readonly Box[] };
export type BoxLookup<S> = Lookup<BoxQuery, S, Place[]>;

/** What the rows of a register are: its places, or the states of its live half. */
type RegisterHalf = "places" | "states";

/** The documents that others are read with, the same object for all that are read at once. */
export type Companions = {
  readonly bodies: readonly Uint8Array[];
  /** What the reader has made of them, for the documents that follow. */
  made?: unknown;
};

/** A source that is read whole, document by document, and row by row. */
export type Registry<Settings, R = Place> = {
  id: string;
  /** How a thread finds its reader, where the id of the register is the operator's. */
  reader?: { shape: string; half: RegisterHalf };
  provider: Descriptor;
  kind: PlaceKind;
  /** The documents to read; each may go on at its `Link: <…>; rel="next"` (RFC 8288). */
  requests(settings: Settings): SourceRequest[];
  /** Documents that each of the others is read with, such as tariffs; what cannot be had is left out. */
  companions?(settings: Settings): SourceRequest[];
  /** Finds the next page where the body alone names it; null: it names none. */
  nextPage?(body: Uint8Array): string | null;
  /**
   * null: the body is not of its shape (or says that it failed). The iterable gives null for a row
   * that was dropped, so that its reader may pause anywhere.
   */
  open(
    body: Uint8Array,
    options: { settings: Settings; trail: TrailRecorder; companions?: Companions },
  ): Iterable<R | null> | null;
};
