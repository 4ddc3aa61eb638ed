/**
 * Form of every upstream for the rest of the program: a descriptor (data) and pure functions.
 * `upstream/` does the IO, the provider only says what to ask and what the answer means.
 */

/** Terms of a provider: what may be kept and must be shown. */
export type Terms = {
  attribution: string | null;
  attribution_url: string | null;
  licence: string | null;
  licence_url: string | null;
  /** `all`: content may be stored; `ids`: only identifiers; `none`: nothing outlives the answer. */
  store: "all" | "ids" | "none";
  /** `own`: results may be shown on no map but the provider's own. Absent: on any. */
  map?: "own";
};

/** Credentials of one upstream, by kind (mobility.md 1.12, "Auth variants seen"). */
export type Auth =
  | { kind: "none" }
  | { kind: "query"; name: string; value: string }
  | { kind: "headers"; headers: Record<string, string> }
  | { kind: "basic"; username: string; password: string }
  | {
      kind: "oauth2";
      token_url: string;
      client_id: string;
      client_secret: string;
      scope?: string;
    };

/** One outbound call, as data. */
export type SourceRequest = {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  auth?: Auth;
  /** Validators of the last good answer; sent as If-None-Match / If-Modified-Since. */
  etag?: string | null;
  last_modified?: string | null;
  /** Decoded body cap in bytes. */
  max_bytes?: number;
  /** A file that a large body, or one of unknown length, is written to instead of memory. */
  save_to?: string;
  /** How much of the body of a 4xx or 5xx is wanted, of sources that say there what was wrong. */
  refusal_bytes?: number;
  /** Own deadline of this source, ms. */
  timeout_ms: number;
  /** Host policy (reliability 4.5 rule 4): registrable domains of these hosts, and no others. */
  same_site_as?: readonly string[];
  /** A third party has chosen the URL: it must be public, whatever addresses the operator listed. */
  strict?: boolean;
};
