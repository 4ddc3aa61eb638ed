/**
 * Generated requests of every operation and tool that the service describes, valid and faulty, with
 * and without keys; then the same with the tags of their answers, and what lies behind the odd bytes
 * that no operation takes.
 */
import { createDice } from "../../dice.ts";
import type { Description, Tool } from "../../requests/description.ts";
import { makeMalformed } from "../../requests/malformed.ts";
import { type ApiRequest, createRequests } from "../../requests/requests.ts";
import type { Step } from "../recording.ts";
import type { Draft, HttpStep, Memory } from "./step.ts";

/** What the generated requests derive from: what a program publishes, and stations that it knows. */
export type Basis = {
  description: Description;
  tools: readonly Tool[];
  stations: readonly string[];
  keys: readonly string[];
};

export type Amount = { seed: number; count: number };

const FAULTY_SHARE = 0.4;
const NEAR_SHARE = 0.3;

export function generatedSteps(basis: Basis, { seed, count }: Amount): Draft[] {
  const { keys, stations } = basis;
  const options = { seed, keys, stations, faulty: FAULTY_SHARE, near: NEAR_SHARE };
  const source = createRequests(basis, options);
  return Array.from(
    { length: count },
    (_, serial): Draft =>
      ({ datasets }) =>
        toStep(source.make(serial, datasets), `request ${serial}`),
  );
}

function toStep({ operation, method, target, headers, body }: ApiRequest, label: string): HttpStep {
  const text = body === null ? null : body.toString("latin1");
  return { part: operation, label, to: "api", method, target, headers, body: text };
}

/** How a tag is sent back: as it came, weak, in a list, and with one that was never given. */
const CONDITIONS: readonly ((tag: string) => string)[] = [
  (tag) => tag,
  (tag) => `W/${tag.replace(/^W\//, "")}`,
  (tag) => `"none", ${tag}`,
  () => '"none"',
];

/** Up to `count` requests whose answers had a tag, again with the tag. */
export function conditionalSteps(count: number): Draft[] {
  return Array.from({ length: count }, (_, n) => (memory: Memory) => {
    const tagged = memory.entries.filter(isTagged).filter(isFirst);
    if (tagged.length === 0) return null;
    const { step, reply } = tagged[n % tagged.length]!;
    const [, tag] = reply.headers.find(([name]) => name.toLowerCase() === "etag")!;
    const value = CONDITIONS[Math.floor(n / tagged.length) % CONDITIONS.length]!(tag);
    const { headers, ...rest } = step as HttpStep;
    return {
      ...rest,
      label: `condition ${n}`,
      headers: { ...headers, "if-none-match": value },
    };
  });
}

function isTagged({ step, reply }: Memory["entries"][number]): boolean {
  const { status, headers } = reply;
  const isPlain = step.to === "api" && step.method === "GET" && !("if-none-match" in step.headers);
  return isPlain && status === 200 && headers.some(([name]) => name.toLowerCase() === "etag");
}

/** Of each path, the first ones are enough. */
function isFirst({ step }: Memory["entries"][number], at: number, all: Memory["entries"]): boolean {
  const same = all.slice(0, at).filter((each) => each.step.part === step.part);
  return same.length < TAGGED_OF_A_PART;
}

const TAGGED_OF_A_PART = 25;

/** Bytes that are no HTTP, and requests with some bytes changed. */
export function malformedSteps({ seed }: Amount, count: number): Step[] {
  const base: ApiRequest = {
    operation: "",
    method: "GET",
    target: "/v1/nearby?lat=48.8566&lon=2.3522&include=stations",
    headers: { accept: "application/json" },
    body: null,
    fault: null,
    refused: null,
  };
  return Array.from({ length: count }, (_, n) => {
    const { bytes, label } = makeMalformed(base, createDice(seed, n));
    const text = bytes.toString("latin1");
    return { part: `malformed: ${label}`, label: `malformed ${n}`, to: "socket", bytes: text };
  });
}
