/** GET /openapi.json (§4.2): only the outline; the document describes itself. */
import { Type } from "typebox";
import { Text } from "./primitives.ts";

export const OpenApiDocument = Type.Object(
  {
    openapi: Type.String({ pattern: "^3\\.1\\." }),
    info: Type.Object({ title: Text, version: Text }, { additionalProperties: true }),
    paths: Type.Object({}, { additionalProperties: true }),
  },
  { title: "OpenApiDocument", description: "An OpenAPI 3.1 document.", additionalProperties: true },
);
