/** How stations are found: page by page, and in feeds that are held. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createManualClock } from "../../support/manual-clock.ts";
import { feedFinder, lookupFinder } from "#app/transit/transit-finders.ts";
import type { HeldFeed } from "#upstream/transit/held-feed.ts";
import type { TransitFinding } from "#app/transit/transit-finder.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import type { TransitPage, TransitQuery } from "#providers/transit-lookup.ts";
import type { CachedValue, LookupReply } from "#upstream/lookup/ask-source.ts";
import { NOW_MS } from "../../support/domain.ts";
import { CENTRE, heldOf, packOf, questionOf, routeOf, stationOf } from "../../support/transit.ts";

const clock = createManualClock(NOW_MS);
const question = questionOf(clock);

const idsOf = ({ groups }: TransitFinding): string[][] =>
  groups.map((stations) => stations.map(({ source }) => source.source_id));
const named = (id: string, feed_id: string | null = null): TransitStation =>
  stationOf({ source: { provider: "transitland", source_id: id, feed_id } });

type Page = { stations: TransitStation[]; next?: string };
const toRetained = ({ stations, next = "" }: Page, i = 0): CachedValue<TransitPage> => ({
  value: { stations, next: next || null },
  raw: stations.length + 1,
  fetched_at_ms: NOW_MS - i,
  good_until_ms: NOW_MS + 1000 - i,
});
const ok = (page: Page, cache: "hit" | "miss" = "miss", i = 0): LookupReply<TransitPage> => ({
  status: "ok",
  stored: toRetained(page, i),
  cache,
});

function paged(replies: readonly LookupReply<TransitPage>[]) {
  const requested: TransitQuery[] = [];
  const finder = lookupFinder({
    provider: "transitland",
    key: "transitland",
    ask(query) {
      requested.push(query);
      return Promise.resolve(replies[Math.min(requested.length, replies.length) - 1]!);
    },
  });
  return { finder, requested };
}

describe("page by page", () => {
  test("until one is the last; what a page break tore apart is one again", async () => {
    const route = (id: string): Partial<TransitStation> => ({ routes: [routeOf(id)] });
    const { finder, requested } = paged([
      ok({ stations: [named("a"), { ...named("b"), ...route("1") }], next: "2" }, "hit", 3),
      ok({ stations: [{ ...named("b"), ...route("2") }], next: "3" }),
      ok({ stations: [named("c")] }),
    ]);
    const match = await finder.find(question);
    assert.deepEqual(
      requested.map(({ page }) => page),
      [null, "2", "3"],
    );
    assert.deepEqual(
      requested.map(({ lat, lon, radius_m }) => ({ lat, lon, radius_m })),
      requested.map(() => ({ ...CENTRE, radius_m: 1000 })),
    );
    assert.deepEqual(idsOf(match), [["a", "b", "c"]]);
    assert.deepEqual(
      match.groups[0]![1]!.routes.map(({ id }) => id),
      ["1", "2"],
    );
    const { status, reason, raw, calls, cache, good_until_ms } = match;
    assert.deepEqual(
      { status, reason, raw, calls, cache, good_until_ms },
      {
        status: "ok",
        reason: null,
        raw: 7,
        calls: 2,
        cache: "partial",
        good_until_ms: NOW_MS + 997,
      },
    );
  });

  test("each feed is a publisher of its own, in an order that stays", async () => {
    const stations = [named("1", "z"), named("2", "a"), named("3", "z"), named("4")];
    const { finder } = paged([ok({ stations })]);
    assert.deepEqual(idsOf(await finder.find(question)), [["4"], ["2"], ["1", "3"]]);
  });

  test("an undated station was fetched with its page", async () => {
    const undated = { ...named("a"), fetched_at_ms: 0 };
    const { finder } = paged([ok({ stations: [undated, named("b")] }, "miss", 9)]);
    const [stations] = (await finder.find(question)).groups;
    assert.deepEqual(
      stations!.map(({ fetched_at_ms }) => fetched_at_ms),
      [NOW_MS - 9, NOW_MS],
    );
  });

  test("a page that fails leaves what came before, and says so", async () => {
    const { finder, requested } = paged([
      ok({ stations: [named("a")], next: "2" }),
      { status: "timeout", reason: "deadline", rescue: null },
    ]);
    const match = await finder.find(question);
    assert.equal(requested.length, 2);
    assert.deepEqual(idsOf(match), [["a"]]);
    assert.deepEqual([match.status, match.reason], ["timeout", "deadline"]);
    assert.deepEqual([match.good_until_ms, match.calls], [null, 2]);
  });

  test("an old answer replaces the missing one, which is a failure all the same", async () => {
    const rescue = toRetained({ stations: [named("old")], next: "2" });
    const { finder, requested } = paged([
      { status: "unavailable", reason: "http_500", rescue },
      ok({ stations: [named("new")] }),
    ]);
    const match = await finder.find(question);
    assert.equal(requested[1]!.page, "2");
    assert.deepEqual(idsOf(match), [["old", "new"]]);
    assert.deepEqual([match.status, match.reason], ["unavailable", "http_500"]);
  });

  test("nothing at all is no station, and a failure is no emptiness", async () => {
    const empty = await paged([ok({ stations: [] })]).finder.find(question);
    assert.deepEqual([empty.status, idsOf(empty)], ["ok", []]);
    const reply = { status: "unauthorized", reason: "http_401", rescue: null } as const;
    const failed = await paged([reply]).finder.find(question);
    assert.deepEqual([failed.status, idsOf(failed)], ["unauthorized", []]);
  });

  test("ten pages at most; what is left unasked may be near", async () => {
    const { finder, requested } = paged([ok({ stations: [named("a")], next: "on" })]);
    const match = await finder.find(question);
    assert.equal(requested.length, 10);
    assert.deepEqual([match.status, match.reason], ["unavailable", "too_many_pages"]);
    assert.deepEqual(idsOf(match), [["a"]]);
    const ten = Array.from({ length: 9 }, () => ok({ stations: [named("a")], next: "on" }));
    const last = paged([...ten, ok({ stations: [named("z")] })]);
    assert.equal((await last.finder.find(question)).status, "ok");
  });

  test("further details are requested at the same time", async () => {
    const finder = lookupFinder({
      provider: "navitia",
      key: "navitia",
      ask: () => Promise.resolve(ok({ stations: [named("a")] })),
      refine: () =>
        Promise.resolve((stations) => stations.map((one) => ({ ...one, wheelchair: "yes" }))),
    });
    const [stations] = (await finder.find(question)).groups;
    assert.equal(stations![0]!.wheelchair, "yes");
  });
});

describe("feeds that are held", () => {
  const find = (feeds: readonly HeldFeed[]): Promise<TransitFinding> =>
    feedFinder(() => feeds, 30_000).find(question);
  const one = packOf("one", [
    { id: "near", metres: 10 },
    { id: "far", metres: 1001 },
  ]);
  const two = packOf("two", [{ id: "edge", metres: 999 }], { realtime: true, alerts: true });

  test("the stations in the circle, feed by feed, whichever was read first", async () => {
    const feeds = [heldOf("two", two), heldOf("one", one)];
    for (const order of [feeds, feeds.toReversed()]) {
      const match = await find(order);
      assert.deepEqual(idsOf(match), [["near"], ["edge"]]);
      const { status, raw, calls, cache, good_until_ms } = match;
      assert.deepEqual(
        { status, raw, calls, cache, good_until_ms },
        { status: "ok", raw: 2, calls: 0, cache: "hit", good_until_ms: NOW_MS + 30_000 },
      );
    }
  });

  test("the catalogue knows of live data better than the feed", async () => {
    const flags = async (stored: Partial<HeldFeed>): Promise<unknown> => {
      const { groups } = await find([heldOf("two", two, stored)]);
      return [groups[0]![0]!.realtime, groups[0]![0]!.alerts];
    };
    assert.deepEqual(await flags({}), [true, true]);
    assert.deepEqual(await flags({ realtime: false, alerts: null }), [false, true]);
  });

  test("without any feed there is none of it", () => {
    assert.equal(feedFinder(() => [], 1).isThere!(), false);
    assert.equal(feedFinder(() => [heldOf("one", null)], 1).isThere!(), true);
  });

  const box = (lat: number, lon: number): HeldFeed["box"] => ({
    south: lat - 0.1,
    north: lat + 0.1,
    west: lon - 0.1,
    east: lon + 0.1,
  });
  for (const [what, stored, expected] of [
    ["anywhere, not tried", {}, ["unavailable", "not_loaded"]],
    ["anywhere, failed", { failure: "http_500" }, ["unavailable", "http_500"]],
    ["here", { box: box(CENTRE.lat, CENTRE.lon) }, ["unavailable", "not_loaded"]],
    ["elsewhere", { box: box(10, 10) }, ["ok", null]],
  ] as const)
    test(`a feed that is missing ${what}`, async () => {
      const match = await find([heldOf("one", one), heldOf("lost", null, stored)]);
      assert.deepEqual([match.status, match.reason], expected);
      assert.deepEqual(idsOf(match), [["near"]]);
      assert.equal(match.good_until_ms === null, expected[0] !== "ok");
    });

  test("a feed whose renewal failed is still there", async () => {
    const match = await find([heldOf("one", one, { failure: "http_500" })]);
    assert.deepEqual([match.status, idsOf(match)], ["ok", [["near"]]]);
  });
});
