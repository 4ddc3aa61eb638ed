/** Callers that ask while faults are injected; each records what it asked and the outcome. */
import { createHash } from "node:crypto";
import type { Dice } from "../../dice.ts";
import { type TimedReply, type Asker, isShed, isUnreached } from "../fleet/asker.ts";
import { nowMs, sleep } from "../fleet/clock.ts";
import type { Replica } from "../fleet/replica.ts";
import {
  createKey,
  LIMITED,
  type NewKey,
  revokeKey,
  type Stage,
  UNBOUND_PLAN,
} from "../fleet/stage.ts";
import type { History } from "./history.ts";
import { pace, repeat, type Work } from "./pace.ts";
import { PLACES, toNearby } from "./places.ts";

export type Crew = {
  stage: Stage;
  asker: Asker;
  history: History;
  dice: Dice;
  /** Made before anything happens: of one unbound plan, and the one that is limited. */
  keys: { metered: readonly NewKey[]; limited: NewKey; prober: NewKey };
};

/** Each is seconds and times of its own; together a few hundred questions a second. */
const RATES = { metered: 40, probes: 20, answers: 4, reads: 10, pressure: 3 } as const;
const ALL_PLACES = Object.values(PLACES);

/** Through the balancer, as callers do. A reply's `debug` states its cost. */
export function askMetered({ stage, asker, history, dice, keys }: Crew): Work {
  return pace(RATES.metered, async () => {
    const { id, key } = dice.pick(keys.metered);
    const path = toNearby(dice.pick(ALL_PLACES), "&limit=3&debug=true");
    const { status, text } = await asker.ask(stage.url + path, { key });
    if (status === 200) {
      const units = Number(/"usage":\{"units":(\d+)/.exec(text)?.[1]);
      history.attempts.push({ key_id: id, units, outcome: "acked" });
      return;
    }
    // Ours are JSON; behind one of the balancer's own errors, anything may have happened.
    const refused = status !== null && (status < 500 || text.startsWith("{"));
    history.attempts.push({ key_id: id, units: 1, outcome: refused ? "refused" : "unknown" });
  });
}

/** Three times as often as it may, of all replicas in turn. */
export function askTooMuch({ stage, asker, history, keys }: Crew): Work {
  const { replicas } = stage;
  const outcomes: Record<number, "admitted" | "refused"> = { 200: "admitted", 429: "refused" };
  return pace(LIMITED.rate_per_s * RATES.pressure, async (turn) => {
    const { url } = replicas[turn % replicas.length]!;
    const path = toNearby(PLACES.paris, "&limit=1&radius=50");
    const request = await asker.ask(url + path, { key: keys.limited.key });
    const { from_ms, to_ms, status, text } = request;
    // A replica that was not there has charged nothing; 503 is answered before anything is charged.
    const lost = status === null && !text.includes("ECONNREFUSED");
    const outcome = lost ? "unknown" : (outcomes[status ?? 0] ?? "refused");
    history.demands.push({ from_ms, to_ms, outcome });
  });
}

/** Every replica by itself, with a key that it has known for long. */
export function probe({ stage, asker, history, keys }: Crew): Work {
  const { replicas } = stage;
  return pace(RATES.probes * replicas.length, async (turn) => {
    const { url, index } = replicas[turn % replicas.length]!;
    const path = toNearby(ALL_PLACES[turn % ALL_PLACES.length]!, "&limit=10");
    const { text, ...request } = await asker.ask(url + path, { key: keys.prober.key });
    const refusal = { shed: isShed({ ...request, text }), unreached: isUnreached({ text }) };
    const reason = request.status === null ? { reason: text } : {};
    history.probes.push({ ...request, ...reason, ...refusal, replica: index });
  });
}

/** The same question to two replicas at once. */
export function compare({ stage, asker, history, dice, keys }: Crew): Work {
  const { replicas } = stage;
  if (replicas.length < 2) return { stop: () => Promise.resolve() };
  return pace(RATES.answers, async () => {
    const path = toNearby(dice.pick(ALL_PLACES), "&limit=20&debug=true");
    const [one, other] = dice.shuffle(replicas);
    await Promise.all(
      [one!, other!].map(async ({ url, index }) => {
        const { status, text, from_ms, to_ms } = await asker.ask(url + path, {
          key: keys.prober.key,
        });
        if (status === 200)
          history.answers.push({ replica: index, question: path, from_ms, to_ms, text });
      }),
    );
  });
}

const FIRST_USES = 3;
const ASK_EVERY_MS = 25;
const LIVES_MS = 9_000;

/** Makes a key, uses it everywhere, revokes it at one replica, and uses it until all refuse it. */
export function revoke({ stage, asker, history, dice }: Crew): Work {
  const { replicas } = stage;
  const use = async ({ url, index }: Replica, { id, key }: NewKey): Promise<TimedReply> => {
    const request = await asker.ask(url + toNearby(PLACES.paris, "&limit=1&radius=50"), { key });
    const { from_ms, to_ms, status } = request;
    const outcome = status === 401 ? "rejected" : status === 200 ? "accepted" : "unknown";
    history.uses.push({ key_id: id, replica: index, from_ms, to_ms, outcome });
    return request;
  };
  return repeat(async () => {
    const made = await createKey(dice.pick(replicas), UNBOUND_PLAN);
    if (!made) return await sleep(200);
    // A notice of the new key may be on its way: every replica knows it after this.
    for (let i = 0; i < FIRST_USES; i++) await Promise.all(replicas.map((each) => use(each, made)));
    if (!(await revokeKey(dice.pick(replicas), made.id))) return await sleep(200);
    history.revocations.push({ key_id: made.id, acked_ms: nowMs() });
    const until_ms = nowMs() + LIVES_MS;
    await Promise.all(
      replicas.map(async (each) => {
        let left = 3;
        // Once it is refused it is tried again, a little later each time: it must stay refused.
        while (left > 0 && nowMs() < until_ms) {
          const { status } = await use(each, made);
          if (status === 401) left -= 1;
          await sleep(status === 401 ? 150 : ASK_EVERY_MS);
        }
      }),
    );
  });
}

const DATASETS_PER_S = 2;

/** Lets one replica store what it found, and reads what was stored at any other, over and over. */
export function keep({ stage, asker, history, dice, keys }: Crew): Work {
  const { replicas } = stage;
  const remaining: { dataset_id: string; href: string }[] = [];
  const { key } = keys.prober;
  const write = pace(DATASETS_PER_S, async (turn) => {
    const body = toSearch(turn, dice.pick(ALL_PLACES));
    const { url } = dice.pick(replicas);
    const request = await asker.ask(`${url}/v1/capabilities`, { method: "POST", key, body });
    const stored = request.status === 200 ? findStored(request.text) : null;
    if (!stored) return;
    const { dataset_id, href, expires_at } = stored;
    remaining.push({ dataset_id, href });
    history.writes.push({
      dataset_id,
      acked_ms: request.to_ms,
      expires_ms: Date.parse(expires_at),
    });
  });
  const read = pace(RATES.reads, async () => {
    if (remaining.length === 0) return;
    const { dataset_id, href } = dice.pick(remaining);
    const { url, index } = dice.pick(replicas);
    const { from_ms, to_ms, status, text } = await asker.ask(url + href, { key });
    const digest = status === 200 ? createHash("sha256").update(text).digest("hex") : null;
    history.reads.push({
      dataset_id,
      replica: index,
      from_ms,
      to_ms,
      status,
      digest,
      shed: isShed({ status, text }),
    });
  });
  return { stop: async () => void (await Promise.all([write.stop(), read.stop()])) };
}

function toSearch(turn: number, point: object): object {
  return {
    contract_version: "1.0.0",
    correlation: {
      conversation_id: "trial",
      interaction_id: "i",
      request_id: `r-${turn}-${nowMs()}`,
      parent_request_id: null,
      turn_id: null,
    },
    request: { capability: "search_mobility", args: { ...point, limit: 5 } },
    freshness_policy: null,
  };
}

type Stored = { kind: string; dataset_id: string; href: string; expires_at: string };

function findStored(text: string): Stored | null {
  const { observation } = JSON.parse(text) as { observation: { provenance?: Stored[] } };
  return observation.provenance?.find(({ kind }) => kind === "svc_internal") ?? null;
}
