/** Which coding and which of our content types the caller accepts (RFC 9110 12.5.1, 12.5.3). */

export type Encoding = "br" | "gzip";

/** The best coding of ours that the caller asks for; null: send the body as it is. */
export function pickEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined || accepted === "") return null;
  const weights = toWeights(accepted);
  const any = weights.get("*") ?? 0;
  const br = weights.get("br") ?? any;
  const gzip = weights.get("gzip") ?? weights.get("x-gzip") ?? any;
  if (br <= 0 && gzip <= 0) return null;
  const best = Math.max(br, gzip);
  if ((weights.get("identity") ?? 0) > best) return null;
  return br === best ? "br" : "gzip";
}

/** Whether the caller asks for `gzip` by its name: where there is no better coding, as of streams. */
export function acceptsGzip(accepted: string | undefined): boolean {
  return (toWeights(accepted ?? "").get("gzip") ?? 0) > 0;
}

/** Whether a stream of events is what the caller reads: unless they name JSON, and no stream. */
export function wantsStream(accepted: string | undefined): boolean {
  if (accepted === undefined || accepted === "") return true;
  const weights = toWeights(accepted);
  if ((weights.get("text/event-stream") ?? 0) > 0) return true;
  return (weights.get("application/json") ?? 0) <= 0;
}

function toWeights(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.split(",")) {
    const [name = "", ...parameters] = part.split(";");
    const q = parameters.map((one) => one.trim()).find((one) => /^q=/i.test(one));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    weights.set(name.trim().toLowerCase(), Number.isFinite(weight) ? weight : 0);
  }
  return weights;
}
