/** The server that is measured: any that speaks the Model Context Protocol, over HTTP or standard streams. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Answer, Call, Tool } from "../../trials/agent-tasks/driver.ts";

export type MeasuredServer = {
  readonly tools: readonly Tool[];
  readonly call: Call;
  close(): Promise<void>;
};

/** `command`: a program and its arguments, parted by spaces. */
export type Address = { readonly url: string } | { readonly command: string };

/** `countTokens`: of a text, as the model that is meant counts. */
export async function connectTo(
  address: Address,
  countTokens: (text: string) => number,
  headers: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const client = new Client({ name: "nearbench", version: "1" }, { capabilities: {} });
  await client.connect(toTransport(address, headers));
  const { tools } = await client.listTools();
  return {
    tools: tools as unknown as Tool[],
    close: () => client.close(),
    call: async (name, input): Promise<Answer> => {
      const reply = await client.callTool({ name, arguments: input });
      const [content] = reply.content;
      const text = content?.type === "text" ? content.text : "{}";
      const body = reply.structuredContent ?? parse(text);
      return {
        isError: reply.isError === true,
        body: body as Record<string, unknown>,
        tokens: countTokens(text),
      };
    },
  };
}

function toTransport(address: Address, headers: Readonly<Record<string, string>>) {
  if ("url" in address)
    return new StreamableHTTPClientTransport(new URL(address.url), {
      requestInit: { headers: { ...headers } },
    });
  const [command = "", ...args] = address.command.split(" ").filter((word) => word !== "");
  return new StdioClientTransport({ command, args });
}

/** Texts that are no JSON are one member. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : { text };
  } catch {
    return { text };
  }
}
