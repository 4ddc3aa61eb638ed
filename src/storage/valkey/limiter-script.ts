/**
 * One admission, in any number of buckets, where the store counts: core/limits/gcra step by step, in
 * the same whole microseconds (Lua's numbers are doubles too). Buckets that are full again expire.
 */
import { DEBT_US, SLACK_US } from "#core/limits/gcra.ts";
import { toScript } from "./scripts.ts";

/** How long a bucket is kept beyond the time at which it is full, ms: clocks differ. */
const KEPT_MS = SLACK_US / 1000;
/** Used where the caller gives the time (tests), which runs at its own pace. */
const KEPT_GIVEN_MS = 600_000;

/**
 * KEYS: the buckets. ARGV: the time in epoch µs or "" for the store's own, then of each bucket its
 * interval in µs, its burst, and how many admissions are owed for it (debts.ts), which are charged
 * whatever is decided now, as far as they empty it. Returns of each what the request would leave in it, in µs; one
 * that is negative refuses the request, and nothing is charged then.
 */
export const ADMIT = toScript(`
local now, kept = tonumber(ARGV[1]), ${KEPT_GIVEN_MS}
if not now then
  local time = redis.call('TIME')
  now, kept = time[1] * 1000000 + time[2], ${KEPT_MS}
end
local full, left, changed, admitted = {}, {}, {}, true
for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local owed = tonumber(ARGV[3 * i + 1])
  local depth = interval * burst
  local known = tonumber(redis.call('GET', key) or now)
  full[i] = math.max(known, now)
  if full[i] > now + depth + ${DEBT_US + SLACK_US} then
    full[i], changed[i] = now + depth, 'corrected'
  end
  if owed > 0 then
    full[i], changed[i] = math.max(full[i], math.min(full[i] + owed * interval, now + depth)), 'charged'
  end
  left[i] = depth - (full[i] - now) - interval
  if left[i] < 0 then admitted = false end
end
for i, key in ipairs(KEYS) do
  if admitted or changed[i] == 'charged' or (changed[i] and left[i] < 0) then
    local state = admitted and full[i] + ARGV[3 * i - 1] or full[i]
    local life = math.ceil((state - now) / 1000) + kept
    redis.call('SET', key, string.format('%.0f', state), 'PX', string.format('%.0f', life))
  end
end
return left
`);

/**
 * Charges an answer that was admitted for what it took beyond one request (core/limits/gcra
 * `charge`). KEYS: the buckets. ARGV: the time as above, then of each bucket its interval in µs, its
 * burst, and the requests it is charged.
 */
export const CHARGE = toScript(`
local now, kept = tonumber(ARGV[1]), ${KEPT_GIVEN_MS}
if not now then
  local time = redis.call('TIME')
  now, kept = time[1] * 1000000 + time[2], ${KEPT_MS}
end
for i, key in ipairs(KEYS) do
  local interval, tokens = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i + 1])
  local depth = interval * tonumber(ARGV[3 * i])
  local full = math.max(tonumber(redis.call('GET', key) or now), now)
  if full > now + depth + ${DEBT_US + SLACK_US} then full = now + depth end
  local state = math.max(full, math.min(full + tokens * interval, now + depth + ${DEBT_US}))
  local life = math.ceil((state - now) / 1000) + kept
  redis.call('SET', key, string.format('%.0f', state), 'PX', string.format('%.0f', life))
end
return 1
`);
