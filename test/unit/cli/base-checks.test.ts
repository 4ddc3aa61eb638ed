/** The memory of bases against that of the machine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkBaseMemory } from "#cli/base-checks.ts";
import type { Loaded } from "#config/config-result.ts";
import type { Config } from "#config/load.ts";

const MB = 1024 * 1024;
const of = (openbase: { enabled: boolean; memory_mb: number }): Loaded<Config> =>
  ({ ok: true, value: { sources: { openbase } } }) as unknown as Loaded<Config>;

test("up to half of the machine is fine, more is a warning, and none is said without bases", () => {
  const config = of({ enabled: true, memory_mb: 512 });
  assert.deepEqual(
    [1_024, 1_023].flatMap((mb) => checkBaseMemory(config, mb * MB)),
    [
      { check: "base memory", state: "ok", detail: "up to 512 MB of 1024 MB" },
      {
        ...{ check: "base memory", state: "warning" },
        detail: "up to 512 MB of 1023 MB: lower sources.openbase.memory_mb",
      },
    ],
  );
  assert.deepEqual(checkBaseMemory(of({ enabled: false, memory_mb: 512 }), MB), []);
  assert.equal(checkBaseMemory(config).length, 1);
});
