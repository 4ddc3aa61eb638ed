/** The guarantees of a started service whatever its sources say: the changelog, the plan of anonymous callers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { serviceFor } from "./support.ts";

for (const published of [true, false]) {
  describe(`a service with changelog.published ${published}`, () => {
    const settings = published ? { changelog: { published } } : {};
    const served = serviceFor({ settings, timetables: false });
    const { client } = served;

    // Proves §4.13 not published; §4.13 published
    test("serves the changelog of the last release, or 404", async () => {
      const { url } = served.started.service;
      const { status, text, headers } = await client.call(`${url}/changelog.json`);
      const released = new URL("../../../releases/1.1.0/changelog.json", import.meta.url);
      if (published) assert.deepEqual([status, text], [200, readFileSync(released, "utf8")]);
      else assert.deepEqual([status, headers["cache-control"]], [404, "no-store"]);
    });

    // Proves §4.9 free policy
    test("holds anonymous calls to the Free plan", async () => {
      const url = `${served.started.service.url}/v1/nearby?lat=48.8566&lon=2.3522`;
      const far = await client.call(`${url}&offset=1001`);
      const body = JSON.parse(far.text) as { error: { code: string; message: string } };
      assert.deepEqual([far.status, body.error.code], [403, "plan_not_allowed"]);
      assert.match(body.error.message, /1000 on the plan free/);
      const many = await client.json<{ limit: number }>(`${url}&limit=101`);
      assert.equal(many.limit, 100);
    });
  });
}
