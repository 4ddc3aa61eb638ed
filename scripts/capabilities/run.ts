/** Sends generated bodies to a listener over stubs and holds every reply to what must come of it. */
import assert from "node:assert/strict";
import { createDice } from "../../trials/dice.ts";
import { type Connection, headerOf, openConnection, type Reply } from "../fuzz/client.ts";
import { type Case, generateCase } from "./generate.ts";
import { createSchemaJudge, type SchemaJudge } from "./schema.ts";
import { Members, Raw, type Tree, write } from "./tree.ts";

export type Tally = {
  bodies: number;
  accepted: number;
  /** How often each kind occurred, and each code was answered. */
  labels: Map<string, number>;
  codes: Map<string, number>;
  /** Bodies of which schema and service say the same. */
  agreed: number;
  /** Kinds that the schema cannot refuse. */
  unsaid: Set<string>;
};

export type Wish = {
  port: number;
  seed: number;
  bodies: number;
  /** What was executed last, as it was understood; null: nothing since it was asked. */
  takeExecuted(): { correlation: unknown; policy: unknown; request: unknown } | null;
  onProgress?(done: number): void;
};

/** Fails with the number of the body, its text and the reason. */
export async function runBodies(wish: Wish): Promise<Tally> {
  const tally: Tally = {
    ...{ bodies: 0, accepted: 0, labels: new Map(), codes: new Map() },
    ...{ agreed: 0, unsaid: new Set() },
  };
  const fits = createSchemaJudge();
  let connection = await openConnection(wish.port);
  for (let index = 0; index < wish.bodies; index++) {
    const asked = generateCase(createDice(wish.seed, index));
    const isLarge = asked.refused?.code === "body_too_large";
    const used: Connection = isLarge ? await openConnection(wish.port) : connection;
    const [reply] = await used.exchange(toRequest(asked), ["POST"]);
    const problem = findProblem(asked, reply!, wish.takeExecuted());
    if (problem !== null) throw new Error(describe(index, asked, reply!, problem));
    count(tally, asked, reply!, fits);
    if (isLarge || headerOf(reply!, "connection") === "close") used.close();
    if (!isLarge && headerOf(reply!, "connection") === "close")
      connection = await openConnection(wish.port);
    wish.onProgress?.(index + 1);
  }
  connection.close();
  return tally;
}

function toRequest({ bytes, type, coding, chunked }: Case): Buffer {
  const half = bytes.length >> 1;
  const lines = [
    ...["POST /v1/capabilities HTTP/1.1", "Host: localhost"],
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...(coding === null ? [] : [`Content-Encoding: ${coding}`]),
    chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes.length}`,
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  if (!chunked) return Buffer.concat([head, bytes]);
  const parts = [bytes.subarray(0, half), bytes.subarray(half)].filter((part) => part.length > 0);
  const chunks = parts.flatMap((part) => [
    ...[Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")],
  ]);
  return Buffer.concat([head, ...chunks, Buffer.from("0\r\n\r\n")]);
}

function findProblem(
  { refused, valid }: Case,
  reply: Reply,
  executed: ReturnType<Wish["takeExecuted"]>,
): string | null {
  if (headerOf(reply, "cache-control") !== "no-store") return "it may be cached";
  if (refused !== null) {
    if (executed !== null) return "it was executed";
    if (reply.status !== 400) return `${reply.status} for 400`;
    const { error } = JSON.parse(reply.body.toString()) as { error: Record<string, string> };
    if (error["code"] !== refused.code) return `${error["code"]} for ${refused.code}`;
    const told = refused.names.some((name) => error["message"]!.includes(name));
    return told ? null : `the message tells none of ${refused.names.join(", ")}`;
  }
  if (reply.status !== 200) return `${reply.status} for 200`;
  if (executed === null) return "it was not executed";
  const body = valueOf(valid.body) as Record<string, unknown>;
  assert.deepEqual(executed.correlation, body["correlation"]);
  assert.deepEqual(executed.policy, body["freshness_policy"]);
  assert.deepEqual(executed.request, { capability: valid.form, args: valid.understood });
  return null;
}

function valueOf(tree: Tree): unknown {
  if (tree instanceof Raw || tree instanceof Members) return JSON.parse(write(tree)) as unknown;
  return tree;
}

function count(tally: Tally, asked: Case, reply: Reply, fits: SchemaJudge): void {
  const add = (map: Map<string, number>, name: string): void =>
    void map.set(name, (map.get(name) ?? 0) + 1);
  tally.bodies++;
  if (asked.refused === null) tally.accepted++;
  add(tally.labels, asked.label);
  add(tally.codes, asked.refused?.code ?? String(reply.status));
  const said = fits(asked.bytes);
  // No JSON: no schema is asked.
  if (said === null) return;
  if (asked.schema === "agrees") {
    assert.equal(
      said,
      asked.refused === null,
      `the schema on ${asked.label}: ${asked.bytes.toString()}`,
    );
    tally.agreed++;
  } else if (said) tally.unsaid.add(asked.label.split(" ")[0]!);
}

function describe(index: number, asked: Case, reply: Reply, problem: string): string {
  const text = asked.bytes.toString().slice(0, 2000);
  return `body ${index} (${asked.label}): ${problem}\n${asked.type} ${asked.coding}\n${text}\n${reply.status} ${reply.body.toString().slice(0, 500)}`;
}
