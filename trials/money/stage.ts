/** Replicas of the program on trial, each a process, and keys of new accounts. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { type Running, startProcess } from "../../test/integration/service/processes.ts";
import { startPostgres, startValkey } from "../../test/support/engines.ts";
import { createAsker, type TimedReply } from "../chaos/fleet/asker.ts";

const ADMIN_TOKEN = "an-admin-token-of-a-trial-of-money";
export const UNITS = 10;
export const ANONYMOUS_UNITS = 50;

const { name: _, ...UNLIMITED } = SHIPPED_PLANS.find(({ name }) => name === "unlimited")!;
const HARD = { ...UNLIMITED, units: UNITS, period: "month", hard: true };
const PLANS = {
  plain: HARD,
  exact: { ...HARD, exact: true },
  free: { ...HARD, units: ANONYMOUS_UNITS, period: "day" },
};

export type Plan = "plain" | "exact";
export type MoneyStage = {
  urls: readonly string[];
  /** A key of a new account. */
  makeKey(plan: Plan): Promise<string>;
  ask(url: string, question: Question): Promise<TimedReply>;
  /** Units of a caller that a replica counts. */
  usedAt(url: string, question: Omit<Question, "path">): Promise<number>;
  close(): Promise<void>;
};
export type Question = { path: string; key?: string; body?: object; from?: string };

/** One replica has its own store; two share PostgreSQL, and Valkey. */
export async function openMoneyStage(replicas: number): Promise<MoneyStage> {
  const closers: (() => Promise<unknown>)[] = [];
  const variables: Record<string, string> = { ADMIN_TOKEN, ADMIN_PORT: "0", LOG_LEVEL: "error" };
  if (replicas > 1) {
    const [store, shared] = [await startPostgres({ durable: true }), await startValkey()];
    assert.ok(store && shared, "PostgreSQL and Valkey (or Redis) are wanted");
    closers.push(store.stop, shared.stop);
    variables["VICINITY_STORE_URL"] = await store.createDatabase();
    variables["VICINITY_SHARED_URL"] = shared.url;
  }
  const ready: { url: string; admin_url: string }[] = [];
  for (let n = 0; n < replicas; n++) {
    const data_dir = await mkdtemp(join(tmpdir(), "vicinity-money-"));
    const config = join(data_dir, "vicinity.json");
    await writeFile(config, JSON.stringify({ explorer: { enabled: false }, plans: PLANS }));
    const started = await startProcess({
      data_dir,
      args: ["serve", "--sandbox", "--config", config],
      variables: { ...variables, VICINITY_ENFORCE_LIMITS: "1" },
    });
    closers.unshift(() => end(started.running, data_dir));
    ready.push(started.ready);
  }
  const asker = createAsker({ timeout_ms: 30_000 });
  const urls = ready.map(({ url }) => url);
  const ask: MoneyStage["ask"] = (url, { path, body, ...rest }) =>
    asker.ask(url + path, { ...rest, ...(body && { method: "POST", body }) });
  return {
    urls,
    ask,
    makeKey: async (plan) => {
      const path = "/admin/keys";
      const made = await ask(ready[0]!.admin_url, {
        path,
        key: ADMIN_TOKEN,
        body: { plan, name: "m" },
      });
      assert.ok(made.status !== null && made.status < 300, made.text);
      const { key } = JSON.parse(made.text) as { key: string };
      // Known everywhere before the first question.
      for (const url of urls) await ask(url, { path: "/v1/me", key });
      return key;
    },
    usedAt: async (url, question) => {
      const { text } = await ask(url, { ...question, path: "/v1/me" });
      return (JSON.parse(text) as { usage: { used: number } }).usage.used;
    },
    async close() {
      asker.close();
      for (const close of closers) await close();
    },
  };
}

async function end(running: Running, data_dir: string): Promise<void> {
  running.child.kill("SIGKILL");
  await running.ended;
  await rm(data_dir, { recursive: true, force: true });
}
