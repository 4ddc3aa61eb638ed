/**
 * Feeds once per fleet (architecture, Scale): which replica reads for all, and how the others come by
 * what it reads. Before a refresh the system's lease is taken; what is published later than what is
 * held is adopted first; what the refresh has brought is published. A replica that does not get the
 * lease waits for that. A store that cannot be reached means to act alone.
 */
import type { FeedExchange, FeedLease, RefreshResult } from "#ports.ts";
import type { Feed, FeedContext } from "#upstream/feeds/feed-runtime.ts";
import { guard } from "#kit/guard.ts";
import {
  exchangeName,
  type Handover,
  heldPacks,
  mergeNewer,
  readHandover,
  writeHandover,
} from "#upstream/feeds/handover.ts";
import { keepMemo } from "#upstream/feeds/locate.ts";
import { createReadings, type Readings } from "#upstream/feeds/readings.ts";

export type FleetTask = {
  /** The result, when what is held gives one; null: it must be run for. */
  findRetained: () => RefreshResult | null;
  run: () => Promise<RefreshResult>;
};

type LinkOptions = {
  /** Whether a request is in flight, which looks for itself at what is published. */
  isBusy: () => boolean;
  /** What was published has been taken over, or not, while nothing was in flight. */
  onAdopted: () => void;
};

/** A waiting replica asks for the lease again: its holder may be dead, or the notice lost. Jittered. */
const ASK_AGAIN_MS = 300;
/** The replica that read last reads again; the others let it, and come when it does not. */
const LAG_MS = 500;
const JOIN_MS = 10_000;
const CLOSED = { status: "unavailable", reason: "shutting_down" } as const;

type Notice = { source_id: string; version: number };

export class Fleet {
  readonly #ctx: FeedContext;
  readonly #exchange: FeedExchange;
  readonly #links = new Map<string, FleetLink>();
  /** Versions published of systems that are not known yet: a catalogue may name them. */
  readonly #strangers = new Map<string, number>();
  readonly #readings: Readings<FleetLink>;
  readonly #unwatch: () => void;

  constructor(ctx: FeedContext, exchange: FeedExchange) {
    this.#ctx = ctx;
    this.#exchange = exchange;
    this.#readings = createReadings(
      (link) => link.adoptIdle(),
      (error) => ctx.onFault("reading of a replica's feed", error),
    );
    this.#unwatch = exchange.watch((notice) => this.#noticed(notice));
  }

  /** The system may be exchanged from now on. */
  link(feed: Feed, options: LinkOptions): FleetLink {
    return new FleetLink(feed, {
      ...options,
      exchange: this.#exchange,
      wanted: (link) => this.#readings.want(link),
      enrol: (link, name, former) => {
        if (former !== null) this.#links.delete(former);
        this.#links.set(name, link);
        const version = this.#strangers.get(name);
        this.#strangers.delete(name);
        if (version !== undefined) link.noticed(version);
      },
    });
  }

  /** Reads what is published of all known systems; resolves after 10 s in any case. */
  async join(): Promise<void> {
    const { clock } = this.#ctx;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.schedule(clock.now() + JOIN_MS, resolve);
    const all = this.#exchange.list().then((listed) => {
      if (listed !== "unreachable") for (const notice of listed) this.#noticed(notice);
      return this.#readings.idle();
    });
    await Promise.race([all, late]);
    cancel();
  }

  close(): void {
    this.#unwatch();
    for (const link of this.#links.values()) link.close();
  }

  #noticed({ source_id, version }: Notice): void {
    const link = this.#links.get(source_id);
    if (link) link.noticed(version);
    else this.#strangers.set(source_id, version);
  }
}

type LinkDeps = LinkOptions & {
  exchange: FeedExchange;
  /** It is to be read, when there is room. */
  wanted: (link: FleetLink) => void;
  /** It is called that at the exchange; `former`: it was called that. */
  enrol: (link: FleetLink, name: string, former: string | null) => void;
};

/** How what is held of a system compares with what the fleet has published of it. */
type Standing = {
  /** Name of the system at the exchange. */
  readonly name: string;
  /** Of the publication that is held here, be it another's or our own. */
  version: number;
  /** The last version a notice named, and how many notices came. */
  noticed: number;
  notices: number;
  /** Something was read here that is not published. */
  ahead: boolean;
  /** The last publication is our own: this replica reads first when something is due. */
  own: boolean;
};

type Holding = { standing: Standing; lease: FeedLease; ran: boolean };

/** One system's part in the fleet. */
export class FleetLink {
  readonly #feed: Feed;
  readonly #deps: LinkDeps;
  #standing: Standing;
  /** Held from when a lease is granted until `publish`. */
  #holding: Holding | null = null;
  /** Called at a notice while a refresh waits for one. */
  #wakeUp: (() => void) | null = null;

  constructor(feed: Feed, deps: LinkDeps) {
    this.#feed = feed;
    this.#deps = deps;
    this.#standing = this.#newStanding();
    deps.enrol(this, this.#standing.name, null);
  }

  get version(): number {
    return this.#standing.version;
  }

  /** The system has moved: what was published of it counts for nothing, and its name is another. */
  renew(): void {
    const { name: former } = this.#standing;
    this.#standing = this.#newStanding();
    this.#deps.enrol(this, this.#standing.name, former);
  }

  noticed(version: number): void {
    const standing = this.#standing;
    standing.noticed = Math.max(standing.noticed, version);
    standing.notices++;
    this.#wakeUp?.();
    if (!this.#deps.isBusy() && version > standing.version) this.#deps.wanted(this);
  }

  /** How long after it is due a system is polled from here. */
  lag_ms(): number {
    return this.#standing.own ? 0 : LAG_MS * (1 + this.#feed.ctx.random());
  }

  /** After what was in flight: takes over what was published meanwhile. */
  catchUpLater(): void {
    if (this.#standing.noticed > this.#standing.version) this.#deps.wanted(this);
  }

  /** Takes over what is published, unless a request is in flight. */
  async adoptIdle(): Promise<void> {
    const { isBusy, onAdopted } = this.#deps;
    if (isBusy() || this.#feed.ctx.signal.aborted) return;
    await this.#catchUp(() => !isBusy());
    onAdopted();
  }

  /** Resolves when there is a result: ours, another replica's, or of what was held. */
  async run(task: FleetTask, urgent: AbortSignal): Promise<RefreshResult> {
    let is_quiet = false;
    for (;;) {
      if (this.#feed.ctx.signal.aborted) return CLOSED;
      const standing = this.#standing;
      const { notices } = standing;
      const stored = task.findRetained();
      if (stored) return stored;
      const lease = await this.#deps.exchange.lease(standing.name, urgent);
      if (lease === "unreachable") return this.#runAlone(standing, task);
      if (lease !== "held") return this.#runForAll(standing, lease, task);
      if (is_quiet) {
        // A notice may be lost. Not looked for sooner: a read finds out late that the store is gone.
        await this.#catchUp();
        is_quiet = false;
        continue;
      }
      // Between the answer and now a notice may have come.
      if (standing.notices === notices) await this.#waitForNotice();
      is_quiet = standing.notices === notices;
      if (standing.noticed > standing.version) await this.#catchUp();
    }
  }

  /** After `run`: hands over what came. */
  async publish(): Promise<void> {
    const holding = this.#holding;
    if (!holding) return;
    this.#holding = null;
    const { standing, lease, ran } = holding;
    const { state, events, ctx } = this.#feed;
    const is_news = ran || (standing.ahead && state.view.shard !== null);
    // What ends because we end is no news of the publisher; a system that has moved is another.
    if (!is_news || ctx.signal.aborted || standing !== this.#standing) return lease.release();
    const handover = await guard(
      () => writeHandover(state.view, this.#feed.now()),
      (error) => {
        events.fault("not_published", error);
        return null;
      },
    );
    if (!handover) return lease.release();
    const version = await lease.publish(handover.state, handover.packs);
    standing.ahead = version === null;
    if (version === null) return;
    standing.version = version;
    standing.own = true;
    standing.noticed = Math.max(standing.noticed, version);
  }

  close(): void {
    this.#wakeUp?.();
  }

  #newStanding(): Standing {
    const { system, protocol } = this.#feed.state.view;
    const name = exchangeName(system, protocol.id);
    return { name, version: 0, noticed: 0, notices: 0, ahead: false, own: false };
  }

  async #runAlone(standing: Standing, task: FleetTask): Promise<RefreshResult> {
    const result = await task.run();
    standing.ahead = true;
    return result;
  }

  async #runForAll(standing: Standing, lease: FeedLease, task: FleetTask): Promise<RefreshResult> {
    const holding: Holding = { standing, lease, ran: false };
    this.#holding = holding;
    // A store that has lost what it had is given what we have.
    if (lease.version < standing.version) Object.assign(standing, { version: 0, ahead: true });
    if (lease.version > standing.version) await this.#catchUp();
    const stored = task.findRetained();
    if (stored) return stored;
    holding.ran = true;
    return task.run();
  }

  /** Resolves at a notice of the system, or when it is time to ask again. */
  #waitForNotice(): Promise<void> {
    const { clock, random } = this.#feed.ctx;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#wakeUp = null;
        resolve();
      };
      const again_ms = ASK_AGAIN_MS * (1 + random() / 3);
      const cancel = clock.schedule(clock.now() + again_ms, end);
      this.#wakeUp = end;
    });
  }

  /**
   * Takes over what is published, unless what is held here was read later. `still`: whether it may be,
   * once it has been read; a refresh that has begun meanwhile looks for itself.
   */
  async #catchUp(still = (): boolean => true): Promise<void> {
    const standing = this.#standing;
    const { noticed } = standing;
    const { view } = this.#feed.state;
    const options = { after: standing.version, stored: heldPacks(view.shard) };
    const published = await this.#deps.exchange.read(standing.name, options);
    if (published === "unreachable") return;
    const about = { source_id: view.system.id, stored: view.shard, now_ms: this.#feed.now() };
    const handover = published && (await readHandover(published, about));
    if (!still() || this.#standing !== standing) return;
    if (standing.noticed === noticed) standing.noticed = published?.version ?? standing.version;
    if (!published) return;
    standing.version = published.version;
    if (!handover) return this.#feed.events.fault("not_adopted");
    const newest = standing.ahead ? mergeNewer(view, handover) : { handover, kept: false };
    standing.ahead = newest.kept;
    standing.own = false;
    if (newest.handover) await adopt(this.#feed, newest.handover);
  }
}

/** Takes over what another replica has read, as if it had been read here; resolves when it is shown. */
async function adopt(feed: Feed, handover: Handover): Promise<void> {
  const { state, ctx } = feed;
  const { memo } = handover.facts;
  const is_newer = memo && memo.surveyed_at_ms !== state.view.memo?.surveyed_at_ms;
  state.adopted(handover);
  if (is_newer) keepMemo(feed, memo);
  if (handover.shard) await ctx.sink.put(handover.shard);
}
