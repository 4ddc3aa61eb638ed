/**
 * Places by class in a real extract: classes at its middle held against every object of the extract that
 * has the tag, and what a question costs where things are dense.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { THING_KINDS } from "#api/place-classes.ts";
import { distance_m } from "#kit/geo.ts";
import { collect, extractPath, lackOf } from "../support/base.ts";
import { aNode, type Feature } from "../support/geocoder.ts";
import { aClassBase, createTown, interestsOf } from "../support/interests.ts";
import { openPacked, packExtract } from "../support/town.ts";

const EXTRACT = "monaco-2023";
const HERE = { lat: 43.7384, lon: 7.4246 };
const BOX = [43, 7, 44, 8] as const;
const CLASSES = ["pharmacy", "supermarket", "bakery", "hotel", "museum", "playground", "atm"];

test(
  "what an extract has of a class is found, the nearest first, with the hours that it has",
  { skip: lackOf(EXTRACT) },
  async (t) => {
    const nodes = collect({ node: ["amenity", "shop", "tourism", "leisure"] });
    const { interests } = openPacked(await packExtract(extractPath(EXTRACT), [nodes.section]));
    const ask = createTown({ bases: [aClassBase("monaco", BOX, interests!)] });
    let [found, hours] = [0, 0];
    for (const place_class of CLASSES) {
      const { tags } = THING_KINDS.find((kind) => kind.place_class === place_class)!;
      const wanted = nodes.nodes.filter((node) => {
        const at = [HERE.lat, HERE.lon, node.lat7 / 1e7, node.lon7 / 1e7] as const;
        const isOf = tags.some((tag) => node.tags.get(tag.split("=")[0]!) === tag.split("=")[1]);
        return isOf && !node.tags.has("access") && distance_m(...at) < 1_490;
      });
      const { body } = await ask({ ...HERE, classes: [place_class], limit: 100 });
      const ids = new Set(body.results.map(({ external_id }) => external_id));
      const missing = wanted.filter(({ id }) => !ids.has(`node/${id}`));
      // One that is a building as well is that.
      assert.ok(missing.length <= 2, `${place_class}: ${missing.length} of ${wanted.length}`);
      const metres = body.results.map(({ distance_meters }) => distance_meters);
      assert.deepEqual(
        metres,
        metres.toSorted((a, b) => a - b),
        place_class,
      );
      found += body.total;
      hours += body.results.filter(({ attributes }) => "opening_hours" in attributes).length;
    }
    assert.ok(found >= 60 && hours >= 10, `${found} places, ${hours} with hours`);
    t.diagnostic(`${found} places of ${CLASSES.length} classes, ${hours} with hours`);
  },
);

test("a crowded circle costs little, whatever is asked of it", async () => {
  const crowd: Feature[] = [];
  for (let n = 0; n < 20_000; n++) {
    const at = [HERE.lat + (n % 140) * 1e-4, HERE.lon + Math.floor(n / 140) * 1e-4] as const;
    crowd.push(aNode(n + 1, at, { amenity: n % 2 ? "restaurant" : "cafe", name: `R${n}` }));
  }
  const ask = createTown({ bases: [aClassBase("crowd", BOX, interestsOf(crowd))] });
  const question = { ...HERE, classes: ["restaurant", "cafe"], radius: 10_000, limit: 100 };
  const whole = await ask(question);
  assert.equal(whole.body.total, 20_000);
  const some = await ask({ ...question, usable: "now" });
  assert.ok(some.body.notices!.some(({ message }) => message.includes("are looked at")));
});
