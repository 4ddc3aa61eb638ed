import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsWithin, readDescriptorLimit } from "#http/descriptors.ts";

test("connections leave descriptors to the admin listener, the stores and the sources", () => {
  const expected: [limit: number | null, connections: number][] = [
    [100, 16],
    [256, 128],
    [1_024, 768],
    [10_240, 8_192],
    [1_048_576, 1_046_528],
    [null, Infinity],
  ];
  for (const [limit, connections] of expected)
    assert.equal(connectionsWithin(limit), connections, `${limit}`);
});

test("the limit is that of this process", { skip: process.platform !== "linux" }, () => {
  const report = process.report.getReport() as {
    userLimits: { open_files: { soft: number | "unlimited" } };
  };
  const { soft } = report.userLimits.open_files;
  assert.equal(readDescriptorLimit(), soft === "unlimited" ? null : soft);
});
