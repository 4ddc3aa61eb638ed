/** The map as hosts find and read it: a view of MCP Apps (SEP-1865, docs/agents.md). */
import { MAP_RESOURCE } from "#api/agent-tools.ts";

const MIME_TYPE = "text/html;profile=mcp-app";

/** The extension, as the server states it among its capabilities. */
export const VIEWS = { "io.modelcontextprotocol/ui": { mimeTypes: [MIME_TYPE] } };

/** It loads nothing, nests no frame, and has an edge of its own. */
const META = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: false,
  },
};

/** Its row in the list of resources. */
export const MAP_ROW = {
  uri: MAP_RESOURCE,
  name: "map",
  title: "Map of a stored search",
  description:
    "Draws what show_map answers, and the rest of its dataset. For hosts, not for models.",
  mimeType: MIME_TYPE,
  _meta: META,
};

/** Its contents; equal until the service is another version. */
export function toMap(text: string) {
  return { contents: [{ uri: MAP_RESOURCE, mimeType: MIME_TYPE, text, _meta: META }] };
}
