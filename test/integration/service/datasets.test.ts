/** Reading datasets: what is found, what never was and what is gone (decisions, Capabilities). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newDatasetId } from "#core/datasets/id.ts";
import {
  get,
  observe,
  post,
  refusalOf,
  type Stored,
  toRead,
  toSearch,
  type Who,
} from "./capabilities.ts";
import { advance, createClient, createFolder, start, type Started, closeAll } from "./support.ts";

const HOUR_S = 3600;
const ADMIN_TOKEN = "an-admin-token-of-this-test";
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567".split("");

describe("access to datasets", () => {
  const client = createClient();
  let started: Started;
  let of: Started["service"];
  let point: object;
  let own: Stored;
  let open: Stored;
  const who: Record<"own" | "other", Who> = { own: {}, other: {} };
  before(async () => {
    const settings = { datasets: { anonymous_h: 1, keyed_h: 3 } };
    const variables = { ADMIN_TOKEN };
    started = await start({
      data_dir: await createFolder(),
      settings,
      variables,
      timetables: false,
    });
    of = started.service;
    await of.feeds.surveyed();
    for (const [name, plan] of [
      ["own", "developer"],
      ["other", "business"],
    ] as const)
      who[name] = { key: of.keys.find((each) => each.plan === plan)!.key };
    const { lat, lon } = of.sandbox!.cities().find(({ country }) => country === "FR")!;
    point = { lat, lon };
    own = (await observe(client, of, toSearch({ ...point, limit: 5 }), who.own)).provenance[0];
    open = (await observe(client, of, toSearch(point))).provenance[0];
  });
  after(() => closeAll(client, started));

  /** Both ways to read say the same. */
  async function read(id: string, version: string, by: Who = {}): Promise<string> {
    const executed = await post(client, of, toRead({ id, version }), by);
    const href = `/v1/datasets/${encodeURIComponent(id)}/${encodeURIComponent(version)}`;
    const fetched = await get(client, of, href, {}, by);
    const [a, b] = [executed, fetched].map((reply) =>
      reply.status === 200 ? "200" : refusalOf(reply),
    );
    assert.equal(a, b, `${id} ${version}`);
    return a!;
  }
  const NOT_FOUND = "404 dataset_not_found";
  const GONE = "410 dataset_gone";

  test("own and public datasets are found; another account's are unknown", async () => {
    for (const by of [{}, who.own, who.other])
      assert.equal(await read(open.dataset_id, open.version, by), "200");
    assert.equal(await read(own.dataset_id, own.version, who.own), "200");
    for (const by of [{}, who.other])
      assert.equal(await read(own.dataset_id, own.version, by), NOT_FOUND);
  });

  test("each character of the id and of the version counts", async () => {
    let tried = 0;
    for (const [name, text] of [
      ["id", open.dataset_id],
      ["version", open.version],
    ] as const)
      for (let at = 0; at < text.length; at++) {
        const others = at === text.length - 1 ? BASE32 : [text[at] === "x" ? "y" : "x"];
        for (const other of [...others, text[at]!.toUpperCase()]) {
          const tampered = text.slice(0, at) + other + text.slice(at + 1);
          if (tampered === text) continue;
          const requests = name === "id" ? [tampered, open.version] : [open.dataset_id, tampered];
          assert.equal(await read(requests[0]!, requests[1]!), NOT_FOUND, tampered);
          tried++;
        }
      }
    assert.ok(tried > 150, `${tried}`);
    for (const id of [
      `${open.dataset_id}a`,
      open.dataset_id.slice(0, -1),
      "x",
      "nearby_",
      "é",
      "a".repeat(300),
    ])
      assert.match(await read(id, open.version), /^404 (dataset_)?not_found$/, id);
  });

  test("well-formed ids that were never issued are unknown", async () => {
    for (let i = 0; i < 50; i++) {
      const random = crypto.getRandomValues(new Uint8Array(10));
      const secret = crypto.getRandomValues(new Uint8Array(32));
      const id = newDatasetId("public", { secret, now_ms: of.clock.now(), random });
      assert.equal(await read(id, open.version), NOT_FOUND);
    }
    assert.equal(await read(open.dataset_id, own.version), NOT_FOUND, "a version of another");
  });

  test("suspended: 403, until the account is active again", async () => {
    const call = async (standing: string): Promise<void> => {
      const headers = {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        "content-type": "application/json",
      };
      const { accounts } = await client.json<{ accounts: { id: string; plan: string }[] }>(
        `${of.admin_url}/admin/accounts`,
        { headers },
      );
      const { id } = accounts.find(({ plan }) => plan === "developer")!;
      const url = `${of.admin_url}/admin/accounts/${id}`;
      await client.json(url, { method: "PATCH", headers, body: { standing } });
      await advance(client, of.sandbox!.url, 5);
    };
    await call("suspended");
    for (const { dataset_id, version } of [own, open])
      assert.equal(await read(dataset_id, version, who.own), "403 account_suspended");
    await call("active");
    assert.equal(await read(own.dataset_id, own.version, who.own), "200");
  });

  test("a bad credential is not treated as anonymous", async () => {
    const bad = { key: "svc_test_x" };
    assert.equal(await read(open.dataset_id, open.version, bad), "401 invalid_api_key");
  });

  // The last one: time goes on.
  test("an expired dataset is gone, whatever the version, and still unknown to others", async () => {
    await advance(client, of.sandbox!.url, HOUR_S);
    for (const version of [open.version, "1-x", own.version])
      assert.equal(await read(open.dataset_id, version), GONE);
    assert.equal(await read(own.dataset_id, own.version, who.own), "200", "three hours");
    await advance(client, of.sandbox!.url, 2 * HOUR_S);
    for (const version of [own.version, "1-x"]) {
      assert.equal(await read(own.dataset_id, version, who.own), GONE);
      for (const by of [{}, who.other])
        assert.equal(await read(own.dataset_id, version, by), NOT_FOUND);
    }
    assert.equal(
      await read(open.dataset_id, open.version),
      GONE,
      "forgotten by now, and known still",
    );
  });
});
