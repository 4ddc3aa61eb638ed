/**
 * Registries: read whole, once a day, in the background (architecture, Feeds). A new set
 * replaces the old one when all of its documents were read; what fails leaves the old one in use. A
 * register of one document is asked for only if it has changed since (RFC 9110 13.1).
 */
import { isOk, type Failure } from "#core/outcome.ts";
import type { Place } from "#core/places/place.ts";
import { createTrail, droppedCount } from "#core/trail.ts";
import type { Clock, Random } from "#ports.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import type { SourceRequest } from "#providers/provider.ts";
import type { Run } from "#upstream/run.ts";
import { toLookupFailure } from "#upstream/symptoms.ts";

/** Takes places one by one; `finish` puts the set in the place of the last one. */
export type SetBuilder = { add(place: Place): void; finish(fetched_at_ms: number): void };

export type RegistryHealth = {
  status: "ok" | Failure["status"];
  reason: string | null;
  last_success_at_ms: number | null;
  count: number | null;
};

export type RegistryEvent = {
  registry: string;
  outcome: RegistryHealth["status"];
  reason: string | null;
  accepted: number;
  dropped: number;
};

export type RegistryRuntime = {
  /** Resolves when it has been tried once. */
  start(): Promise<void>;
  health(): RegistryHealth;
  close(): void;
};

type Deps = {
  run: Run;
  clock: Clock;
  random: Random;
  build: () => SetBuilder;
  /** The set in use is what the source has now, too. */
  renew: (confirmed_at_ms: number) => void;
  /** How long a set is good. */
  renew_ms: number;
  /** Lets others have the thread. */
  pause: () => Promise<void>;
  onEvent: (event: RegistryEvent) => void;
};

const RETRY_MS = 60_000;
const MAX_RETRY_MS = 3_600_000;
const JITTER = 0.1;
const MAX_PAGES = 2_000;
/** Places between two looks at the clock, and for how long one goes on without a pause. */
const LOOK_EVERY = 32;
const SLICE_MS = 4;

export function createRegistry<S extends LookupSettings>(
  registry: Registry<S>,
  settings: S,
  deps: Deps,
): RegistryRuntime {
  const { clock, random } = deps;
  let health: RegistryHealth = {
    ...{ status: "unavailable", reason: "not_loaded", last_success_at_ms: null, count: null },
  };
  let failures = 0;
  let known: Validators = NONE;
  let cancel = (): void => {};
  const controller = new AbortController();

  async function once(): Promise<void> {
    const read = await readAll(registry, settings, { ...deps, known }, controller.signal);
    if (controller.signal.aborted) return;
    const ok = read.failure === null;
    failures = ok ? 0 : failures + 1;
    if (ok) known = read.validators;
    const count = read.unchanged ? health.count : read.accepted;
    health = ok
      ? { status: "ok", reason: null, last_success_at_ms: clock.now(), count }
      : { ...health, status: read.failure!.status, reason: read.failure!.reason };
    const { status: outcome, reason } = health;
    deps.onEvent({
      ...{ registry: registry.id, outcome, reason: read.unchanged ? "not_modified" : reason },
      ...{ accepted: read.accepted, dropped: read.dropped },
    });
    const wait_ms = ok ? deps.renew_ms : Math.min(RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
    cancel = clock.schedule(clock.now() + wait_ms * (1 + JITTER * random()), once);
  }
  return {
    start: once,
    health: () => health,
    close() {
      cancel();
      controller.abort();
    },
  };
}

const CLOSED: Failure = { status: "timeout", reason: "aborted" };

/** Of the last good answer: what asks whether there is a newer one. */
type Validators = { etag: string | null; last_modified: string | null };
const NONE: Validators = { etag: null, last_modified: null };

type ReadAll = {
  failure: Failure | null;
  accepted: number;
  dropped: number;
  /** Nothing was read, since nothing has changed. */
  unchanged: boolean;
  validators: Validators;
};

async function readAll<S extends LookupSettings>(
  registry: Registry<S>,
  settings: S,
  deps: Deps & { known: Validators },
  signal: AbortSignal,
): Promise<ReadAll> {
  const builder = deps.build();
  const trail = createTrail();
  let accepted = 0;
  let validators = NONE;
  const told = (failure: Failure | null, unchanged = false): ReadAll => ({
    ...{ failure, accepted, dropped: droppedCount(trail.toTrail()), unchanged, validators },
  });
  const queue: SourceRequest[] = registry.requests(settings);
  // A page or a document alone may be as it was while another has changed.
  const alone = queue.length === 1;
  if (alone) queue[0] = { ...queue[0]!, ...deps.known };
  for (let pages = 0; queue.length > 0; pages++) {
    const request = queue.shift()!;
    if (pages === MAX_PAGES) return told({ status: "error", reason: "too_many_pages" });
    const outcome = await deps.run(request, { signal });
    if (!isOk(outcome)) return told(toLookupFailure(outcome));
    const { value } = outcome;
    if (value.kind === "not_modified" && isConditional(request)) {
      validators = deps.known;
      deps.renew(deps.clock.now());
      return told(null, true);
    }
    if (value.kind !== "body") return told({ status: "error", reason: "unexpected" });
    const places = registry.open(value.body, { settings, trail });
    if (places === null) return told({ status: "error", reason: "wrong_shape" });
    accepted += await addAll(places, builder, { pause: deps.pause, signal });
    if (signal.aborted) return told(CLOSED);
    const next = nextPage(value.link, request.url);
    if (next !== null) queue.unshift({ ...request, ...NONE, url: next });
    else if (alone && pages === 0) {
      const { etag, last_modified } = value;
      validators = { etag, last_modified };
    }
  }
  builder.finish(deps.clock.now());
  return told(null);
}

function isConditional({ etag, last_modified }: SourceRequest): boolean {
  return Boolean(etag) || Boolean(last_modified);
}

async function addAll(
  places: Iterable<Place | null>,
  builder: SetBuilder,
  { pause, signal }: Pick<Deps, "pause"> & { signal: AbortSignal },
): Promise<number> {
  let accepted = 0;
  let seen = 0;
  let begun_ms = performance.now();
  for (const place of places) {
    if (place !== null) {
      builder.add(place);
      accepted++;
    }
    if (++seen % LOOK_EVERY !== 0 || performance.now() - begun_ms < SLICE_MS) continue;
    await pause();
    if (signal.aborted) break;
    begun_ms = performance.now();
  }
  return accepted;
}

const NEXT = /<([^>]*)>[^,]*;\s*rel=(?:"next"|next)\s*(?:[;,]|$)/i;

/** RFC 8288: only a page of the same site is one of the same document. */
function nextPage(link: string | null, base: string): string | null {
  const target = link === null ? undefined : NEXT.exec(link)?.[1];
  const url = target === undefined ? null : URL.parse(target, base);
  return url && url.origin === new URL(base).origin ? url.href : null;
}
