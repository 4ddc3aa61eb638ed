/** The registers a deployment reads whole: of defibrillators, and of an operator's charging stations. */
import type { PlaceKind } from "#core/places/place.ts";
import type { Descriptor } from "#providers/define.ts";
import geodaeProvider from "#providers/geodae/index.ts";
import { geodae } from "#providers/geodae/registry.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import ocpiProvider from "#providers/ocpi/index.ts";
import { ocpi } from "#providers/ocpi/locations.ts";
import openAedMapProvider from "#providers/openaedmap/index.ts";
import { openAedMap } from "#providers/openaedmap/registry.ts";
import type { RegistryEvent, RegistryRuntime } from "#upstream/registries.ts";
import { threadReader } from "#upstream/register-thread.ts";
import type { DocumentStore } from "#core/kept-documents.ts";
import type { Terms } from "#providers/provider.ts";
import { createRegistry } from "#upstream/registries.ts";
import type { AskDeps } from "#upstream/lookup/ask.ts";
import { createPlaceSetBuilder, type PlaceSet } from "#world/places/place-set.ts";
import type { Listed } from "./health.ts";
import type { Places } from "./parts.ts";
import { toBase } from "./settings.ts";

export type OpenRegistry = {
  id: string;
  name: string;
  kind: PlaceKind;
  provider: Descriptor;
  terms: Listed["terms"];
  configured: boolean;
  set: () => PlaceSet | null;
  runtime: RegistryRuntime;
  fresh_ms: number;
  /** Whether it knows anything of that country. */
  covers(country: string | null): boolean;
};

export type RegistryDeps = Pick<AskDeps, "run" | "clock" | "random"> & {
  /** Where registers are kept over a restart; absent: nowhere. */
  documents?: DocumentStore;
  onRegistry: (event: RegistryEvent) => void;
};

const REGISTER_WORKER = new URL("../workers/register.ts", import.meta.url);
export const DAY_MS = 86_400_000;
/** Statuses of charging stations are worth reading again after this long. */
const CHARGING_MS = 300_000;

type Chosen = { registry: "openaedmap" | "geodae"; open: boolean };

export function openRegistries(places: Places, chosen: Chosen, deps: RegistryDeps): OpenRegistry[] {
  const aed = chosen.registry === "geodae" ? openGeodae(places, deps) : openAeds(places, deps);
  const chargers = chosen.open ? openOcpi(places, deps) : [];
  return [...aed, ...chargers];
}

/** Decisions, Identifiers: without an address the open map alone is asked. */
function openAeds({ openaedmap: stated }: Places, deps: RegistryDeps): OpenRegistry[] {
  const { enabled, url, timeout_ms, countries } = stated;
  if (!enabled || url === null) return [];
  const settings = { url: toBase(url), timeout_ms, countries };
  const covers = (country: string | null): boolean =>
    countries.length === 0 || (country !== null && countries.includes(country));
  return [
    openRegistry(
      openAedMap,
      openAedMapProvider,
      { settings, stated, covers, renew_ms: DAY_MS },
      deps,
    ),
  ];
}

/** France and its territories: GéoDAE knows no others. */
const FRENCH = new Set([
  "FR",
  "GP",
  "MQ",
  "GF",
  "RE",
  "YT",
  "PM",
  "BL",
  "MF",
  "WF",
  "PF",
  "NC",
] as const) as ReadonlySet<string>;

function openGeodae({ geodae: stated }: Places, deps: RegistryDeps): OpenRegistry[] {
  const { enabled, url, timeout_ms } = stated;
  if (!enabled || url === null) return [];
  const settings = { url, timeout_ms };
  const covers = (country: string | null): boolean => country !== null && FRENCH.has(country);
  return [
    openRegistry(geodae, geodaeProvider, { settings, stated, covers, renew_ms: DAY_MS }, deps),
  ];
}

function openOcpi({ ocpi: stated }: Places, deps: RegistryDeps): OpenRegistry[] {
  const { enabled, url, token, token_raw, timeout_ms, name, attribution } = stated;
  if (!enabled) return [];
  const settings = { url: url ?? "", token: token ?? "", token_raw, timeout_ms, name, attribution };
  // Open endpoints want no token.
  const configured = url !== null;
  const covers = (): boolean => true;
  const how = { settings, stated, covers, renew_ms: CHARGING_MS, configured };
  return [openRegistry(ocpi, ocpiProvider, how, deps)];
}

/** A register that is read in the background, and what is held of it. */
export function openRegistry<S extends LookupSettings>(
  registry: Registry<S>,
  provider: Descriptor,
  how: {
    settings: S;
    stated: Listed["terms"] & { store?: Terms["store"] | null };
    covers: OpenRegistry["covers"];
    renew_ms: number;
    configured?: boolean;
  },
  { onRegistry, documents, ...deps }: RegistryDeps,
): OpenRegistry {
  let set: PlaceSet | null = null;
  const { settings, stated, covers, renew_ms, configured = true } = how;
  const runtime = createRegistry(registry, settings, {
    ...deps,
    renew_ms,
    documents: mayKeep(provider, stated) ? (documents ?? null) : null,
    build: () => {
      const builder = createPlaceSetBuilder();
      return {
        add: builder.add,
        finish: (fetched_at_ms) => void (set = builder.finish(fetched_at_ms)),
      };
    },
    renew: (fetched_at_ms) => void (set &&= { ...set, fetched_at_ms }),
    readInThread: threadReader({ worker_url: REGISTER_WORKER }),
    pause: () => new Promise((resolve) => void setImmediate(resolve)),
    onEvent: onRegistry,
  });
  return {
    ...{ id: provider.id, name: provider.name, kind: registry.kind, provider, covers, configured },
    terms: stated,
    set: () => set,
    runtime: configured ? runtime : IDLE,
    // Twice its pace: one attempt that fails is no reason to call it stale.
    fresh_ms: renew_ms * 2,
  };
}

/** Only what its terms, or the operator, allow to be stored. */
function mayKeep(provider: Descriptor, { store }: { store?: Terms["store"] | null }): boolean {
  return (store ?? provider.terms.store) === "all";
}

const IDLE: RegistryRuntime = {
  start: () => Promise.resolve(),
  health: () => ({
    ...{ status: "unavailable", reason: "not_configured", last_success_at_ms: null, count: null },
  }),
  close: () => undefined,
};
