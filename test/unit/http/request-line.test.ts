/** The line of the log about one request: who it was, without anything that must not be in a log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "#app/access/request-caller.ts";
import type { AddressKeys } from "#core/limits/address-block.ts";
import { CallerNames, type Ended, toRequestLine } from "#http/request-line.ts";
import { createRequestIds } from "#http/reply-headers.ts";
import { FREE } from "../../support/server.ts";

type Raw = Ended["request"]["raw"];

/** Of a request whose peer has this address. */
const from = (narrow: string): Raw => ({ narrow }) as unknown as Raw;
const addressOf = (raw: Raw): AddressKeys => ({
  narrow: (raw as unknown as AddressKeys).narrow,
  wide: "",
});
const secret = (byte: number) => (): Uint8Array => new Uint8Array(16).fill(byte);

const ended: Ended = {
  request: { id: "Vb3kQx-1a2b3", shown: "Vb3kQx-1a2b3", raw: from("192.0.2.7/32") },
  status: 200,
  ms: 0.42,
  error: null,
  caller: null,
  trace_id: null,
};

test("an address has one name, on every replica with the secret, which is not the address", () => {
  const one = new CallerNames(addressOf, secret(1));
  const replica = new CallerNames(addressOf, secret(1));
  const other = new CallerNames(addressOf, secret(2));
  const name = one.nameOf(from("192.0.2.7/32"));
  assert.match(name ?? "", /^[\w-]{6}$/);
  assert.equal(one.nameOf(from("192.0.2.7/32")), name);
  assert.equal(replica.nameOf(from("192.0.2.7/32")), name);
  assert.notEqual(other.nameOf(from("192.0.2.7/32")), name);
  const names = Array.from({ length: 20_000 }, (_, i) => one.nameOf(from(`2001:db8:0:${i}::/64`)));
  assert.ok(new Set(names).size >= 19_998, "hardly any two have the same name");
});

test("without a secret an address has no name, and gets one once there is a secret", () => {
  let entries: Uint8Array | null = null;
  const names = new CallerNames(addressOf, () => entries);
  assert.equal(names.nameOf(from("192.0.2.7/32")), null);
  entries = secret(1)();
  assert.match(names.nameOf(from("192.0.2.7/32")) ?? "", /^[\w-]{6}$/);
});

test("a key is named by its id and account, an anonymous caller by the hash alone", () => {
  const names = new CallerNames(addressOf, secret(1));
  const keyed: Caller = {
    kind: "keyed",
    plan: FREE,
    key_id: "key_1",
    account_id: "acc_1",
    scopes: [],
    standing: "active",
  };
  assert.deepEqual(toRequestLine({ ...ended, caller: keyed, error: "rate_limited" }, names), {
    id: "Vb3kQx-1a2b3",
    st: 200,
    ms: 0.42,
    error: "rate_limited",
    key: "key_1",
    account: "acc_1",
  });
  const address: AddressKeys = { narrow: "192.0.2.7/32", wide: "192.0.2.0/24" };
  const line = toRequestLine(
    { ...ended, caller: { kind: "anonymous", plan: FREE, address } },
    names,
  );
  assert.deepEqual(Object.keys(line), ["id", "st", "ms", "by"]);
  assert.doesNotMatch(JSON.stringify(line), /192\.0/);
  assert.equal(toRequestLine(ended, names).by, line.by, "the same while the caller is not known");
});

test("the caller's own id is in the line next to ours, and a trace that says the same once", () => {
  const request = { ...ended.request, shown: "mine" };
  assert.equal(toRequestLine({ ...ended, request }, null).ref, "mine");
  const traced = toRequestLine({ ...ended, request, trace_id: "mine" }, null);
  assert.deepEqual([traced.ref, traced.traceId], [undefined, "mine"]);
});

test("every request has an id of its own, whatever the caller calls it", () => {
  const ids = createRequestIds();
  const other = createRequestIds();
  const headers = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
  const all = [ids, ids, other].map((each) => each.of({ headers } as unknown as Raw));
  assert.equal(new Set(all.map(({ id }) => id)).size, 3);
  assert.deepEqual(
    [...new Set(all.map(({ shown }) => shown))],
    ["4bf92f3577b34da6a3ce929d0e0e4736"],
  );
});
