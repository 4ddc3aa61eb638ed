/** Writes vicinity.schema.json from the schema that validates the configuration. */
import { writeFileSync } from "node:fs";
import { configJsonSchema } from "#config/json-schema.ts";

writeFileSync(new URL("../vicinity.schema.json", import.meta.url), configJsonSchema());
