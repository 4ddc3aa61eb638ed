/** Mutated capability bodies and messages of /mcp against a service; every outcome must be a published one. */
import { createDice, type Dice } from "../dice.ts";
import { listOperations } from "../requests/description.ts";
import { createRequests, type Shares } from "../requests/requests.ts";
import { readDescription } from "../requests/run.ts";
import { createJudge, type Judge } from "./judge.ts";
import { mutate } from "./mutate.ts";

export type MutationRun = {
  url: string;
  keys: readonly string[];
  seed: number;
  requests: number;
  onProgress?: (done: number) => void;
};

export type MutationTally = {
  requests: number;
  /** By operation or tool that was mutated; by mutation; by outcome. */
  of: Map<string, number>;
  by: Map<string, number>;
  outcomes: Map<string, number>;
  failed: number;
  /** The first few. */
  findings: string[];
};

const LANES = 8;
const FINDINGS_MAX = 10;
const TIMEOUT_MS = 20_000;
const BODY = "executeCapability";
/** Bodies of POST /v1/capabilities, of all. */
const BODY_SHARE = 0.4;
/** Revisions of /mcp that are sent, good ones and others; null: none. */
const REVISIONS = [
  null,
  null,
  "2025-11-25",
  "2025-06-18",
  "2026-07-28",
  "2024-11-05",
  "2099-01-01",
];
const STATELESS = "2026-07-28";
/** Put for the method of a message; none of them begins a stream. */
const METHODS = [
  ...["resources/read", "resources/templates/list", "prompts/list", "prompts/get", "ping"],
  ...["completion/complete", "logging/setLevel", "notifications/initialized", "server/discover"],
  ...["tasks/get", "sampling/createMessage", "tools/calls", "TOOLS/CALL", "", "__proto__"],
];

type Sent = {
  path: string;
  headers: Record<string, string>;
  bytes: Buffer;
  of: string;
  what: string;
};

export async function runMutations(run: MutationRun): Promise<MutationTally> {
  const { url, keys, seed, requests } = run;
  const { description, tools } = await readDescription(Number(new URL(url).port));
  // Of the described operations bodies alone; all tools and messages.
  const others = listOperations(description).filter(({ id }) => id !== BODY);
  const messages = tools.length + 4;
  const bodies = Math.ceil((messages * BODY_SHARE) / (1 - BODY_SHARE));
  const shares: Shares = { ...Object.fromEntries(others.map(({ id }) => [id, 0])), [BODY]: bodies };
  const source = createRequests(
    { description, tools },
    { seed, keys, faulty: 0, shares, near: 0.2 },
  );
  const judge = createJudge(description, tools);
  const tally: MutationTally = {
    ...{ requests: 0, of: new Map(), by: new Map(), outcomes: new Map(), failed: 0 },
    findings: [],
  };
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < requests) {
      const serial = next++;
      const dice = createDice(seed ^ 0x2545f491, serial);
      const { operation, target, headers, body } = source.make(serial, []);
      const [path = ""] = target.split("?");
      const made = toSent({ of: operation, path, headers, text: body!.toString() }, dice);
      await ask(run, judge, made, tally);
      run.onProgress?.(tally.requests);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return tally;
}

type Valid = { of: string; path: string; headers: Readonly<Record<string, string>>; text: string };

function toSent({ of, path, headers, text }: Valid, dice: Dice): Sent {
  if (path !== "/mcp") return { of, path, headers, ...mutate(text, dice) };
  const message = JSON.parse(text) as Record<string, unknown> & { params?: object };
  const revision = dice.pick(REVISIONS);
  const own: Record<string, string> = { ...headers };
  if (revision !== null) own["mcp-protocol-version"] = revision;
  if (revision === STATELESS) {
    own["mcp-method"] = String(message["method"]);
    const { name } = (message.params ?? {}) as { name?: string };
    if (name !== undefined) own["mcp-name"] = name;
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": STATELESS,
      "io.modelcontextprotocol/clientInfo": { name: "trial", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    message.params = { ...message.params, _meta: envelope };
  }
  if (dice.chance(0.1)) message["method"] = dice.pick(METHODS);
  if (dice.chance(0.03)) delete message["id"];
  return { of, path, headers: own, ...mutate(JSON.stringify(message), dice) };
}

async function ask(
  { url }: MutationRun,
  judge: Judge,
  sent: Sent,
  tally: MutationTally,
): Promise<void> {
  const { path, headers, bytes } = sent;
  let problem: string | null;
  let outcome = "no answer";
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const body = new Uint8Array(bytes);
    const response = await fetch(url + path, { method: "POST", headers, body, signal });
    const text = await response.text();
    const { status } = response;
    ({ outcome, problem } = judge(path, bytes, { status, headers: response.headers, text }));
    if (problem !== null) problem += ` (${status} ${text.slice(0, 300)})`;
  } catch (error) {
    const { cause } = error as { cause?: { message?: string } };
    problem = `no answer: ${String(error)} ${cause?.message ?? ""}`;
  }
  tally.requests++;
  count(tally.of, sent.of);
  count(tally.outcomes, outcome);
  for (const each of new Set(sent.what.split("; "))) count(tally.by, each);
  if (problem === null) return;
  tally.failed++;
  if (tally.findings.length < FINDINGS_MAX)
    tally.findings.push(
      `${sent.of} (${sent.what}): ${problem}\n  ${bytes.toString().slice(0, 600)}`,
    );
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
