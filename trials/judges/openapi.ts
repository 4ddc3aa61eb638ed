/** Lints descriptions of APIs. */
import type { Problem } from "@redocly/openapi-core";
import { needJudges } from "./install.ts";

needJudges();
const { createConfig, lintFromString } = await import("@redocly/openapi-core");

/** What a set of rules has against a description. */
export async function lintDescription(
  source: string,
  rules: "minimal" | "recommended-strict",
): Promise<readonly Problem[]> {
  return lintFromString({ source, config: await createConfig({ extends: [rules] }) });
}
