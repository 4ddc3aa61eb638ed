/** A port that is in use is named, with the variable that sets it, before anything is started. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { explainAddress, findPortProblem } from "#process/free-ports.ts";

const host = "127.0.0.1";

test("an address in use is refused with what to set; a free one and any free one are not", async () => {
  const other = createServer().listen(0, host);
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const any = { host, port: 0, variable: "ADMIN_PORT" };
  const taken = { host, port, variable: "PORT" };
  assert.match(
    (await findPortProblem([any, taken])) ?? "",
    new RegExp(`^port ${port} of ${host} is in use by another program; set PORT to`),
  );
  other.close();
  await once(other, "close");
  assert.equal(await findPortProblem([any, taken]), null);
});

test("what is no address of this machine, and what the user may not have, is said so", () => {
  const wanted = { host: "192.0.2.1", port: 80, variable: "PORT" };
  assert.match(
    explainAddress(wanted, "EADDRNOTAVAIL"),
    /^192\.0\.2\.1 is no address of this machine/,
  );
  assert.match(explainAddress(wanted, "EACCES"), /set PORT to a port above 1023$/);
  assert.match(
    explainAddress(wanted, "EPERM"),
    /^port 80 of 192\.0\.2\.1 cannot be listened on: EPERM$/,
  );
});
