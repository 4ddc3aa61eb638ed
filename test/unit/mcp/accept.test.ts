/** Which callers of /mcp take JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { acceptsJson } from "#mcp/accept.ts";

test("JSON is accepted by its name, by a range, and by saying nothing", () => {
  const yes = [undefined, "", " ", "*/*", "APPLICATION/JSON ; q=0.5", "text/html,application/*"];
  for (const accept of [...yes, "application/json;charset=utf-8"])
    assert.ok(acceptsJson(accept), String(accept));
  const no = ["text/html", "application/json;q=0", "*/*; q=0.000", "application/jsonp", ","];
  for (const accept of no) assert.ok(!acceptsJson(accept), accept);
});

test("the place in the list plays no part", () => {
  const other = fc.constantFrom("text/html", "image/*", "text/event-stream", "application/xml;q=1");
  fc.assert(
    fc.property(fc.array(other), fc.array(other), (before, after) => {
      assert.ok(acceptsJson([...before, "application/json", ...after].join(", ")));
      const without = [...before, ...after].join(", ");
      assert.equal(acceptsJson(without), without === "");
    }),
  );
});
