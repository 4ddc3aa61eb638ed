/** A base in an object store that others have written: keys, ranges, replacement. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { AwsClient } from "aws4fetch";
import { KEYS, startObjectStore } from "../../trials/judges/object-store.ts";
import { openObjects } from "../support/object-bases.ts";
import { nodeAt, pageNodes } from "../support/paged-bases.ts";
import { options } from "../support/places.ts";

const PARIS = { lat: 48.855, lon: 2.355 };

async function laid(t: TestContext, amenity: string) {
  const store = await startObjectStore();
  t.after(() => store[Symbol.asyncDispose]());
  const url = `${store.url}/fr.vbase`;
  const put = async (kind: string): Promise<void> => {
    const nodes = [nodeAt(1, PARIS.lat, PARIS.lon, { amenity: kind })];
    const body = await pageNodes("fr", nodes, [{ z: 6, x: 32, y: 22 }]);
    const client = new AwsClient({
      ...{ accessKeyId: KEYS.access_key_id, secretAccessKey: KEYS.secret_access_key },
      ...{ service: "s3", region: "us-east-1" },
    });
    const { status } = await client.fetch(url, { method: "PUT", body: body.slice().buffer });
    assert.equal(status, 200);
  };
  await put(amenity);
  return { url, put };
}

test("a base answers from a store that knows the key, and from what replaces it", async (t) => {
  const { url, put } = await laid(t, "toilets");
  const { bases, clock } = openObjects(t, { url, ...KEYS });
  const count = async (kind: "toilets" | "water"): Promise<number> => {
    const { pages } = bases.list()[0]!;
    const circle = { ...PARIS, radius_m: 500 };
    using pinned = await pages.pin(pages.around(circle));
    return pinned.pages[0]!.page.search([kind], circle, options()).length;
  };
  await bases.start();
  assert.equal(await count("toilets"), 1);
  await put("drinking_water");
  await clock.advance(30_000);
  assert.deepEqual([await count("toilets"), await count("water")], [0, 1]);
});

test("keys that it does not know are refused, and the base is named as one that cannot be read", async (t) => {
  const { url } = await laid(t, "toilets");
  const { bases, lines } = openObjects(t, { url, ...KEYS, access_key_id: "another" });
  await bases.start();
  assert.deepEqual(bases.list(), []);
  assert.deepEqual(
    bases.listUnread().map(({ id }) => id),
    ["fr"],
  );
  const [warning] = lines.filter(({ msg }) => msg === "base fr cannot be reached");
  assert.match(warning?.problem ?? "", /key|refused|403/i);
});
