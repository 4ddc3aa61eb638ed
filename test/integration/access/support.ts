/** A service that enforces its limits, direct access to its accounts and keys, and an address for each query. */
import { randomBytes } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import type { TestContext } from "node:test";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { KEY_PREFIXES } from "#core/keys/key.ts";
import { DEFAULT_SCOPES } from "#core/keys/scopes.ts";
import type { Plan } from "#core/plans.ts";
import type { AccountsAtHand, KeyScope, Standing } from "#ports.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import {
  createFolder,
  removeFolder,
  start,
  type Started,
  timeOfTests,
} from "../service/support.ts";

export const ADMIN_TOKEN = "an-admin-token-of-these-tests";

/** A point of the simulated world at which every source answers. */
export const PARIS = "lat=48.8566&lon=2.3522";

export type Opened = Started & {
  url: string;
  accounts: AccountsAtHand;
  /** Before the end of the test; what is left to close is closed then. */
  stop(): Promise<void>;
};

export type Wish = {
  plans?: object;
  deprecation?: { token_sunset?: string };
  variables?: Record<string, string>;
  /** Kept by the caller; without it the folder is a new one. */
  data_dir?: string;
  /** Whether the service's clock is stopped. */
  still?: boolean;
  /** `sources` of the configuration file. */
  sources?: object;
  /** Absent: one city, which starts in half the time of two. */
  cities?: string;
  /** Whether timetables are imported. */
  timetables?: boolean;
  /** Threads that serve, and their entry. */
  workers?: number;
  worker_url?: URL;
};

/** The peer is a proxy that is believed, so that each question may come from its own address. */
export async function openService(t: TestContext, wish: Wish = {}): Promise<Opened> {
  const { plans = {}, variables = {}, deprecation = {}, still = false } = wish;
  const { data_dir = await createFolder(), sources = {} } = wish;
  const { cities = "paris", timetables = false, workers = 1, worker_url } = wish;
  const started = await start({
    data_dir,
    variables: { VICINITY_ENFORCE_LIMITS: "1", ADMIN_TOKEN, ...variables },
    settings: { server: { trusted_proxies: ["127.0.0.1/32"] }, plans, deprecation, sources },
    ...{ still, cities, timetables, workers },
    ...(worker_url && { worker_url }),
  });
  const store = openAdminStorage({ data_dir, mode: "sandbox" });
  if ("problem" in store) throw new Error(store.problem);
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    if (stopped === null) store.close();
    return (stopped ??= started.service.close({ delay_ms: 0 }));
  };
  t.after(async () => {
    await stop();
    if (wish.data_dir === undefined) await removeFolder(data_dir);
  });
  return { ...started, url: started.service.url, accounts: store.accounts, stop };
}

/** A row of `plans` that says everything. */
export function planLike(of: Partial<Plan>): Omit<Plan, "name"> {
  const { name: _name, ...rest } = { ...SHIPPED_PLANS[3]!, ...of };
  return rest;
}

export type KeyWish = {
  plan?: string;
  scopes?: readonly KeyScope[];
  standing?: Standing;
  expires_at_ms?: number | null;
  revoked?: boolean;
  live?: boolean;
  /** Without one, the key gets an account of its own. */
  account_id?: string;
};

export type MadeKey = { key: string; id: string; account_id: string };

/** A key and its account, straight into the store. */
export function makeKey(accounts: AccountsAtHand, wish: KeyWish = {}): MadeKey {
  const { plan = "unlimited", scopes = DEFAULT_SCOPES, standing = "active" } = wish;
  const { expires_at_ms = null, revoked = false, live = false } = wish;
  const issue = { now_ms: timeOfTests(), draw: randomBytes };
  const account = newAccount({ name: "test", plan }, issue);
  const { account_id = account.id } = wish;
  if (account_id === account.id) accounts.createAccount({ ...account, standing });
  const prefix = KEY_PREFIXES[live ? "live" : "sandbox"];
  const terms = { account_id, name: null, scopes, expires_at_ms };
  const { key, record } = newKey(terms, { ...issue, prefix });
  accounts.createKey({ ...record, revoked_at_ms: revoked ? issue.now_ms : null });
  return { key, id: record.id, account_id };
}

/** A key of the right form that was never issued. */
export function strangeKey(): string {
  const issue = { now_ms: 0, draw: randomBytes, prefix: KEY_PREFIXES.sandbox };
  const terms = { account_id: "", name: null, scopes: [], expires_at_ms: null };
  return newKey(terms, issue).key;
}

/** The nth of many addresses, no two of one /24, which share a wider bucket. */
export function addressOf(index: number): string {
  return `10.${(index >> 8) & 255}.${index & 255}.1`;
}

export type Question = {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  /** As the proxy reports it. */
  address?: string;
  /** JSON. */
  body?: object | undefined;
};
export type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Of the error body; undefined: it is none. */
  code: string | undefined;
};
export type Caller = (url: string, question?: Question) => Promise<Reply>;

const TRIES = 20;

/** Over sockets that are kept. What a busy machine sheds is asked again: shedding is not the matter. */
export function createCaller(t: TestContext): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  t.after(() => agent.destroy());
  return async (url, question = {}) => {
    let reply = await send(agent, url, question);
    for (let tries = 1; isShed(reply) && tries < TRIES; tries++)
      reply = await send(agent, url, question);
    return reply;
  };
}

/** HEAD replies have no code; no rate and no quota of these tests ends within a second. */
function isShed({ status, headers }: Reply): boolean {
  return (status === 503 || status === 429) && headers["retry-after"] === "1";
}

function send(agent: Agent, url: string, question: Question): Promise<Reply> {
  const { method = "GET", headers = {}, address = "10.255.255.1", body } = question;
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = { "x-forwarded-for": address, ...type, ...headers };
    const request = httpRequest(url, { agent, method, headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        const status = response.statusCode ?? 0;
        resolve({ status, headers: response.headers, text, code: codeOf(status, text) });
      });
    });
    request.once("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function codeOf(status: number, text: string): string | undefined {
  if (status < 400 || text === "") return undefined;
  return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
}

export function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}
