/** A random schedule of requests over replicas, and what of it contradicts the rules of units. */
import type { Caller } from "#app/access/request-caller.ts";
import { dayOf } from "#core/metering/metering-periods.ts";
import type { Plan } from "#core/plans.ts";
import type { Journal } from "#storage/usage/journal.ts";
import { createDice, type Dice } from "../../../trials/dice.ts";
import { keyedCaller, PAID } from "../gate.ts";
import { ModelClock } from "./clock.ts";
import {
  createModelJournal,
  type ModelRequest,
  ModelDatasets,
  ModelReplica,
  newExchange,
} from "./replica.ts";
import { DELAY_MS, FOLLOW_MS, ModelStore } from "./store.ts";
import { type Noted, Truth } from "./truth.ts";

/** The end of a day and of a month lies in the middle. */
const MIDNIGHT_MS = Date.UTC(2026, 11, 1);
const BEFORE_MS = 3_000;
const STARTS_MS = 200;
const ARRIVALS_MS = 6_000;
const STEP_MS = 250;
/** By then all answers are counted, and claims of the killed have ended. */
const QUIET_MS = 20_000;
const WORK_MS = 300;
const DEADLINE_MS = 5_000;
const RESTART_MS = 500;
/** Of a page: 0 to 3 hundreds of objects. */
const MOST_BLOCKS = 3;
/** From an answer to the view of another replica: moved to the ledger, twice in turn, and followed. */
const LAG_MS = WORK_MS + 2 * (250 + 2 * DELAY_MS) + FOLLOW_MS + 2 * DELAY_MS;

export type ScheduleWish = { replicas: 1 | 2; seed: number };
export type ScheduleVerdict = {
  violations: string[];
  counts: { answered: number; refused: number; repeats: number; lost: number; overrun: number };
};

export async function runSchedule({ replicas, seed }: ScheduleWish): Promise<ScheduleVerdict> {
  const dice = createDice(seed, replicas);
  return await new Schedule(dice, replicas).run();
}

class Schedule {
  readonly #dice: Dice;
  readonly #clock: ModelClock;
  readonly #store: ModelStore;
  readonly #datasets: ModelDatasets;
  readonly #truth = new Truth();
  readonly #plan: Plan;
  readonly #withBlocks: boolean;
  readonly #alone: boolean;
  readonly #violations: string[] = [];
  readonly #counts = { answered: 0, refused: 0, repeats: 0, lost: 0, overrun: 0 };
  readonly #replicas: { at: ModelReplica; journal: Journal; life: number }[];
  /** Of each search: what was answered, and how often it was charged. */
  readonly #searches = new Map<string, { ids: Set<string>; charged: number }>();
  #killed = false;

  constructor(dice: Dice, replicas: number) {
    this.#dice = dice;
    this.#clock = new ModelClock(MIDNIGHT_MS - BEFORE_MS, dice.next);
    this.#store = new ModelStore(this.#clock, dice.next);
    const pause = (): Promise<void> => this.#clock.sleep(dice.integer(0, DELAY_MS));
    this.#datasets = new ModelDatasets(this.#clock, pause);
    this.#alone = replicas === 1 && dice.chance(0.5);
    this.#withBlocks = dice.chance(0.5);
    const period = dice.pick(["day", "month"] as const);
    const exact = !this.#alone && dice.chance(0.5);
    this.#plan = { ...PAID, period, units: dice.integer(6, 40), exact };
    this.#replicas = Array.from({ length: replicas }, () => {
      const journal = createModelJournal();
      return { at: this.#begin(journal), journal, life: 0 };
    });
  }

  async run(): Promise<ScheduleVerdict> {
    const dice = this.#dice;
    // Replicas begin before any request comes.
    for (let n = dice.integer(20, 90); n > 0; n--) this.#plan_request();
    if (dice.chance(0.3)) this.#plan_kill();
    const started = Promise.all(this.#replicas.map(({ at }) => at.started));
    await this.#clock.run(MIDNIGHT_MS - BEFORE_MS + STARTS_MS);
    await started;
    await this.#clock.run(MIDNIGHT_MS + ARRIVALS_MS + QUIET_MS);
    this.#judgeEnd();
    return { violations: this.#violations, counts: this.#counts };
  }

  #begin(journal: Journal): ModelReplica {
    const input = { clock: this.#clock, store: this.#store, datasets: this.#datasets };
    return new ModelReplica({ ...input, alone: this.#alone }, journal);
  }

  #plan_kill(): void {
    const place = this.#dice.pick(this.#replicas);
    const at_ms = MIDNIGHT_MS - BEFORE_MS + STARTS_MS + this.#dice.integer(0, ARRIVALS_MS);
    this.#killed = true;
    this.#clock.schedule(at_ms, async () => {
      place.at.dead = true;
      await this.#clock.sleep(this.#dice.integer(0, RESTART_MS));
      const again = this.#begin(place.journal);
      await again.started;
      place.at = again;
      place.life += 1;
    });
  }

  #plan_request(): void {
    const dice = this.#dice;
    // In crowds: many at one moment.
    const at_ms = MIDNIGHT_MS - BEFORE_MS + STARTS_MS + dice.integer(0, 24) * STEP_MS;
    const place = dice.integer(0, this.#replicas.length - 1);
    const isKeyed = dice.chance(0.7);
    const operation = dice.pick([
      "geocode",
      "getServicesNearby",
      "executeCapability",
      this.#withBlocks ? "getNearby" : "getParkingNearby",
    ] as const);
    const body = operation === "executeCapability" ? `search ${dice.integer(0, 9)}` : undefined;
    const types =
      operation === "getServicesNearby" ? { types: ["toilets", "parking", "charging"] } : {};
    const caller: Caller = isKeyed
      ? keyedCaller({ plan: this.#plan })
      : { kind: "anonymous", plan: this.#plan, address: { narrow: "a", wide: "b" } };
    const request: ModelRequest = {
      caller,
      operation,
      ...types,
      ...(body && { body: `${caller.kind} ${body}` }),
    };
    this.#clock.schedule(at_ms, () => this.#ask(place, request));
  }

  async #ask(place: number, requested: ModelRequest): Promise<void> {
    const clock = this.#clock;
    const { at: replica, life } = this.#replicas[place]!;
    if (replica.dead) return;
    const exchange = newExchange();
    const turn = requested.body
      ? await replica.take(requested.body, clock.now() + DEADLINE_MS)
      : null;
    if (replica.dead) return void this.#counts.lost++;
    if (turn?.kind === "repeat" || turn?.kind === "late") exchange.free = true;
    const isKeyed = requested.caller.kind === "keyed";
    const noted: Noted = {
      replica: place,
      owner: isKeyed ? "account" : `address at ${place} in life ${life}`,
      units: exchange.free ? 0 : replica.unitsOf(requested),
      from_ms: clock.now(),
      until_ms: Infinity,
      cost: null,
      isBlock: requested.operation === "getNearby",
    };
    const checked = replica.check(exchange, requested);
    // What is refused at once was never reserved.
    if (checked === null || checked instanceof Promise) this.#truth.noted.push(noted);
    const problem = await checked;
    if (replica.dead) return this.#lose(noted);
    if (problem !== null) this.#judgeRefusal(noted, problem.code);
    else await this.#answer({ replica, exchange, requested, noted, turn });
    noted.until_ms = Math.min(noted.until_ms, clock.now());
    if (replica.dead) return this.#lose(noted);
    exchange.reservation?.endAll();
    if (turn?.kind === "first") turn.work.end();
  }

  #lose(noted: Noted): void {
    this.#counts.lost++;
    noted.cost = null;
    // Its reservation in the store ends by itself.
    noted.until_ms = this.#plan.exact ? Infinity : Math.min(noted.until_ms, this.#clock.now());
  }

  async #answer(of: {
    replica: ModelReplica;
    exchange: ReturnType<typeof newExchange>;
    requested: ModelRequest;
    noted: Noted;
    turn: Awaited<ReturnType<ModelReplica["take"]>> | null;
  }): Promise<void> {
    const { replica, exchange, requested, noted, turn } = of;
    const dice = this.#dice;
    const isRepeat = turn?.kind === "repeat";
    // Some end in the moment in which others arrive.
    const work_ms = dice.chance(0.4) ? STEP_MS : dice.integer(1, WORK_MS);
    await this.#clock.sleep(isRepeat ? 0 : work_ms);
    if (replica.dead) return;
    const id =
      isRepeat && turn.reply.kind === "ok"
        ? Buffer.from(turn.reply.observation).toString()
        : this.#store.newId();
    const isFailed = turn?.kind === "late" || (!isRepeat && dice.chance(0.15));
    // A search that failed is an answer without a price; others that fail are none.
    if (isFailed && turn === null) return;
    if (!isFailed && turn?.kind === "first") this.#datasets.put(requested.body!, id);
    if (turn?.kind === "first" && !isFailed)
      turn.work.finish({ kind: "ok", observation: Buffer.from(id), free: false });
    const isFree = isFailed || isRepeat;
    const objects = dice.integer(0, MOST_BLOCKS) * 100;
    const metered = { void: isFree, objects, maps_categories: 2 };
    const cost = isFree ? 0 : noted.isBlock ? objects / 100 : noted.units;
    noted.until_ms = this.#clock.now();
    noted.cost = cost;
    if (!(await replica.book(exchange, requested, metered)) || replica.dead) {
      noted.cost = null;
      return;
    }
    this.#counts.answered++;
    if (requested.body && !isFailed) this.#noteSearch(requested.body, id, cost);
    if (isRepeat) this.#counts.repeats++;
  }

  #noteSearch(body: string, id: string, cost: number): void {
    const search = this.#searches.get(body) ?? { ids: new Set(), charged: 0 };
    this.#searches.set(body, search);
    search.ids.add(id);
    if (cost > 0) search.charged += 1;
  }

  /** Nothing is refused while units remain beyond what is reserved. */
  #judgeRefusal(noted: Noted, code: string): void {
    this.#counts.refused++;
    if (code !== "quota_exhausted") return void this.#violations.push(`refused: ${code}`);
    const now_ms = this.#clock.now();
    // Where the store was asked, some moment since then decided.
    const lag_ms = this.#plan.exact ? 4 * DELAY_MS : 0;
    for (let at_ms = noted.from_ms; at_ms <= now_ms; at_ms++)
      if (this.#leftAt(at_ms, noted, lag_ms) < noted.units) return;
    const left = this.#leftAt(now_ms, noted, lag_ms);
    this.#violations.push(`${noted.owner}: refused ${noted.units} units with ${left} left`);
  }

  #leftAt(at_ms: number, own: Noted, lag_ms: number): number {
    const period = this.#periodAt(at_ms);
    return this.#truth.leftAt(at_ms, { own, quota: this.#plan.units!, period, lag_ms });
  }

  #periodAt(at_ms: number): string {
    const day = dayOf(at_ms);
    return this.#plan.period === "day" ? day : day.slice(0, 7);
  }

  #judgeEnd(): void {
    const owners = new Set(this.#truth.noted.map(({ owner }) => owner));
    for (const owner of owners)
      for (const at_ms of [MIDNIGHT_MS - 1, MIDNIGHT_MS]) this.#judgePeriod(owner, at_ms);
    for (const [body, { ids, charged }] of this.#searches)
      if (charged > 1 || ids.size > 1)
        this.#violations.push(`${body}: ${charged} times charged, ${ids.size} observations`);
    for (const [place, { at, life }] of this.#replicas.entries())
      this.#judgeCounts(at, place, life);
  }

  /** Granted is at most the quota and the stated bound; what is charged was answered. */
  #judgePeriod(owner: string, at_ms: number): void {
    const period = this.#periodAt(at_ms);
    const answered = this.#truth.answered(owner, period);
    const pages_ms = this.#plan.exact ? 6 * DELAY_MS : 0;
    const pages = (MOST_BLOCKS - 1) * this.#truth.mostBlocks(owner, pages_ms);
    const isKnown = owner !== "account" || this.#replicas.length === 1 || this.#plan.exact;
    const span_ms = LAG_MS + (this.#killed ? RESTART_MS + 250 : 0);
    const others = isKnown ? 0 : this.#truth.mostWithin(owner, span_ms);
    const overrun = answered - this.#plan.units!;
    this.#counts.overrun = Math.max(this.#counts.overrun, overrun);
    if (overrun > pages + others)
      this.#violations.push(`${owner}: ${overrun} beyond the quota, at most ${pages} + ${others}`);
    if (owner !== "account") return;
    const charged = this.#store.unitsOf("acc_1", period);
    if (charged !== answered)
      this.#violations.push(`${owner}: ${charged} charged, ${answered} answered in ${period}`);
  }

  /** In the end nothing is reserved, and /v1/me knows what was answered. */
  #judgeCounts({ deps: { quotas } }: ModelReplica, place: number, life: number): void {
    const callers: [string, Caller][] = [
      ["account", keyedCaller({ plan: this.#plan })],
      [
        `address at ${place} in life ${life}`,
        { kind: "anonymous", plan: this.#plan, address: { narrow: "a", wide: "b" } },
      ],
    ];
    for (const [owner, caller] of callers) {
      const { reserved } = quotas.ownerOf(caller);
      const answered = this.#truth.answered(owner, this.#periodAt(MIDNIGHT_MS));
      const used = quotas.of(caller, this.#clock.now())?.used;
      if (reserved !== 0 || used !== answered)
        this.#violations.push(`${owner}: ${reserved} reserved, ${used} used, ${answered} answered`);
    }
  }
}
