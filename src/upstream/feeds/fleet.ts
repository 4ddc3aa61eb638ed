/**
 * Feeds once per fleet (architecture, Scale): who flies for all, and how the others come by what it
 * brings. Before a flight the system's lease is taken; what is published later than what is held is
 * adopted first; what the flight has brought is published. Who does not get the lease waits for that.
 * A store that cannot be reached means to act alone.
 */
import type { FeedExchange, FeedLease, RefreshResult } from "#ports.ts";
import { adopt, mergeNewer } from "#upstream/feeds/adopt.ts";
import { guard } from "#upstream/feeds/guard.ts";
import { exchangeName, heldPacks, readHandover, writeHandover } from "#upstream/feeds/handover.ts";
import { createReadings } from "#upstream/feeds/readings.ts";
import { type Context, type Link, protocolOf, type SystemState } from "#upstream/feeds/state.ts";

/** What somebody wants of a system. */
export type Mission = {
  /** The answer, when what is held is one; null: it must be flown for. */
  enough: () => RefreshResult | null;
  fly: () => Promise<RefreshResult>;
};

export type Fleet = {
  /** These may be exchanged; again after a system has moved. */
  add(states: readonly SystemState[]): void;
  /** Resolves when there is an answer, be it ours, another replica's, or the one that was there. */
  run(state: SystemState, mission: Mission, hurry: AbortSignal): Promise<RefreshResult>;
  /** After `run`: hands over what came. */
  land(state: SystemState): Promise<void>;
  /** After that, with the slot free: takes over what was told meanwhile. */
  look(state: SystemState): void;
  /** How long after it is due a system is polled from here. */
  lag_ms(state: SystemState): number;
  join(): Promise<void>;
  close(): void;
};

/** Who waits asks for the lease again: its holder may be dead, or the notice lost. Jittered. */
const ASK_AGAIN_MS = 300;
/** Who flew last flies again; the others let it, and come when it does not. */
const LAG_MS = 500;
const JOIN_MS = 10_000;
const CLOSED = { status: "unavailable", reason: "shutting_down" } as const;
const UNREADABLE = { kind: "fault", outcome: "error", reason: "not_adopted" } as const;
const UNWRITABLE = { ...UNREADABLE, reason: "not_published" } as const;

type Deps = {
  ctx: Context;
  exchange: FeedExchange;
  /** What was published has been taken over, or not, while nothing flew. */
  onAdopted: (state: SystemState) => void;
};

/** A lease, and whether something has come under it. */
type Holding = { link: Link; lease: FeedLease; flown: boolean };
type Parts = Deps & { holdings: Map<SystemState, Holding> };

export function createFleet(deps: Deps): Fleet {
  const { ctx, exchange } = deps;
  const parts: Parts = { ...deps, holdings: new Map() };
  const states = new Map<string, SystemState>();
  /** Told of systems that are not known yet: a catalogue may name them. */
  const strangers = new Map<string, number>();
  const readings = createReadings<SystemState>(async (state) => {
    if (state.flight || ctx.signal.aborted) return;
    await catchUp(parts, state, () => state.flight === null);
    deps.onAdopted(state);
  });
  const hear = ({ source_id, version }: { source_id: string; version: number }): void => {
    const state = states.get(source_id);
    if (!state?.link) return void strangers.set(source_id, version);
    state.link.heard = Math.max(state.link.heard, version);
    state.link.rings++;
    state.link.bell?.();
    if (!state.flight && version > state.link.version) readings.want(state);
  };
  const unwatch = exchange.watch(hear);

  return {
    add(added) {
      for (const state of added) {
        if (state.link) states.delete(state.link.name);
        const name = exchangeName(state.system, protocolOf(ctx, state).id);
        state.link = createLink(name);
        states.set(name, state);
        const version = strangers.get(name);
        strangers.delete(name);
        if (version !== undefined) hear({ source_id: name, version });
      }
    },
    run: (state, mission, hurry) => run(parts, state, { mission, hurry }),
    land: (state) => land(parts, state),
    look(state) {
      const { heard, version } = state.link!;
      if (heard > version) readings.want(state);
    },
    lag_ms: ({ link }) => (link?.own ? 0 : LAG_MS * (1 + ctx.random())),
    async join() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = ctx.clock.schedule(ctx.clock.now() + JOIN_MS, resolve);
      const all = exchange.list().then((listed) => {
        if (listed !== "unreachable") listed.forEach(hear);
        return readings.idle();
      });
      await Promise.race([all, late]);
      cancel();
    },
    close() {
      unwatch();
      for (const { link } of states.values()) link?.bell?.();
    },
  };
}

function createLink(name: string): Link {
  const nothing = { version: 0, heard: 0, rings: 0 };
  return { name, ...nothing, ahead: false, own: false, bell: null };
}

async function run(
  parts: Parts,
  state: SystemState,
  { mission, hurry }: { mission: Mission; hurry: AbortSignal },
): Promise<RefreshResult> {
  const { ctx, exchange } = parts;
  let silent = false;
  for (;;) {
    if (ctx.signal.aborted) return CLOSED;
    const link = state.link!;
    const { rings } = link;
    const enough = mission.enough();
    if (enough) return enough;
    const lease = await exchange.lease(link.name, hurry);
    if (lease === "unreachable") return flyAlone(link, mission);
    if (lease !== "held") return flyForAll(parts, state, { link, lease, mission });
    if (silent) {
      // A notice may be lost. Not looked for sooner: a read finds out late that the store is gone.
      await catchUp(parts, state);
      silent = false;
      continue;
    }
    // Between the answer and now something may have been told.
    if (link.rings === rings) await waitForNews(ctx, link);
    silent = link.rings === rings;
    if (link.heard > link.version) await catchUp(parts, state);
  }
}

async function flyAlone(link: Link, { fly }: Mission): Promise<RefreshResult> {
  const result = await fly();
  link.ahead = true;
  return result;
}

async function flyForAll(
  parts: Parts,
  state: SystemState,
  { link, lease, mission }: { link: Link; lease: FeedLease; mission: Mission },
): Promise<RefreshResult> {
  const holding: Holding = { link, lease, flown: false };
  parts.holdings.set(state, holding);
  // A store that has lost what it had is told what we have.
  if (lease.version < link.version) Object.assign(link, { version: 0, ahead: true });
  if (lease.version > link.version) await catchUp(parts, state);
  const enough = mission.enough();
  if (enough) return enough;
  holding.flown = true;
  return mission.fly();
}

/** Resolves when something is told of the system, or when it is time to ask again. */
function waitForNews(ctx: Context, link: Link): Promise<void> {
  return new Promise((resolve) => {
    const again_ms = ASK_AGAIN_MS * (1 + ctx.random() / 3);
    const over = (): void => {
      cancel();
      link.bell = null;
      resolve();
    };
    const cancel = ctx.clock.schedule(ctx.clock.now() + again_ms, over);
    link.bell = over;
  });
}

/**
 * Takes over what is published, unless what is held here was read later. `still`: whether it may be,
 * once it has been read; a flight that has begun meanwhile looks for itself.
 */
async function catchUp(
  { ctx, exchange }: Parts,
  state: SystemState,
  still = (): boolean => true,
): Promise<void> {
  const link = state.link!;
  const { heard } = link;
  const options = { after: link.version, held: heldPacks(state.shard) };
  const published = await exchange.read(link.name, options);
  if (published === "unreachable") return;
  const { id: source_id } = state.system;
  const about = { source_id, held: state.shard, now_ms: ctx.clock.now() };
  const handover = published && (await readHandover(published, about));
  if (!still() || state.link !== link) return;
  if (link.heard === heard) link.heard = published?.version ?? link.version;
  if (!published) return;
  link.version = published.version;
  if (!handover) return ctx.onEvent?.({ ...UNREADABLE, source_id, elapsed_ms: 0 });
  const newest = link.ahead ? mergeNewer(state, handover) : { handover, kept: false };
  Object.assign(link, { ahead: newest.kept, own: false });
  if (newest.handover) await adopt(ctx, state, newest.handover);
}

async function land({ ctx, holdings }: Parts, state: SystemState): Promise<void> {
  const holding = holdings.get(state);
  if (!holding) return;
  holdings.delete(state);
  const { link, lease, flown } = holding;
  const news = flown || (link.ahead && state.shard !== null);
  // What ends because we end is no news of the publisher; a system that has moved is another.
  if (!news || ctx.signal.aborted || link !== state.link) return lease.release();
  const handover = await guard(
    () => writeHandover(state, ctx.clock.now()),
    (error) => tellUnwritten(ctx, state, error),
  );
  if (!handover) return lease.release();
  const version = await lease.publish(handover.state, handover.packs);
  link.ahead = version === null;
  if (version === null) return;
  Object.assign(link, { version, own: true, heard: Math.max(link.heard, version) });
}

function tellUnwritten(ctx: Context, { system }: SystemState, error: unknown): null {
  ctx.onEvent?.({ ...UNWRITABLE, source_id: system.id, elapsed_ms: 0, error });
  return null;
}
