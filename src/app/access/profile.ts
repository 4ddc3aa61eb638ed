/** GET /v1/me: what the caller is on, and what is left of it. */
import type { MeBody } from "#contract/me.ts";
import type { Caller } from "./caller.ts";
import type { Quotas } from "./quota.ts";

/** null: the store of usage cannot be read. */
export type Profile = (caller: Caller, now_ms: number) => MeBody | null;

export function createProfile(quotas: Quotas): Profile {
  return (caller, now_ms) => {
    const quota = quotas.of(caller, now_ms);
    if (quota === null) return null;
    const { period, used, remaining, ends_at_ms } = quota;
    const ends_at = new Date(ends_at_ms).toISOString();
    const usage = { period, used, remaining, ends_at };
    const { kind, plan } = caller;
    if (caller.kind === "anonymous") return { kind, account: null, key: null, plan, usage };
    const { account_id, key_id, standing, scopes } = caller;
    return {
      ...{ kind, account: { id: account_id, standing }, key: { id: key_id, scopes: [...scopes] } },
      ...{ plan, usage },
    };
  };
}
