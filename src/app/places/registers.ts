/** Registers that a deployment reads whole, in the background: what is held of each, and how it is. */
import type { DocumentStore } from "#core/kept-documents.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { FindCountries } from "#app/country.ts";
import { boxTouchesCircle, type Location, reachOf } from "#kit/geo.ts";
import { guard } from "#kit/guard.ts";
import { ringsAround } from "#kit/rings-around.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { findShape } from "#providers/register-shapes.ts";
import { toLiveRegistry, toSettings } from "#providers/register-source.ts";
import { LiveRegister } from "#upstream/registers/live-register.ts";
import { type RegisterReader, toRegistry } from "#providers/source.ts";
import { WatchedRegistry, type RegistryEvent, type RegistryRuntime } from "#upstream/registries.ts";
import type { SetBuilder } from "#upstream/registry-set.ts";
import { PlaceSetBuilder, type PlaceSet } from "#world/places/place-set.ts";
import type { Circle } from "#world/system-entry.ts";
import type { OpenedSource } from "#upstream/lookup/opened-source.ts";

export type OpenRegister = {
  /** Of the register; a source may have several. */
  id: string;
  kind: PlaceKind;
  set: () => PlaceSet | null;
  runtime: RegistryRuntime;
  fresh_ms: number;
  /** Its live half; null: it has none. */
  live: LiveHalf | null;
  /** Whether its places may lie in the circle; null: it is not known where they lie. */
  reaches(circle: Circle): boolean | null;
};

/** What questions need of a live half. */
export type LiveHalf = Pick<
  LiveRegister<LookupSettings>,
  "touch" | "ready" | "meet" | "apply" | "good_until_ms" | "health" | "turn" | "close" | "max_age_s"
>;

export type RegisterDeps = Pick<
  ConstructorParameters<typeof WatchedRegistry>[2],
  "run" | "clock" | "random" | "onFault" | "pause" | "readInThread" | "turns"
> & {
  /** Of places of a register that lies in one country; absent: they are not looked at. */
  countries?: () => Promise<FindCountries>;
  /** Where registers are kept over a restart; absent: nowhere. */
  documents?: DocumentStore;
  /** `source_id`: the source of the register, which may have several. */
  onRegistry: (event: RegistryEvent, source_id: string) => void;
};

/** Of a source that answers do without while it is not configured: none. */
export function openRegisters(opened: OpenedSource, deps: RegisterDeps): OpenRegister[] {
  const { source, settings, configured } = opened;
  const { registers, without } = source;
  if (!registers || (!configured && without?.(settings) === "unasked")) return [];
  return registers.readers.map((reader) => openRegister(opened, reader, deps));
}

function openRegister(
  opened: OpenedSource,
  reader: RegisterReader<LookupSettings>,
  { onRegistry, documents, countries, ...deps }: RegisterDeps,
): OpenRegister {
  const { source, settings, configured, entry } = opened;
  const register = toRegistry(source, reader);
  const renew_ms = source.registers!.renew_s * 1000;
  // Only what its terms, or the operator, allow to be stored.
  const mayKeep = (settings.store ?? source.terms.store) === "all";
  let set: PlaceSet | null = null;
  let sites: ReadonlySet<string> = new Set();
  let isSwapped: IsSwapped | null = null;
  const country = entry?.country ?? null;
  const onEvent = (event: RegistryEvent): void => onRegistry(event, source.id);
  const live = openLive(opened, {
    ...{ ...deps, onEvent },
    box: () => set?.box ?? null,
    isSite: (id) => sites.has(id),
  });
  const open = (): RegistryRuntime =>
    new WatchedRegistry(register, entry ? toSettings(entry) : settings, {
      ...deps,
      renew_ms,
      documents: mayKeep ? (documents ?? null) : null,
      build: () =>
        createSites(isSwapped, (made, ids) => {
          set = made;
          sites = ids;
          live?.meet();
        }),
      renew(fetched_at_ms) {
        set &&= { ...set, fetched_at_ms };
      },
      onEvent,
    });
  const openOwn = (): RegistryRuntime => {
    const runtime = open();
    if (!countries || country === null) return runtime;
    const prepare = async () => void (isSwapped = createIsSwapped(country, await countries()));
    return startAfter(runtime, prepare, (error) =>
      deps.onFault(`countries of register ${register.id}`, error),
    );
  };
  return {
    id: register.id,
    kind: register.kind,
    set: () => set,
    runtime: configured ? openOwn() : IDLE,
    // Twice its pace: one attempt that fails is no reason to call it stale.
    fresh_ms: renew_ms * 2,
    live,
    reaches: (circle) =>
      set && set.box && boxTouchesCircle(set.box, circle, reachOf(circle.lat, circle.radius_m)),
  };
}

/** Collects places, and the ids under which they look for their states. */
function createSites(
  isSwapped: IsSwapped | null,
  finish: (set: PlaceSet, ids: ReadonlySet<string>) => void,
): SetBuilder {
  const builder = new PlaceSetBuilder();
  const ids = new Set<string>();
  return {
    add(place) {
      if (isSwapped?.(place)) return "coordinates_swapped";
      const taken = builder.add(place);
      if (taken) for (const id of idsOf(place)) ids.add(id);
      return taken;
    },
    finish: (fetched_at_ms) => finish(builder.finish(fetched_at_ms), ids),
  };
}

/** What is thrown on the way costs what it would have added, and no more. */
function startAfter(
  runtime: RegistryRuntime,
  prepare: () => Promise<void>,
  onFault: (error: unknown) => void,
): RegistryRuntime {
  return {
    health: () => runtime.health(),
    turn: () => runtime.turn(),
    close: () => runtime.close(),
    start: async () => {
      await guard(prepare, onFault);
      await runtime.start();
    },
  };
}

/** How far outside of a country what is none of it lies, kilometres: borders of maps are coarse. */
const OUTSIDE_KM = [5, 30];
/** Cells narrower than that: what is in one of them with a place of the country is not outside. */
const CELLS_PER_DEGREE = 10;

export type IsSwapped = (at: Location) => boolean;

/** Reports whether a place is far outside of the country where all of its register is, and in it the other way round. */
export function createIsSwapped(country: string, find: FindCountries): IsSwapped {
  const own = new Set<string>();
  const isIn = (at: Location): boolean => find(at.lat, at.lon).includes(country);
  return ({ lat, lon }) => {
    const cell = `${Math.floor(lat * CELLS_PER_DEGREE)} ${Math.floor(lon * CELLS_PER_DEGREE)}`;
    if (own.has(cell)) return false;
    if (isIn({ lat, lon })) {
      own.add(cell);
      return false;
    }
    if (Math.abs(lon) > 90 || !isIn({ lat: lon, lon: lat })) return false;
    return !ringsAround({ lat, lon }, OUTSIDE_KM).some(isIn);
  };
}

/** Ids under which a place looks for its states. */
function idsOf({ live }: Place): string[] {
  if (!live) return [];
  return live.kind === "spaces" ? [live.id] : live.points.map(({ id }) => id);
}

/** null: its shape has no live half, or it is no register with a shape. */
function openLive(
  { source, entry }: OpenedSource,
  deps: ConstructorParameters<typeof LiveRegister>[3],
): LiveHalf | null {
  const shape = entry && findShape(entry.shape);
  const registry = shape && toLiveRegistry(shape, source, entry);
  if (!registry) return null;
  const intervals = {
    refresh_ms: (entry.refresh_s ?? shape.refresh_s) * 1_000,
    max_age_ms: entry.max_age_s * 1_000,
  };
  return new LiveRegister(registry, toSettings(entry), intervals, deps);
}

const IDLE: RegistryRuntime = {
  start: () => Promise.resolve(),
  health: () => ({
    status: "unavailable",
    reason: "not_configured",
    last_success_at_ms: null,
    count: null,
  }),
  turn: () => null,
  close: () => undefined,
};

/** Several registers of one source: as well as the worse of them, and as old as the older. */
export function joinRuntimes(runtimes: readonly RegistryRuntime[]): RegistryRuntime {
  const [only, ...others] = runtimes;
  if (only && others.length === 0) return only;
  return {
    start: async () => void (await Promise.all(runtimes.map((each) => each.start()))),
    close: () => runtimes.forEach((each) => each.close()),
    turn: () => runtimes.map((each) => each.turn()).find((turn) => turn !== null) ?? null,
    health: () => {
      const each = runtimes.map((runtime) => runtime.health());
      const { status, reason } =
        each.find((one) => one.status !== "ok") ?? each[0] ?? IDLE.health();
      const last = allKnown(each.map(({ last_success_at_ms }) => last_success_at_ms));
      const counts = allKnown(each.map(({ count }) => count));
      return {
        status,
        reason,
        last_success_at_ms: last && Math.min(...last),
        count: counts && counts.reduce((sum, count) => sum + count, 0),
      };
    },
  };
}

/** null: of one of them at least it is unknown. */
function allKnown(values: readonly (number | null)[]): number[] | null {
  const defined = values.filter((value) => value !== null);
  return defined.length > 0 && defined.length === values.length ? defined : null;
}
