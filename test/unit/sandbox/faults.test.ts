// Which request meets which fault, and what a fault's description may look like.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFaults, parseFault, type Fault } from "../../../sandbox/faults.ts";

const fault = (fields: Partial<Fault>): Fault => ({
  fault: "http_500",
  delay_ms: 0,
  rate: 1,
  ...fields,
});
const PARIS = ["gbfs:paris", "gbfs"];
const LONDON = ["gbfs:london", "gbfs"];

test("the rate is a share of the requests, always the same ones", () => {
  for (const [rate, hits] of [
    [0, 0],
    [0.1, 10],
    [0.25, 25],
    [1 / 3, 33],
    [0.5, 50],
    [1, 100],
  ] as const) {
    const faults = createFaults();
    faults.put("gbfs", fault({ rate }));
    const struck = Array.from({ length: 100 }, () => faults.strike(PARIS, "/x") !== undefined);
    assert.equal(struck.filter(Boolean).length, hits, `rate ${rate}`);
  }
});

test("paths coexist, the longer one decides, and a part comes before the whole", () => {
  const faults = createFaults();
  faults.put("gbfs", fault({ fault: "slow" }));
  faults.put("gbfs", fault({ fault: "empty", path: "station" }));
  faults.put("gbfs", fault({ fault: "reset", path: "station_status" }));
  faults.put("gbfs:london", fault({ fault: "none" }));
  assert.equal(faults.strike(PARIS, "/paris/gbfs.json")?.fault, "slow");
  assert.equal(faults.strike(PARIS, "/paris/station_information.json")?.fault, "empty");
  assert.equal(faults.strike(PARIS, "/paris/station_status.json")?.fault, "reset");
  assert.equal(faults.strike(LONDON, "/london/station_status.json"), undefined);
});

test("a fault is replaced by its like, and none clears the source", () => {
  const faults = createFaults();
  faults.put("gbfs", fault({ path: "a" }));
  faults.put("gbfs", fault({ fault: "empty", path: "a" }));
  assert.equal(faults.list().length, 1);
  assert.equal(faults.strike(PARIS, "/a")?.fault, "empty");
  faults.put("gbfs", fault({ fault: "none" }));
  assert.equal(faults.strike(PARIS, "/a"), undefined);
  faults.put("gbfs", fault({}));
  faults.clear();
  assert.equal(faults.strike(PARIS, "/a"), undefined);
});

test("a request the rate spares meets the wider rule", () => {
  const faults = createFaults();
  faults.put("gbfs", fault({ fault: "slow" }));
  faults.put("gbfs", fault({ path: "status", rate: 0.5 }));
  const met = Array.from({ length: 4 }, () => faults.strike(PARIS, "/status")?.fault);
  assert.deepEqual(met, ["slow", "http_500", "slow", "http_500"]);
});

test("bodies are read strictly, and the complaint names the member", () => {
  const complaints: [string, string][] = [
    ["", "body"],
    ["[]", "body"],
    ["{}", "fault"],
    ['{"fault":"http_418"}', "fault"],
    ['{"fault":"slow","delay_ms":-1}', "delay_ms"],
    ['{"fault":"slow","delay_ms":1.5}', "delay_ms"],
    ['{"fault":"slow","delay_ms":"10"}', "delay_ms"],
    ['{"fault":"empty","rate":1.1}', "rate"],
    ['{"fault":"empty","rate":null}', "rate"],
    ['{"fault":"empty","path":""}', "path"],
    ['{"fault":"empty","share":1}', "share"],
  ];
  for (const [body, member] of complaints) {
    const parsed = parseFault(body);
    assert.ok("member" in parsed, body);
    assert.equal(parsed.member, member);
    assert.ok(parsed.message.startsWith(member));
  }
  assert.deepEqual(parseFault('{"fault":"slow"}'), {
    fault: { fault: "slow", delay_ms: 1000, rate: 1 },
  });
});
