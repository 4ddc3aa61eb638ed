/** Which types a caller of /mcp takes (RFC 9110 12.5.1). */

const RANGES: ReadonlySet<string> = new Set(["*/*", "application/*", "application/json"]);

/** Returns whether JSON will do; a caller that does not say takes anything. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === "") return true;
  return accept.split(",").some((part) => {
    const [range = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    return RANGES.has(range) && !parameters.some((each) => REFUSED.test(each));
  });
}

/** The weight of what is not wanted. */
const REFUSED = /^q=0(?:\.0{0,3})?$/;
