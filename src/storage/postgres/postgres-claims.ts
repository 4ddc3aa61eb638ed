/** Claims of work in PostgreSQL (ports/claims.ts): one row a claim, by the server's clock. */
import { randomUUID } from "node:crypto";
import type { Claim, Claims } from "#ports/claims.ts";
import { attemptQuery } from "./attempt.ts";
import type { Pool } from "./pool.ts";

/** Claims of replicas that were killed go with those that come. */
const CLAIM = `
  WITH gone AS (
    DELETE FROM work_claim WHERE key IN (
      SELECT key FROM work_claim WHERE expires_at < clock_timestamp() AND key <> $1
        ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO work_claim AS held (key, holder, expires_at)
    VALUES ($1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE held.expires_at <= clock_timestamp()
    RETURNING true AS claimed`;
const END = `DELETE FROM work_claim WHERE key = $1 AND holder = $2`;

/** Creates them over a pool that the caller closes afterwards. */
export function createPostgresClaims(pool: Pick<Pool, "query" | "noteDefect">): Claims {
  const toClaim = (key: Uint8Array, holder: string): Claim => ({
    end: async () => void (await attemptQuery(pool, () => pool.query(END, [key, holder]))),
  });
  return {
    async claim(key, life_ms) {
      const holder = randomUUID();
      const rows = await attemptQuery(pool, () =>
        pool.query(CLAIM, [key, holder, Math.ceil(life_ms)]),
      );
      if (rows === null) return "unreachable";
      return rows.length === 0 ? "held" : toClaim(key, holder);
    },
  };
}
