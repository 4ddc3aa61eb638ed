/** Lua that runs in the store: known there by its hash, and sent whole only when it is not. */
import { hash } from "node:crypto";

export type Script = { lua: string; sha: string };

/** Names a script by the hash that the store gives it. */
export function toScript(lua: string): Script {
  return { lua, sha: hash("sha1", lua, "hex") };
}

/** Lua: time of the store in whole ms, the same for all replicas. */
export const LUA_NOW_MS = `
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;
