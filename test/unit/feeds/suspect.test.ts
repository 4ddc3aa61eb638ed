/** Where a system may be whose survey fails: what its row, its host and its operator suggest. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedSystem } from "#upstream/feeds/feed-types.ts";
import { type Bottle, createBottle, createCity, systemOf } from "./support.ts";

const BROKEN = "https://broken.example/gbfs.json";

async function survey(...systems: FeedSystem[]): Promise<Bottle> {
  const bottle = createBottle({ systems, survey: { enabled: true, concurrency: 8 } });
  for (const { url } of systems) {
    const city = createCity(bottle.upstream, url.replace("/gbfs.json", ""));
    if (url.includes("broken")) city.fail("gbfs", { status: "error", reason: "http_500" });
  }
  bottle.feeds.start();
  await bottle.feeds.surveyed();
  return bottle;
}

test("a system without any evidence of its place is nowhere, and its source says so", async () => {
  const bottle = await survey(systemOf("lost", BROKEN));
  assert.equal(bottle.suspected.get("lost"), "nowhere");
  const [info] = bottle.feeds.snapshot();
  assert.deepEqual([info!.state, info!.lost], ["error", true]);
  assert.deepEqual(info!.failure, { status: "error", reason: "discovery:http_500" });
});

test("the country of its row holds", async () => {
  const bottle = await survey(systemOf("row", BROKEN, { country: "FR" }));
  assert.deepEqual(bottle.suspected.get("row"), { country: "FR" });
  assert.equal(bottle.feeds.snapshot()[0]!.lost, false);
});

test("others that the catalogue names by the same place show where it is", async () => {
  const bottle = await survey(
    systemOf("row", BROKEN, { country: "FR", location: "Paris " }),
    systemOf("near", "https://a.example/gbfs.json", { country: "FR", location: "paris" }),
    systemOf("abroad", "https://b.example/gbfs.json", { country: "US", location: "Paris" }),
  );
  assert.deepEqual(bottle.suspected.get("row"), { box: bottle.boxes.get("near") });
});

test("the top-level domain of its host is a hint, unless it is used everywhere", async () => {
  const bottle = await survey(
    systemOf("uk", "https://broken.bikes.co.uk/gbfs.json"),
    systemOf("io", "https://broken.bikes.io/gbfs.json"),
  );
  assert.deepEqual(bottle.suspected.get("uk"), { country: "GB" });
  assert.equal(bottle.suspected.get("io"), "nowhere");
});

test("its operator's other systems locate it, where they are all in one country", async () => {
  const one = await survey(
    systemOf("row", "https://broken.operator.example/gbfs.json"),
    systemOf("b", "https://b.operator.example/gbfs.json", { country: "PL" }),
    systemOf("c", "https://c.operator.example/gbfs.json", { country: "PL" }),
  );
  assert.deepEqual(one.suspected.get("row"), { country: "PL" });
  const many = await survey(
    systemOf("row", "https://broken.operator.example/gbfs.json"),
    systemOf("b", "https://b.operator.example/gbfs.json", { country: "PL" }),
    systemOf("c", "https://c.operator.example/gbfs.json", { country: "DE" }),
  );
  assert.equal(many.suspected.get("row"), "nowhere");
});
