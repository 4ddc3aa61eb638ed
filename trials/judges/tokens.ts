/** Counts tokens as a model reads them (o200k). */
import { needJudges } from "./install.ts";

needJudges();
const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");

export { countTokens };

type Content = { type: string; text?: unknown };

/** Of one copy of a tool result. */
export function tokensOf({ content: [first] }: { content: readonly Content[] }): number {
  return countTokens(first?.type === "text" ? String(first.text) : "");
}
