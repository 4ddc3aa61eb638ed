// 300 requests an hour of the simulated clock, reported in the headers of every answer.
const PER_HOUR = 300;
const HOUR_MS = 3_600_000;

export type Limit = () => { headers: Record<string, string>; refused: boolean };

export function createLimit(now: () => number): Limit {
  let hour = -1;
  let used = 0;
  return () => {
    const now_ms = now();
    const current = Math.floor(now_ms / HOUR_MS);
    if (current !== hour) [hour, used] = [current, 0];
    used += 1;
    const left = String(Math.max(0, PER_HOUR - used));
    const reset_s = String(Math.ceil(((current + 1) * HOUR_MS - now_ms) / 1000));
    const refused = used > PER_HOUR;
    return {
      refused,
      headers: {
        "x-ratelimit-limit-hour": String(PER_HOUR),
        "x-ratelimit-remaining-hour": left,
        "ratelimit-limit": String(PER_HOUR),
        "ratelimit-remaining": left,
        "ratelimit-reset": reset_s,
        ...(refused ? { "retry-after": reset_s } : {}),
      },
    };
  };
}
