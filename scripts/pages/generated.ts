/** Path from the root of the repository → the text that must be there. */
import { readFileSync } from "node:fs";
import { toOpenApiText } from "#http/openapi.ts";
import { dashboard } from "../deploy/dashboard.ts";
import { lockfileText } from "../deploy/lockfile.ts";
import { noticeText } from "../licences/notice.ts";
import { sbomText } from "../licences/sbom.ts";
import { attributesPage } from "./attributes.ts";
import { clientDeclarations } from "../client/declarations.ts";
import { clientModule } from "../client/module.ts";
import { elementModule } from "../element/module.ts";
import { cliPage } from "./cli.ts";
import { borderTowns } from "./border-towns.ts";
import { classWordsJson } from "./class-words.ts";
import { changelogPage } from "./changelog.ts";
import { configJsonSchema } from "./config-schema.ts";
import { contractPage } from "./contract.ts";
import { errorsPage, errorsTable } from "./errors.ts";
import { identityPage } from "./identity.ts";
import { messagesPage } from "./messages.ts";
import { serverJson } from "./server-json.ts";
import { sourcesPage } from "./sources.ts";
import { trialsPage } from "./trials.ts";
import { worldLabels } from "./world-labels.ts";

const LICENCE = new URL("../../LICENSE", import.meta.url);

export const GENERATED: Readonly<Record<string, () => string>> = {
  NOTICE: noticeText,
  "sbom.cdx.json": sbomText,
  "openapi.json": toOpenApiText,
  "package-lock.json": () => lockfileText("package-lock.json"),
  "trials/judges/package-lock.json": () => lockfileText("trials/judges/package-lock.json"),
  "vicinity.schema.json": configJsonSchema,
  "packages/client/index.js": clientModule,
  "packages/client/index.d.ts": clientDeclarations,
  "packages/client/LICENSE": () => readFileSync(LICENCE, "utf8"),
  "packages/map-element/vicinity-map.js": elementModule,
  "packages/map-element/LICENSE": () => readFileSync(LICENCE, "utf8"),
  "server.json": serverJson,
  "CHANGELOG.md": changelogPage,
  "docs/cli.md": cliPage,
  "docs/attributes.md": attributesPage,
  "docs/contract.md": contractPage,
  "docs/errors.md": errorsPage,
  "explorer/docs/errors.json": errorsTable,
  "explorer/data/class-words.json": classWordsJson,
  "docs/messages.md": messagesPage,
  "docs/identity.md": identityPage,
  "docs/sources.md": sourcesPage,
  "deploy/grafana/vicinity.json": dashboard,
  "trials/README.md": trialsPage,
  "src/http/pages/world-labels.json": worldLabels,
  "src/app/border-towns.json": borderTowns,
};
