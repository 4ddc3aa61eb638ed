/** Made of the package's version: the description of the server for registries of tool servers (docs/agents.md). */
import { readFileSync } from "node:fs";
import { MCP_OPERATION } from "#api/mcp-operation.ts";
import { API_KEY_HEADER, SERVER_SUMMARY } from "#api/mcp-server.ts";

/** Every deployment has its own host and keys, so both are variables that a host asks its user for. */
const toServer = (version: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  // The top-level domain is reserved: a publisher puts a name of their own domain.
  name: "example.vicinity/vicinity",
  title: SERVER_SUMMARY.title,
  description: SERVER_SUMMARY.description,
  version,
  remotes: [
    {
      type: "streamable-http",
      url: `https://{host}${MCP_OPERATION.path}`,
      variables: {
        host: {
          description: "Host of the deployment, and its port where it is not 443.",
          placeholder: "vicinity.example",
          isRequired: true,
        },
      },
      headers: [API_KEY_HEADER],
    },
  ],
});

const MANIFEST = new URL("../../package.json", import.meta.url);

export function serverJson(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string };
  return `${JSON.stringify(toServer(version), null, 2)}\n`;
}
