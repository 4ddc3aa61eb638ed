/** What is remembered by the boundaries of bases holds until the bases change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBorders } from "#upstream/bases/base-shelf-borders.ts";
import { NO_BASES } from "#upstream/bases/shelf.ts";

test("without bases nothing changes, so that zones and countries are remembered", () => {
  const borders = createBorders(NO_BASES);
  const version = borders.version();
  borders.at(47, 9);
  assert.equal(borders.version(), version);
});
