/** A service whose configuration publishes the changelog, and one whose does not (§4.13). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { createClient, createFolder, removeFolder, start } from "./support.ts";

const client = createClient();
after(() => client.close());

// Proves §4.13 not published; §4.13 published
for (const published of [true, false]) {
  test(`changelog.published ${published}`, async () => {
    const data_dir = await createFolder();
    const settings = published ? { changelog: { published } } : {};
    const { service } = await start({ data_dir, settings });
    const { status, text, headers } = await client.call(`${service.url}/changelog.json`);
    const released = new URL("../../../releases/1.1.0/changelog.json", import.meta.url);
    if (published) assert.deepEqual([status, text], [200, readFileSync(released, "utf8")]);
    else assert.deepEqual([status, headers["cache-control"]], [404, "no-store"]);
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
}
