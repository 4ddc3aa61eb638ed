/**
 * Whether an outcome is one that is published: of POST /v1/capabilities by /openapi.json and
 * docs/errors.md; of /mcp by docs/agents.md, docs/errors.md and the schemas that the tools list.
 */
import { readFileSync } from "node:fs";
import { type Description, listOperations, type Tool } from "../requests/description.ts";
import { compileSchemas } from "../requests/laws/schemas.ts";

type Outcome = { status: number; headers: Headers; text: string };
/** `outcome`: the name it is counted by; `problem`: why it is not a published one, or null. */
type Judged = { outcome: string; problem: string | null };
export type Judge = (path: string, sent: Buffer, outcome: Outcome) => Judged;

const DOCS = new URL("../../docs/", import.meta.url);
/** HTTP statuses of /mcp that docs/agents.md names, and those of every route. */
const MCP_STATUSES = new Set([200, 202, 400, 401, 403, 404, 405, 406, 408, 415, 429, 503]);
/** A defect: documented as such, and not to be met. */
const DEFECTS = new Set([-32_603]);

export function createJudge(description: Description, tools: readonly Tool[]): Judge {
  const schemas = compileSchemas(description, tools);
  const execute = listOperations(description).find(({ path }) => path === "/v1/capabilities")!;
  const errors = readErrors();
  const rpc_codes = readRpcCodes();

  function judgeError(status: number, body: Body): string | null {
    const code = String(body["error"]?.code);
    if (code === "internal") return "a defect";
    if (!errors.get(code)?.includes(status)) return `${code} with ${status} is not documented`;
    return schemas.componentProblem("Error", body);
  }

  function judgeCapability({ status, headers, text }: Outcome): Judged {
    const body = parse(text);
    const code = body?.["error"]?.code ?? body?.["observation"]?.status ?? "observation";
    const outcome = `capabilities ${status} ${code}`;
    if (body === null) return { outcome, problem: "no JSON" };
    if (status === 200) {
      const isDefect = JSON.stringify(body["observation"]?.errors ?? []).includes('"internal"');
      const problem = schemas.problem(execute.id, status, "application/json", body);
      return { outcome, problem: isDefect ? "a defect" : problem };
    }
    if (!execute.responses[status]) return { outcome, problem: `${status} is not documented` };
    if (status === 429 && !headers.get("retry-after"))
      return { outcome, problem: "no Retry-After" };
    return { outcome, problem: judgeError(status, body) };
  }

  function judgeResult(name: unknown, result: Body): Judged {
    const { isError, content, structuredContent } = result;
    if (!isError) {
      const outcome = "tool answered";
      const isTool = structuredContent !== undefined && tools.some((tool) => tool.name === name);
      return {
        outcome,
        problem: isTool ? schemas.toolProblem(String(name), structuredContent) : null,
      };
    }
    const error = parse(content?.[0]?.text ?? "")?.["error"];
    const code = String(error?.code);
    const outcome = `tool refused ${code}`;
    if (code === "internal") return { outcome, problem: "a defect" };
    const isKnown = errors.has(code) || FAILED.has(code) || OF_TOOLS.has(code);
    const problem = isKnown && typeof error?.message === "string" ? null : "not documented";
    return { outcome, problem };
  }

  function judgeMessage(sent: Buffer, { status, text }: Outcome): Judged {
    if (text === "") {
      const isEmpty = status === 202 || status === 405;
      return { outcome: `mcp ${status}`, problem: isEmpty ? null : "an empty body" };
    }
    const body = parse(text);
    if (body === null) return { outcome: `mcp ${status}`, problem: "no JSON" };
    if (body["jsonrpc"] === undefined) {
      const outcome = `mcp ${status} ${body["error"]?.code}`;
      return { outcome, problem: status === 200 ? "no message" : judgeError(status, body) };
    }
    const request = parse(sent.toString());
    const { id, error, result } = body;
    const own = request?.["id"];
    const isOwn = id === own || id === null || id === undefined;
    const wrong = body["jsonrpc"] !== "2.0" || !isOwn ? `the id is ${JSON.stringify(id)}` : null;
    if (error !== undefined) {
      const { code, message } = error;
      const isKnown = rpc_codes.has(code) && !DEFECTS.has(code) && typeof message === "string";
      const problem = isKnown ? wrong : `the code ${code} is not documented`;
      return { outcome: `mcp ${status} ${code}`, problem };
    }
    if (result === null || typeof result !== "object")
      return { outcome: `mcp ${status}`, problem: "neither result nor error" };
    const judged =
      request?.["method"] === "tools/call" ? judgeResult(request["params"]?.name, result) : null;
    return {
      outcome: judged?.outcome ?? `mcp ${status} result`,
      problem: judged?.problem ?? wrong,
    };
  }

  return (path, sent, outcome) => {
    if (path === "/v1/capabilities") return judgeCapability(outcome);
    const judged = judgeMessage(sent, outcome);
    const { status } = outcome;
    return MCP_STATUSES.has(status) ? judged : { ...judged, problem: `status ${status}` };
  };
}

/** Codes of an error observation (docs/capabilities.md), less the defect. */
const FAILED = new Set(["all_sources_failed", "deadline_exceeded", "no_sources_in_area"]);

/** Codes of tools alone: of places by their names, and of results by their ids (docs/agents.md). */
const OF_TOOLS = new Set([
  ...["ambiguous_place", "place_not_found"],
  ...["result_not_found", "result_unknown"],
]);

/** Statuses by code: the rows of docs/errors.md. */
function readErrors(): Map<string, number[]> {
  const text = readFileSync(new URL("errors.md", DOCS), "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\d, ]+) \|/gm)];
  if (rows.length < 20) throw new Error("docs/errors.md has no table of codes");
  return new Map(rows.map(([, code, statuses]) => [code!, statuses!.split(",").map(Number)]));
}

/** The codes of JSON-RPC that docs/agents.md names. */
function readRpcCodes(): Set<number> {
  const text = readFileSync(new URL("agents.md", DOCS), "utf8");
  const codes = [...text.matchAll(/-32\d{3}/g)].map(([code]) => Number(code));
  if (codes.length === 0) throw new Error("docs/agents.md names no codes");
  return new Set(codes);
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever came; what is missing is judged
type Body = Record<string, any>;

function parse(text: string): Body | null {
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, "")) as unknown;
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
