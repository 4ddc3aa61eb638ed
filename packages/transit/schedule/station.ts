/**
 * A public transport station as one source describes it (§2.8): static data only. Providers and the
 * importer make these; `packages/transit/schedule` merges and ranks them.
 */
import type { TRANSPORT_MODES, TRANSPORT_PROVIDERS } from "#api/tokens.ts";
import type { Location } from "#kit/geo.ts";

export type TransitMode = (typeof TRANSPORT_MODES)[number];
export type TransitProvider = (typeof TRANSPORT_PROVIDERS)[number];

/** Unknown is null; `url`, `color` and `text_color` are absent when unknown (decisions, Transport). */
export type TransitOperator = { id: string; name: string; url?: string };
export type TransitRoute = {
  id: string;
  short_name: string | null;
  long_name: string | null;
  mode: TransitMode;
  operator_id: string | null;
  /** Six hexadecimal digits, without `#`. */
  color?: string;
  text_color?: string;
};

export type Wheelchair = "yes" | "no" | "unknown";

export type TransitSource = {
  provider: TransitProvider;
  region: string | null;
  /** The station as its source knows it. */
  source_id: string;
  operator_id: string | null;
  feed_id: string | null;
};

export type TransitStation = Location & {
  name: string;
  /** In the contract's order; never empty: a station without modes is left out. */
  modes: readonly TransitMode[];
  operators: readonly TransitOperator[];
  routes: readonly TransitRoute[];
  /** Whether live departures and alerts exist for it; null: unknown. */
  realtime: boolean | null;
  alerts: boolean | null;
  wheelchair: Wheelchair;
  /** When its static data were fetched, epoch ms. */
  fetched_at_ms: number;
  source: TransitSource;
};
