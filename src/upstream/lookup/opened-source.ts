/** A source with the settings of this deployment, and how it is asked and treated. */
import type { Config } from "#config/load.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import type { Terms } from "#providers/provider.ts";
import { findShape } from "#providers/register-shapes.ts";
import { type RegisterEntry, toRegisterSource } from "#providers/register-source.ts";
import { type SourceId, SOURCES } from "#providers/registry.ts";
import { isConfigured, type Reader, type Source, toLookup } from "#providers/source.ts";
import { type Ask, type AskDeps, createAsk } from "#upstream/lookup/ask-source.ts";
import { type LookupPolicy, policyOf } from "#upstream/lookup/lookup-policy.ts";

/** Terms that the operator may state; null or absent: those of the source. */
type Stated = {
  attribution: string | null;
  licence: string | null;
  cache_s: number | null;
  store: Terms["store"] | null;
  calls_per_day?: number | null;
  reserved_for_keys?: number;
  concurrency?: number | null;
  per_second?: number | null;
};

export type OpenedSource = {
  /** Of SOURCES, or of an entry of `sources.registers`. */
  id: string;
  source: Source;
  settings: LookupSettings & Stated;
  /** Without its key or address it is not asked (operation.md, Modes). */
  configured: boolean;
  /** A register that the operator names by its shape; absent: it is one of SOURCES. */
  entry?: RegisterEntry;
};

/** The source without its key or address, whether it is switched on or not. */
export function openUnconfigured(id: SourceId, sources: Config["sources"]): OpenedSource {
  const source: Source = SOURCES[id];
  return { id, source, settings: toSettings(source, sources[id]), configured: false };
}

/** null: it is switched off, or meant for something else. */
export function openSource(
  id: SourceId,
  sources: Config["sources"],
): (OpenedSource & { id: SourceId }) | null {
  const source: Source = SOURCES[id];
  const stated = sources[id];
  if (!stated.enabled) return null;
  const settings = toSettings(source, stated);
  const configured = isConfigured(source, stated);
  if (!configured && source.without?.(settings) === "absent") return null;
  return { id, source, settings, configured };
}

/** The registers that the configuration names, those that are switched on. */
export function openShaped({ registers }: Config["sources"]): OpenedSource[] {
  return (registers ?? []).flatMap((entry) => {
    const shape = entry.enabled ? findShape(entry.shape) : undefined;
    if (!shape) return [];
    const source = toRegisterSource(shape, entry);
    const settings = { ...toSettings(source, entry), cache_s: null };
    return [{ id: entry.id, source, settings, configured: true, entry }];
  });
}

const ADDRESS = /^(url|\w+_url)$/;

/** Addresses lose the slashes at their end: adapters put paths behind them. */
function toSettings({ verbatim, timeout }: Source, stated: object): OpenedSource["settings"] {
  const members = Object.entries(stated).map(([name, value]) => {
    const isBase = verbatim !== true && ADDRESS.test(name) && typeof value === "string";
    return [name, isBase ? value.replace(/(?<!\/)\/+$/, "") : (value as unknown)];
  });
  const settings = Object.fromEntries(members) as OpenedSource["settings"] &
    Record<string, unknown>;
  return { ...settings, timeout_ms: settings[timeout ?? "timeout_ms"] as number };
}

/** Whether it knows a country (two upper-case letters; null: unknown). */
export function coversOf({ source, settings }: OpenedSource): (country: string | null) => boolean {
  return (country) => source.covers?.(country, settings) ?? true;
}

/** How the source is treated: by its own terms and policy, unless the operator has others. */
export function policyFor(
  { source, settings }: Pick<OpenedSource, "source" | "settings">,
  reader: { cache_s?: number; stale_s?: number } = {},
): LookupPolicy {
  const { stale_s: usual_stale_s = Infinity, ...usual } = source.policy ?? { cache_s: 0 };
  const { stale_s = usual_stale_s } = reader;
  const { store, calls_per_day = null, reserved_for_keys = 0, concurrency = null } = settings;
  const policy = policyOf(
    { store: store ?? source.terms.store },
    {
      ...usual,
      cache_s: settings.cache_s ?? reader.cache_s ?? usual.cache_s,
      calls_per_day,
      reserved_share: reserved_for_keys,
      ...(settings.per_second == null ? {} : { per_second: settings.per_second }),
      ...(concurrency === null ? {} : { places: concurrency, queue: concurrency * 2 }),
    },
  );
  const stale_ms = stale_s * 1000;
  return {
    ...policy,
    renew_ms: Math.min(policy.renew_ms, stale_ms),
    rescue_ms: Math.min(policy.rescue_ms, stale_ms),
  };
}

export function askOf<Q, V>(
  opened: OpenedSource,
  reader: Reader<Q, LookupSettings, V>,
  deps: AskDeps,
): Ask<Q, V> {
  const { source, settings, configured } = opened;
  if (!configured)
    return () => Promise.resolve({ status: "unavailable", reason: "not_configured", rescue: null });
  return createAsk(toLookup(source, reader), { settings, policy: policyFor(opened, reader) }, deps);
}
