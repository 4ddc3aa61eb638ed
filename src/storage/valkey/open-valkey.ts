/** Opens what a fleet shares (operation, VICINITY_SHARED_URL): limits, feeds, answers of lookups. */
import { randomUUID } from "node:crypto";
import type { NoteFault } from "#kit/guard.ts";
import type { FeedExchange, RateLimiter, SharedAnswers, SpendStore } from "#ports.ts";
import type { Claims } from "#ports/claims.ts";
import type { ReplicaTexts } from "#ports/replica-texts.ts";
import { readSharedAddress } from "./valkey-address.ts";
import { createSharedAnswers } from "./shared-answers.ts";
import { createSharedClaims } from "./valkey-claims.ts";
import { type HealthEvent, StoreHealth } from "#storage/store-health.ts";
import { timeOf } from "#storage/store-time.ts";
import { type ValkeyClient, createValkeyClient } from "./valkey-client.ts";
import { loadDriver } from "./driver.ts";
import { createExchange } from "./feed-exchange.ts";
import { createSharedLimiter, type LimiterDeps } from "./limiter.ts";
import { ReplicaFacts } from "./replica-facts.ts";
import { openReplicas } from "./replicas.ts";
import { createSharedSpend } from "./spend.ts";
import { createSubscriber } from "./subscriber.ts";

export type Shared = {
  limiter: RateLimiter;
  exchange: FeedExchange;
  answers: SharedAnswers;
  claims: Claims;
  /** Counts in the store, and in `insurance` while it does not answer. */
  spendOver(insurance: SpendStore): SpendStore;
  /** Number of living replicas as last counted, at least 1. */
  replicas(): number;
  /** What replicas say of themselves to each other. */
  facts: ReplicaTexts;
  /** Whether the store has not answered of late; this replica then acts alone. */
  isAway(): boolean;
  health: StoreHealth;
  close(): Promise<void>;
};

export type SharedOptions = {
  url: string;
  mode: "sandbox" | "live";
  /** Release of the program. */
  release: string;
  /** Admits by itself while the store does not answer. */
  insurance: LimiterDeps["insurance"];
  /** Single commands are refused; `connection`: of short commands, or of packs. */
  onRefused(event: { reason: string; connection: "short" | "bulk" }): void;
  /** Writes to the store begin to fail, or succeed again. */
  onHealth(event: HealthEvent): void;
  /** Receives what our own code throws, which nothing waits for. */
  onFault: NoteFault;
};

/** A start waits for the store this long, ms; without it the replica begins alone. */
const START_MS = 1_000;

/** Opens the shared store. `problem`: one line that names the setting, or the missing package. */
export async function openShared({
  url,
  mode,
  release,
  insurance,
  onRefused,
  onHealth,
  onFault: noteFault,
}: SharedOptions): Promise<Shared | { problem: string }> {
  const address = readSharedAddress(url);
  if (!address) return { problem: "VICINITY_SHARED_URL: expected redis://host:port" };
  const driver = await loadDriver();
  if ("problem" in driver) return driver;
  const onFault = (error: unknown): void => noteFault("shared store", error);
  // The sandbox's invented data never mix with real ones.
  const prefix = mode === "live" ? "vicinity:" : "vicinity:sandbox:";
  // Databases of one server do not divide its channels.
  const feeds = `${prefix}${address.database}:feeds`;
  const ended = `${prefix}${address.database}:answers`;
  const health = new StoreHealth("valkey", { time: timeOf(noteFault), onEvent: onHealth });
  const openClient = (connection: "short" | "bulk"): ValkeyClient =>
    createValkeyClient(driver, address, {
      onEvent(event) {
        if (event.state === "refused") onRefused({ reason: event.reason, connection });
      },
      onFault,
      health: { reports: health, part: connection },
      probe_key: `${prefix}probe`,
    });
  const [client, bulk] = [openClient("short"), openClient("bulk")];
  const subscriber = createSubscriber(driver, address, { channels: [feeds, ended], onFault });
  const common = { client, subscriber, prefix };
  const exchange = createExchange({ ...common, bulk, channel: feeds, onFault });
  const answers = createSharedAnswers({ ...common, release, channel: ended });
  await Promise.all([client, bulk, subscriber].map((each) => each.settled(START_MS)));
  const id = randomUUID();
  const replicas = await openReplicas(client, { key: `${prefix}replicas`, id, onFault });
  const facts = new ReplicaFacts(client, { key: `${prefix}replicas:facts`, id });
  return {
    limiter: createSharedLimiter({
      client,
      prefix,
      cluster: address.cluster,
      insurance,
      replicas: replicas.count,
    }),
    spendOver: (own) => createSharedSpend({ client, prefix, insurance: own }),
    exchange,
    answers,
    claims: createSharedClaims({ client, prefix }),
    replicas: replicas.count,
    facts,
    isAway: client.isAway,
    health,
    async close() {
      await facts.withdraw();
      await replicas.close();
      for (const each of [exchange, answers, subscriber, bulk, client, health]) each.close();
    },
  };
}
