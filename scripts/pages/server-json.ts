/** Made of the package's version: the description of the server for registries of tool servers (docs/agents.md). */
import { readFileSync } from "node:fs";
import { MCP_OPERATION } from "#api/mcp-operation.ts";
import { API_KEY_HEADER, SERVER_SUMMARY } from "#api/mcp-server.ts";

/** `mcpName`: by which a registry knows that a package is that of a server. */
type Manifest = { name: string; mcpName: string; version: string };

const HOST = {
  description: "Host of the deployment, and its port where it is not 443.",
  placeholder: "vicinity.example",
  isRequired: true,
} as const;

/** Every deployment has its own host and keys, so both are variables that a host asks its user for. */
const toServer = ({ name, mcpName, version }: Manifest) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  // The top-level domain is reserved: a publisher puts a name of their own domain.
  name: mcpName,
  title: SERVER_SUMMARY.title,
  description: SERVER_SUMMARY.description,
  version,
  // What npm pack writes, once it is published under a name of their own.
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      runtimeHint: "npx",
      runtimeArguments: [{ type: "positional", value: "-y" }],
      packageArguments: [
        { type: "positional", value: "mcp" },
        {
          type: "named",
          name: "--url",
          description: "The deployment to ask.",
          value: "https://{host}",
          isRequired: true,
          variables: { host: HOST },
        },
      ],
      environmentVariables: [
        {
          name: "VICINITY_API_KEY",
          description: API_KEY_HEADER.description,
          isSecret: true,
          isRequired: false,
        },
      ],
      transport: { type: "stdio" },
    },
  ],
  remotes: [
    {
      type: "streamable-http",
      url: `https://{host}${MCP_OPERATION.path}`,
      variables: { host: HOST },
      headers: [API_KEY_HEADER],
    },
  ],
});

const MANIFEST = new URL("../../package.json", import.meta.url);

export function serverJson(): string {
  const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as Manifest;
  return `${JSON.stringify(toServer(manifest), null, 2)}\n`;
}
