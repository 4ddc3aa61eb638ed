/**
 * The life of one published feed in the store, each step a script. All keys of a source have one
 * hash tag: its lease; a hash with the version and the state; a hash with its packs by content hash.
 *
 * A version is the store's time in ms where that is later than the version before: so it grows even
 * when the store has lost everything, and replicas that remember a version notice newer ones.
 */
import { LUA_NOW_MS, toScript } from "./scripts.ts";

/**
 * KEYS: lease, now, packs. ARGV: token, life in ms. Returns the version and the packs; nil: held. A
 * replica that asks again, since the answer never came, may hold it already.
 */
export const LEASE = toScript(`
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
  and redis.call('GET', KEYS[1]) ~= ARGV[1] then return nil end
return {tonumber(redis.call('HGET', KEYS[2], 'version') or 0), redis.call('HKEYS', KEYS[3])}
`);

/** KEYS: lease. ARGV: token, life in ms. 1; 0: it is not ours any more. */
export const RENEW = toScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/** KEYS: lease, now. ARGV: token, channel, source id. */
export const RELEASE = toScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
local version = redis.call('HGET', KEYS[2], 'version') or '0'
redis.call('PUBLISH', ARGV[2], version .. ':' .. ARGV[3])
return 1
`);

/**
 * KEYS: lease, now, packs. ARGV: token, channel, source id, life in ms, state, how many packs the
 * state speaks of, their hashes; then hash and bytes of those that are sent. Returns the version; 0:
 * the lease is lost; -1: the store lacks a pack that was not sent.
 */
export const PUBLISH = toScript(`${LUA_NOW_MS}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local named, count = {}, tonumber(ARGV[6])
for i = 7, 6 + count do named[ARGV[i]] = 'lacking' end
for i = 7 + count, #ARGV, 2 do named[ARGV[i]] = 'sent' end
local held = redis.call('HKEYS', KEYS[3])
for _, hash in ipairs(held) do
  if named[hash] == 'lacking' then named[hash] = 'held' end
end
for _, how in pairs(named) do
  if how == 'lacking' then return -1 end
end
for _, hash in ipairs(held) do
  if not named[hash] then redis.call('HDEL', KEYS[3], hash) end
end
for i = 7 + count, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
local before = tonumber(redis.call('HGET', KEYS[2], 'version') or 0)
local version = string.format('%.0f', math.max(before + 1, now_ms()))
redis.call('HSET', KEYS[2], 'version', version, 'state', ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PEXPIRE', KEYS[3], ARGV[4])
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], version .. ':' .. ARGV[3])
return tonumber(version)
`);

/**
 * KEYS: now, packs. ARGV: the version and the hashes that the reader has. Returns the version, the
 * state, and hash and bytes of the packs it lacks; nil: there is nothing later.
 */
export const READ = toScript(`
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or 0)
if version <= tonumber(ARGV[1]) then return nil end
local reply, has = {version, redis.call('HGET', KEYS[1], 'state')}, {}
for i = 2, #ARGV do has[ARGV[i]] = true end
for _, hash in ipairs(redis.call('HKEYS', KEYS[2])) do
  if not has[hash] then
    reply[#reply + 1] = hash
    reply[#reply + 1] = redis.call('HGET', KEYS[2], hash)
  end
end
return reply
`);

/** KEYS: the set of a fleet's sources. ARGV: life in ms. Forgets those that have expired. */
export const LIST_SCRIPT = toScript(`${LUA_NOW_MS}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms() - ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
`);
