/** Asks over kept connections with a timeout; no reply is a result, too. */
import { Agent, request } from "node:http";
import type { Span } from "../check/verdict.ts";
import { nowMs } from "./clock.ts";

type Question = {
  method?: string;
  key?: string | null;
  body?: object;
  /** Of whom it comes: any address of the loopback. */
  from?: string;
};

export type TimedReply = Span & {
  /** null: no reply, or not all of it. */
  status: number | null;
  text: string;
  retry_after: boolean;
};

/** Whether a service refused the request because it is overloaded. */
export function isShed({ status, text }: Pick<TimedReply, "status" | "text">): boolean {
  return status === 503 && text.includes('"code":"overloaded"');
}

/** Whether a replica refused an unknown key because it cannot reach the key store (docs/accounts.md). */
export function isUnreached({ text }: Pick<TimedReply, "text">): boolean {
  return text.includes("the key store cannot be reached");
}

export type Asker = {
  ask(url: string, question?: Question): Promise<TimedReply>;
  close(): void;
};

export function createAsker({ timeout_ms = 3_000, sockets = 256 } = {}): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  return {
    ask: (url, question = {}) => ask(url, question, { agent, timeout_ms }),
    close: () => agent.destroy(),
  };
}

function ask(
  url: string,
  { method = "GET", key = null, body, from }: Question,
  { agent, timeout_ms }: { agent: Agent; timeout_ms: number },
): Promise<TimedReply> {
  const from_ms = nowMs();
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body && { "content-type": "application/json" }),
  };
  return new Promise((resolve) => {
    const end = (status: number | null, text: string, retry_after: boolean): void => {
      clearTimeout(late);
      resolve({ from_ms, to_ms: nowMs(), status, text, retry_after });
    };
    const fail = (error: Error): void => end(null, error.message, false);
    const how = { agent, method, headers, ...(from !== undefined && { localAddress: from }) };
    const query = request(url, how, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", fail);
      response.once("end", () =>
        end(
          response.statusCode ?? null,
          Buffer.concat(chunks).toString(),
          response.headers["retry-after"] !== undefined,
        ),
      );
    });
    const late = setTimeout(() => query.destroy(new Error("no reply in time")), timeout_ms);
    query.once("error", fail);
    query.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
