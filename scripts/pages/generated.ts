/** Path from the root of the repository → the text that must be there. */
import { toOpenApiText } from "#http/openapi.ts";
import { dashboard } from "../deploy/dashboard.ts";
import { attributesPage } from "./attributes.ts";
import { clientModule } from "./client.ts";
import { changelogPage } from "./changelog.ts";
import { configJsonSchema } from "./config-schema.ts";
import { contractPage } from "./contract.ts";
import { errorsPage } from "./errors.ts";
import { identityPage } from "./identity.ts";
import { messagesPage } from "./messages.ts";
import { sourcesPage } from "./sources.ts";
import { trialsPage } from "./trials.ts";

export const GENERATED: Readonly<Record<string, () => string>> = {
  "openapi.json": toOpenApiText,
  "vicinity.schema.json": configJsonSchema,
  "client/client.js": clientModule,
  "CHANGELOG.md": changelogPage,
  "docs/attributes.md": attributesPage,
  "docs/contract.md": contractPage,
  "docs/errors.md": errorsPage,
  "docs/messages.md": messagesPage,
  "docs/identity.md": identityPage,
  "docs/sources.md": sourcesPage,
  "deploy/grafana/vicinity.json": dashboard,
  "trials/README.md": trialsPage,
};
