/** The reports by name: what each shows, its options, and its module. */
import type { NamedCommand } from "./named.ts";

/** Modules of this folder. */
export const REPORTS: Readonly<Record<string, NamedCommand & { module: string }>> = {
  gazetteer: {
    shows: "how well the gazetteer alone answers questions for cities (docs/lab/open-base.md)",
    options: "[FOLDER of geocoder-tester]",
    module: "gazetteer-report.ts",
  },
  geocoder: {
    shows: "shares of right answers of the geocoder of a base (docs/lab/open-base.md)",
    options: "[EXTRACT…] [--sample 600] [--misses 3] [--class NAME]",
    module: "geocoder-report.ts",
  },
  image: {
    shows: "that the image's contents start without Docker, and their size",
    options: "",
    module: "image.ts",
  },
  "mcp-conformance": {
    shows: "the conformance suites of the tool protocol against a sandbox (docs/agents.md)",
    options: "",
    module: "mcp-conformance.ts",
  },
  "mcp-inspect": {
    shows: "what the inspector of the tool protocol says of every tool (docs/agents.md)",
    options: "",
    module: "mcp-inspect.ts",
  },
  screenshots: {
    shows: "pictures of the map page, which it writes to docs/screenshots",
    options: "",
    module: "screenshots.ts",
  },
};
