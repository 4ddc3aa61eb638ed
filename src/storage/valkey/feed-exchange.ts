/**
 * FeedExchange (ports.ts) over Valkey. Leases go over the connection of short commands; states and
 * packs, which may be megabytes, over one of their own, so that no short command waits behind them.
 *
 * A snapshot lives for a day without a publication. The set of a fleet's sources is written after
 * the publication itself (a cluster keeps it elsewhere): a replica that dies in between leaves a
 * source unlisted until it is published the next time.
 */
import { randomUUID } from "node:crypto";
import { detach } from "#kit/guard.ts";
import type { FeedExchange, FeedLease, PublishedFeed } from "#ports.ts";
import type { Argument, ValkeyClient, ValkeyReply } from "./valkey-client.ts";
import { LEASE, LIST_SCRIPT, PUBLISH, READ, RELEASE, RENEW } from "./exchange-scripts.ts";
import type { Subscriber } from "./subscriber.ts";

export type ExchangeDeps = {
  /** Connection for leases and lists. */
  client: ValkeyClient;
  /** Connection for packs. */
  bulk: ValkeyClient;
  subscriber: Subscriber;
  prefix: string;
  /** Channel of notices: one for all fleets that share a server, whatever their database. */
  channel: string;
  /** Receives what renewing a lease throws, which nothing waits for. */
  onFault: (error: unknown) => void;
  /** Time that a lease outlives its holder, ms; it is renewed three times in it. */
  lease_ms?: number;
};

const LEASE_MS = 3_000;
const SNAPSHOT_MS = 86_400_000;
/** Longer than the first probe after a failure takes (circuit.ts). */
const DOUBT_MS = 700;
const PACKS_TIMEOUT_MS = 1_000;
const PACKS = { timeout_ms: PACKS_TIMEOUT_MS };

type Names = { lease: string; now: string; packs: string };

export function createExchange(deps: ExchangeDeps): FeedExchange & { close(): void } {
  const { client, bulk, subscriber, prefix, channel, lease_ms = LEASE_MS } = deps;
  const listed = `${prefix}feeds`;
  const renewals = new Set<() => void>();
  return {
    async lease(source_id, hurry) {
      const names = toNames(prefix, source_id);
      const token = randomUUID();
      const keys = [names.lease, names.now, names.packs];
      const ask = (): Promise<ValkeyReply | "unreachable"> =>
        client.run(LEASE, { keys, args: [token, lease_ms] });
      const reply = await askTwice(client, ask, hurry);
      if (reply === "unreachable") return "unreachable";
      if (!Array.isArray(reply)) return "held";
      const [version, stored] = reply as [number, Buffer[]];
      const end = renew({ client, names, token, lease_ms, onFault: deps.onFault });
      renewals.add(end);
      return toLease(deps, {
        source_id,
        names,
        token,
        version,
        stored: new Set(stored.map(String)),
        end() {
          end();
          renewals.delete(end);
        },
      });
    },
    async read(source_id, { after, stored }) {
      const { now, packs } = toNames(prefix, source_id);
      const reply = await bulk.run(READ, { keys: [now, packs], args: [after, ...stored] }, PACKS);
      return Array.isArray(reply) ? toPublished(source_id, reply) : toNothing(reply);
    },
    async list() {
      const reply = await client.run(LIST_SCRIPT, { keys: [listed], args: [SNAPSHOT_MS] });
      return Array.isArray(reply) ? toListed(reply.map(String)) : "unreachable";
    },
    watch: (listener) =>
      subscriber.listen(channel, (message) => {
        const colon = message.indexOf(":");
        listener({ source_id: message.slice(colon + 1), version: Number(message.slice(0, colon)) });
      }),
    close() {
      for (const end of renewals) end();
      renewals.clear();
    },
  };
}

/** Asks again after one late answer, which is no outage yet: a feed is to be fetched once. */
async function askTwice(
  client: ValkeyClient,
  ask: () => Promise<ValkeyReply | "unreachable">,
  hurry?: AbortSignal,
): Promise<ValkeyReply | "unreachable"> {
  const reply = await ask();
  if (reply !== "unreachable" || !client.isDoubtful()) return reply;
  await client.settled(DOUBT_MS, hurry);
  return await ask();
}

/** Any text is a name: what would end a hash tag is written otherwise, and none is empty. */
function toNames(prefix: string, source_id: string): Names {
  const tag = `${prefix}{feed:${encodeURIComponent(source_id.toWellFormed())}}:`;
  return { lease: `${tag}lease`, now: `${tag}now`, packs: `${tag}packs` };
}

type LeaseInput = {
  source_id: string;
  names: Names;
  token: string;
  version: number;
  /** Packs that the store had when the lease was granted: only the holder changes them. */
  stored: ReadonlySet<string>;
  end(): void;
};

function toLease(
  { client, bulk, prefix, channel }: ExchangeDeps,
  { source_id, names, token, version, stored, end }: LeaseInput,
): FeedLease {
  const keys = [names.lease, names.now, names.packs];
  const send = (
    state: string,
    packs: ReadonlyMap<string, Uint8Array>,
    lacks: (hash: string) => boolean,
  ): Promise<ValkeyReply | "unreachable"> => {
    const sent = [...packs].filter(([hash]) => lacks(hash));
    const args: Argument[] = [
      ...[token, channel, source_id, SNAPSHOT_MS, state, packs.size, ...packs.keys()],
      ...sent.flatMap(([hash, bytes]) => [hash, toBuffer(bytes)]),
    ];
    return bulk.run(PUBLISH, { keys, args }, PACKS);
  };
  return {
    version,
    async publish(state, packs) {
      let reply = await send(state, packs, (hash) => !stored.has(hash));
      if (reply === -1) reply = await send(state, packs, () => true);
      end();
      if (typeof reply !== "number" || reply <= 0) return null;
      await client.ask("zadd", [`${prefix}feeds`, "GT", reply, source_id]);
      return reply;
    },
    async release() {
      end();
      await client.run(RELEASE, { keys: keys.slice(0, 2), args: [token, channel, source_id] });
    },
  };
}

type Renewal = Pick<LeaseInput, "names" | "token"> &
  Pick<ExchangeDeps, "client" | "onFault"> & { lease_ms: number };

/** While it is held; what is lost once is lost. Returns its end. */
function renew({ client, names, token, lease_ms, onFault }: Renewal): () => void {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    timer = setTimeout(() => detach(again(), onFault), lease_ms / 3).unref();
  };
  async function again(): Promise<void> {
    const reply = await client.run(RENEW, { keys: [names.lease], args: [token, lease_ms] });
    if (!over && reply !== 0) next();
  }
  next();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

function toNothing(reply: ValkeyReply | "unreachable"): null | "unreachable" {
  return reply === null ? null : "unreachable";
}

function toPublished(source_id: string, reply: readonly ValkeyReply[]): PublishedFeed {
  const [version, state, ...rest] = reply;
  const packs = new Map<string, Uint8Array>();
  for (let i = 0; i < rest.length; i += 2) packs.set(String(rest[i]), rest[i + 1] as Buffer);
  return { source_id, version: version as number, state: String(state), packs };
}

function toListed(flat: readonly string[]): { source_id: string; version: number }[] {
  const listed: { source_id: string; version: number }[] = [];
  for (let i = 0; i < flat.length; i += 2)
    listed.push({ source_id: flat[i]!, version: Number(flat[i + 1]) });
  return listed;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
