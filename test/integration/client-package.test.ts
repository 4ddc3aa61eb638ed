/** The typed client as installed from the package: by its own entry point. */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createClient, type Client } from "vicinity/client";
import { stubServer } from "../support/server.ts";

test("it is plain JavaScript, loads from the package, and asks", async () => {
  assert.match(import.meta.resolve("vicinity/client"), /\/client\/client\.js$/);
  const { app } = stubServer();
  await app.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const client: Client = createClient({ url });
  const reply = await client.nearby({ lat: 48.8566, lon: 2.3522 });
  assert.deepEqual(reply, { kind: "ok", body: { status: "empty" } });
  assert.equal((await client.nearby({ lat: 91, lon: 0 })).kind, "refused");
  await app.close();
});
