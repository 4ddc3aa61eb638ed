/** Paths with parameters, as the table of operations writes them and as a router does. */
import type { Operation } from "#api/operation.ts";

/** Returns whether a segment is a parameter, `{name}`, and nothing else. */
function isHole(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}");
}

/**
 * Returns the path with those that are answered alike; and without its last segment, where that is
 * optional (§4.12a: `lang`).
 */
export function variantsOf({
  path,
  also = [],
  parameters,
}: Pick<Operation, "path" | "also" | "parameters">): string[] {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const isOptional = isHole(last) && !parameters[last.slice(1, -1)]!.required;
  return [path, ...(isOptional ? [path.slice(0, -last.length - 1)] : []), ...also];
}

/** Writes `/a/{b}` as the router has it: `/a/:b`. */
export function toRouterPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Returns the pattern of the texts that a segment has: `{y}.mvt` is some text and `.mvt`. */
export function toSegmentPattern(segment: string): string {
  const parts = segment.split(/(\{\w+\})/);
  return parts.map((part) => (isHole(part) ? "[^/]+" : RegExp.escape(part))).join("");
}
