/**
 * The trial `same-answers`: whatever differs between two answers is seen, what is random by design is
 * not, a recording survives its file, and nothing that can be asked is left out.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { AGENT_TOOLS, type AgentTool } from "#api/agent-tools.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { listAdminRoutes } from "#http/admin/api.ts";
import { toInputSchema } from "#mcp/tool-schema.ts";
import { compareRecordings } from "../compare.ts";
import { listSubjects, listUncovered, listUnmetCodes } from "../coverage.ts";
import { checkExpected, type Expected } from "../expected.ts";
import {
  packRecording,
  type Recording,
  type Reply,
  type Step,
  unpackRecording,
} from "../recording.ts";
import { askAll } from "../run.ts";
import { sendHttp } from "../send.ts";
import { STAGES } from "../stages.ts";
import { type Draft, request } from "../steps/step.ts";
import type { Basis } from "../steps/generated.ts";
import type { Description, Tool } from "../../requests/description.ts";

const ID = (letter: string): string => `nearby_${letter.repeat(40)}`;
const KEY = (letter: string): string => `svc_test_${letter.repeat(49)}`;
const STEPS: readonly Step[] = [
  request("getNearby", "/v1/nearby"),
  request("executeCapability", "/v1/capabilities", { body: {} }),
  request("tool geocode", "/mcp", { body: {} }),
].map((step, n) => ({ ...step, label: `step ${n}` }));

/** A program that is none: its answers, with ids of this run. */
function answersOf(letter: string, change: (reply: Reply, n: number) => Reply = (reply) => reply) {
  const headers = [
    ["Date", `Tue, 0${letter.charCodeAt(0) % 10} Mar`],
    ["Cache-Control", "no-store"],
    ["X-Request-Id", `${letter.repeat(6)}-1a`],
    ["ETag", `"${letter.repeat(12)}"`],
  ] as const;
  const bodies = [
    `{"a":1,"b":[2,"\u00c3\u00a9"]}`,
    `{"id":"${ID(letter)}","other":"${ID("z")}","again":"${ID(letter)}","request":"${letter.repeat(6)}-1a"}`,
    `{"error":{"code":-32602,"message":"unknown tool"}}`,
  ];
  const replies = bodies.map((body, n): Reply => {
    // The tag of a body without random ids is no random one.
    const own =
      n === 1 ? headers : headers.map(([k, v]) => [k, k === "ETag" ? '"same-tag"' : v] as const);
    return change({ status: 200, headers: own, body }, n);
  });
  let next = 0;
  return { program: { keys: [KEY(letter)] }, send: () => Promise.resolve(replies[next++]!) };
}

async function recordOf(...args: Parameters<typeof answersOf>): Promise<Recording> {
  const entries = await askAll(STEPS, answersOf(...args), Promise.resolve(new Map()));
  return { format: 1, stages: [{ stage: "fake", entries }] };
}

test("two runs of one program are equal, though ids, times and tags of such bodies are not", async () => {
  assert.deepEqual(compareRecordings(await recordOf("a"), await recordOf("b")), []);
});

const only =
  (at: number, change: (reply: Reply) => Reply) =>
  (reply: Reply, n: number): Reply =>
    n === at ? change(reply) : reply;
const inHeaders =
  (change: (pairs: (readonly [string, string])[]) => (readonly [string, string])[]) =>
  (reply: Reply): Reply => ({ ...reply, headers: change([...reply.headers]) });
const inBody =
  (from: string, to: string) =>
  (reply: Reply): Reply => ({ ...reply, body: reply.body.replace(from, to) });

const PLANTED: readonly [what: string, at: number, change: (reply: Reply) => Reply][] = [
  ["status", 0, (reply) => ({ ...reply, status: 201 })],
  ["header Cache-Control", 0, inHeaders((all) => all.with(1, ["Cache-Control", "no-storf"]))],
  ["header Cache-Control", 0, inHeaders((all) => all.with(1, ["cache-control", "no-store"]))],
  ["header Cache-Control", 0, inHeaders((all) => all.toSpliced(1, 1))],
  ["header Vary", 0, inHeaders((all) => [...all, ["Vary", "*"]])],
  ["header ETag", 0, inHeaders((all) => all.with(3, ["ETag", '"other"']))],
  ["header X-Request-Id", 0, inHeaders((all) => all.with(2, ["X-Request-Id", "not one of ours"]))],
  ["order of headers", 0, inHeaders(([date, ...rest]) => [...rest, date!])],
  ["body", 0, inBody('{"a":1,"b":[2,"\u00c3\u00a9"]}', '{"b":[2,"\u00c3\u00a9"],"a":1}')],
  ["body", 0, inBody("\u00a9", "\u00a8")],
  ["body", 0, inBody("}", "} ")],
  // Another id than the one before, where it was the same, and the same where it was another.
  ["body", 1, inBody(`"again":"${ID("b")}"`, `"again":"${ID("c")}"`)],
  ["body", 1, inBody(ID("z"), ID("b"))],
  ["body", 1, inBody('"request":"bbbbbb-1a"', '"request":"bbbbbb-1b"')],
  ["body", 2, inBody("-32602", "-32603")],
];

for (const [n, [what, at, change]] of PLANTED.entries())
  test(`planted difference ${n + 1} is seen: ${what}`, async () => {
    const [before, after] = [await recordOf("a"), await recordOf("b", only(at, change))];
    const match = compareRecordings(before, after);
    assert.deepEqual(
      match.map((each) => [each.what, each.step.part]),
      [[what, STEPS[at]!.part]],
    );
  });

test("an answer that is missing, and another request in its place, are differences", async () => {
  const [before, after] = [await recordOf("a"), await recordOf("a")];
  after.stages[0]!.entries.pop();
  assert.deepEqual(
    compareRecordings(before, after).map(({ what }) => what),
    ["requests"],
  );
  const entries = after.stages[0]!.entries.toReversed();
  const swapped = { ...after, stages: [{ stage: "fake", entries }] };
  assert.equal(compareRecordings(before, swapped).length, 3);
  assert.equal(compareRecordings(before, { ...after, stages: [] }).length, 3);
});

test("an expected difference is none, needs its reason, and hides nothing else", async () => {
  const row: Expected = {
    ...{ part: "getNearby", before: "\u00e9", after: "e" },
    reason: "accents are left out",
  };
  const before = await recordOf("a");
  const differ = async (input: Expected, change: (reply: Reply) => Reply): Promise<string[]> => {
    const after = await recordOf("b", only(0, change));
    const match = compareRecordings(before, after, [checkExpected(input, 0)]);
    return match.map(({ what }) => what);
  };
  const accent = inBody("\u00c3\u00a9", "e");
  assert.deepEqual(await differ(row, accent), []);
  assert.deepEqual(await differ({ ...row, part: "getMe" }, accent), ["body"]);
  const more = (reply: Reply): Reply => inBody('"a":1', '"a":2')(accent(reply));
  assert.deepEqual(await differ(row, more), ["body"]);
  const status: Expected = { ...row, in: "status", before: "200", after: "404" };
  assert.deepEqual(await differ(status, (reply) => ({ ...reply, status: 404 })), []);
  const header: Expected = { ...row, in: "header Vary", before: null, after: "*" };
  assert.deepEqual(
    await differ(
      header,
      inHeaders((all) => [["Vary", "*"], ...all]),
    ),
    [],
  );
  const unused = checkExpected({ ...row, before: "not there" }, 0);
  compareRecordings(before, before, [unused]);
  assert.equal(unused.used, 0);
  assert.throws(() => checkExpected({ ...row, reason: "" }, 2), /row 3: needs a reason/);
});

test("a recording is the same after its file, with each body once", async () => {
  const recording = await recordOf("a");
  const packed = packRecording(recording);
  assert.deepEqual(unpackRecording(packed), recording);
  assert.throws(() => unpackRecording(packRecording({ ...recording, format: 2 as 1 })), /format 2/);
});

test("requests use the ids of earlier answers by their names", async () => {
  const sent: string[] = [];
  const later: Draft = { ...request("readDataset", "/x"), label: "later" };
  const use: Draft = ({ datasets }) => ({ ...later, target: `/${datasets[0]!.id}` });
  const ask = async (letter: string, drafts: readonly Draft[]) => {
    const body = `{"dataset":{"id":"${ID(letter)}","version":"1"}}`;
    const reply: Reply = { status: 200, headers: [], body };
    const send = (step: Step): Promise<Reply> => {
      sent.push(step.to === "api" ? step.target : "");
      return Promise.resolve(reply);
    };
    return askAll(drafts, { program: { keys: [] }, send }, Promise.resolve(new Map()));
  };
  const first = await ask("a", [STEPS[0]!, use]);
  await ask(
    "b",
    first.map(({ step }) => step),
  );
  assert.deepEqual(sent, ["/v1/nearby", `/${ID("a")}`, "/v1/nearby", `/${ID("b")}`]);
});

test("headers are taken in the order and case in which a server sent them", async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200, ["Zebra", "1", "apple", "2", "Zebra", "3"]).end("x");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const agent = new Agent();
  t.after(() => (agent.destroy(), server.close()));
  const { port } = server.address() as AddressInfo;
  const reply = await sendHttp(`http://127.0.0.1:${port}`, request("", "/"), agent);
  const own_headers = reply.headers.filter(([name]) => /zebra|apple/i.test(name));
  assert.deepEqual(own_headers, [
    ["Zebra", "1"],
    ["apple", "2"],
    ["Zebra", "3"],
  ]);
});

const description = JSON.parse(readFileSync("openapi.json", "utf8")) as Description;
const tools = Object.entries(AGENT_TOOLS).map(([name, tool]: [string, AgentTool]) => ({
  name,
  inputSchema: toInputSchema(tool.parameters) as Tool["inputSchema"],
}));

/** Each operation and tool comes up six times. */
const REQUESTS = 420;

/** Steps of all stages, those that are made of answers left out. */
function listSteps(input: Pick<Basis, "description" | "tools">): Step[][] {
  const program = { keys: [KEY("a")] } as never;
  const basis = { ...input, stations: [], keys: [KEY("a")] };
  const memory = { datasets: [], entries: [] };
  const amount = { seed: 1, count: REQUESTS };
  return STAGES.map((stage) =>
    stage
      .make({ basis, program, sources: ["gbfs"] }, amount)
      .map((draft) => (typeof draft === "function" ? draft(memory) : draft))
      .filter((step) => step !== null),
  );
}

const STAGE_STEPS = listSteps({ description, tools });
const PARTS = STAGE_STEPS.flat().map(({ part }) => part);

test("every operation, tool, prompt, command and admin route is asked", () => {
  const plans = Object.fromEntries(SHIPPED_PLANS.map((plan) => [plan.name, plan]));
  const routes = listAdminRoutes({ plans } as never).map(
    ({ method, path }) => `admin ${method} ${path}`,
  );
  assert.deepEqual(listUncovered(listSubjects(), PARTS), []);
  assert.deepEqual(listUncovered(routes, PARTS, 1), []);
  // With 2,000 generated requests there are far more than that.
  assert.ok(PARTS.length > REQUESTS + 1_000, String(PARTS.length));
});

test("an operation, a tool, a prompt and a command without requests are named", () => {
  for (const subject of ["getNearby", "tool geocode", "prompt ride_there", "vicinity usage"]) {
    const others = PARTS.filter((part) => part !== subject);
    assert.deepEqual(listUncovered(listSubjects(), others), [subject]);
  }
});

test("a new operation is asked as soon as it is described", () => {
  const path = { get: { operationId: "getPlanted", parameters: [], responses: {} } };
  const planted = { ...description, paths: { ...description.paths, "/v1/planted": path } };
  const parts = listSteps({ description: planted, tools: [] }).flat();
  const names = parts.map(({ part }) => part);
  assert.deepEqual(listUncovered(["getPlanted"], names), []);
});

test("labels are unique in a stage, since answers are known by them", () => {
  for (const steps of STAGE_STEPS)
    assert.equal(new Set(steps.map(({ label }) => label)).size, steps.length);
});

test("codes of errors that no answer had are listed", async () => {
  const recording = await recordOf(
    "a",
    only(0, (r) => ({ ...r, body: '{"code":"not_found"}' })),
  );
  const unmet = listUnmetCodes(recording);
  assert.ok(!unmet.includes("not_found") && unmet.includes("invalid_request"));
});
