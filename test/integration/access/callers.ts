/** How each caller of the table presents itself: the accounts and keys behind it, and what it did before. */
import type { AccountsAtHand } from "#ports.ts";
import type { RowName } from "./matrix-table.ts";
import {
  addressOf,
  bearer,
  type Caller,
  type KeyWish,
  makeKey,
  planLike,
  type Question,
  strangeKey,
} from "./support.ts";
import { timeOfTests } from "../service/support.ts";

/** Plans that are used up after a few requests, and stay so for longer than any test. */
export const PLANS = {
  free: { rate_per_s: 0.01, burst: 60, units: 4 },
  steady: planLike({ rate_per_s: 1_000, burst: 1_000, units: 1_000_000, period: "month" }),
  hard_spent: planLike({ rate_per_s: 1_000, burst: 1_000, units: 1, period: "month", hard: true }),
  soft_spent: planLike({ rate_per_s: 1_000, burst: 1_000, units: 1, period: "month", hard: false }),
  slow: planLike({ rate_per_s: 0.001, burst: 1 }),
};

export type Presentation = {
  headers?: Question["headers"];
  /** The `token` parameter as in the query; several make it a repeated one. */
  tokens?: readonly string[];
  /** Without one, each question comes from an address of its own. */
  address?: string;
  /** The requests it makes before each of its own, so that its buckets do not refill. */
  before?: Question;
};

type World = { url: string; accounts: AccountsAtHand; ask: Caller };

const ADDRESS = { spent: addressOf(60_000), hurried: addressOf(60_001), struck: addressOf(60_002) };

/** One request of one unit. */
const UNIT = "/v1/geocode?q=Paris";

async function repeat(count: number, task: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) await task();
}

/** Done in the order of the rows, once each. */
export async function openCallers(world: World): Promise<Record<RowName, Presentation>> {
  const { url, accounts, ask } = world;
  const key = (wish: KeyWish): string => makeKey(accounts, { plan: "steady", ...wish }).key;
  const header = (text: string) => ({ headers: { authorization: text } });
  const keyed = (wish: KeyWish = {}): Presentation => ({
    headers: bearer(key(wish)),
  });
  const spend = async (wish: KeyWish & { plan: string }): Promise<Presentation> => {
    const { plan } = wish;
    const { key: rich, account_id } = makeKey(accounts, { plan });
    await ask(url + UNIT, { headers: bearer(rich) });
    // Units are spent by the account: its other keys have none either.
    return keyed({ ...wish, account_id });
  };
  const good = key({});
  const over = key({ expires_at_ms: timeOfTests() - 60_000 });
  const strange = strangeKey();
  const typing = good.slice(0, -1) + (good.endsWith("a") ? "b" : "a");
  await repeat(4, () => ask(url + UNIT, { address: ADDRESS.spent }));
  await repeat(60, () => ask(`${url}/v1/me`, { address: ADDRESS.hurried }));
  const bad = { ...header("Bearer x"), address: ADDRESS.struck };
  await repeat(20, () => ask(`${url}/v1/me`, bad));
  const slow = key({ plan: "slow" });
  await ask(`${url}/v1/me`, { headers: bearer(slow) });
  return {
    anonymous: {},
    "anonymous, day used up": { address: ADDRESS.spent },
    "anonymous, burst used up": { address: ADDRESS.hurried },
    "scheme alone": header("Bearer"),
    "scheme Basic": header("Basic dXNlcjpwYXNz"),
    "scheme unknown": header(`Token ${good}`),
    "no scheme": header(good),
    "header empty": header(""),
    "two words": header(`Bearer ${good} ${good}`),
    "key too short": header(`Bearer ${good.slice(0, -1)}`),
    "key with a typing error": header(`Bearer ${typing}`),
    "key with another prefix": header(`Bearer ${good.replace("svc_", "key_")}`),
    "key unknown": header(`Bearer ${strange}`),
    "key of the other mode": keyed({ live: true }),
    "key revoked": keyed({ revoked: true }),
    "key expired": header(`Bearer ${over}`),
    "key expired and revoked": keyed({ expires_at_ms: timeOfTests() - 60_000, revoked: true }),
    "no scope": keyed({ scopes: [] }),
    "journey:read": keyed({ scopes: ["journey:read"] }),
    "data:read": keyed({ scopes: ["data:read"] }),
    "geography:read": keyed({ scopes: ["geography:read"] }),
    "every scope": keyed({ scopes: ["data:read", "geography:read", "journey:read"] }),
    "account suspended": keyed({ standing: "suspended" }),
    "account past due": keyed({ standing: "past_due" }),
    "hard plan used up": await spend({ plan: "hard_spent" }),
    "soft plan used up": await spend({ plan: "soft_spent" }),
    "plan without bounds": keyed({ plan: "unlimited" }),
    "burst of the key used up": { headers: bearer(slow) },
    "scope missing, plan used up": await spend({ plan: "hard_spent", scopes: [] }),
    "header and token differ": { headers: bearer(good), tokens: [key({})] },
    "malformed header and token": { ...header("Basic dXNlcjpwYXNz"), tokens: [good] },
    "header and token agree": { headers: bearer(good), tokens: [good] },
    "token alone": { tokens: [good] },
    "token expired": { tokens: [over] },
    "token unknown": { tokens: [strange] },
    "token empty": { tokens: [""] },
    "token badly escaped": { tokens: ["%zz"] },
    "token empty, header good": { headers: bearer(good), tokens: [""] },
    "token twice": { tokens: [good, good] },
    "20 bad keys before": { ...bad, address: ADDRESS.struck, before: bad },
    "20 bad keys before, good key": { headers: bearer(good), address: ADDRESS.struck, before: bad },
  };
}
