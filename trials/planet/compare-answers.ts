/** Answers of one service and another to the same question, and where they differ. */

export type Answer = { status: number; type: string; body: Buffer };
export type Unlike = { path: string; whole: string; paged: string };

/** What says when, or by which import, and not what. */
const UNEQUAL = new Set([
  "local_time",
  "imported_at",
  "version",
  "request_id",
  "generated_at",
  "elapsed_ms",
  "took_ms",
  "timestamp",
]);

export async function ask(url: string, target: string): Promise<Answer> {
  const reply = await fetch(url + target);
  const body = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, type: reply.headers.get("content-type") ?? "", body };
}

/** The first difference; null: there is none. */
export function findUnlike(whole: Answer, paged: Answer): Unlike | null {
  if (whole.status !== paged.status)
    return {
      path: "status",
      whole: `${whole.status} ${textOf(whole)}`,
      paged: `${paged.status} ${textOf(paged)}`,
    };
  if (whole.body.equals(paged.body)) return null;
  if (!/json/.test(whole.type)) {
    return {
      path: "bytes",
      whole: `${whole.body.length} bytes`,
      paged: `${paged.body.length} bytes`,
    };
  }
  return findIn(JSON.parse(whole.body.toString()), JSON.parse(paged.body.toString()), "");
}

/** Whether an answer has something to compare: results, a way, a tile that is not empty. */
export function hasContent({ status, type, body }: Answer): boolean {
  if (status !== 200 || body.length === 0) return false;
  if (!/json/.test(type)) return true;
  const match = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
  const { results, features, reached, meters } = match;
  const lists = [results, features, ...(isObject(results) ? Object.values(results) : [])];
  return (
    lists.some((list) => Array.isArray(list) && list.length > 0) ||
    typeof meters === "number" ||
    (isObject(reached) && Object.values(reached).some((family) => isObject(family)))
  );
}

function findIn(whole: unknown, paged: unknown, path: string): Unlike | null {
  if (isObject(whole) && isObject(paged)) {
    const names = new Set([...Object.keys(whole), ...Object.keys(paged)]);
    for (const name of names) {
      if (UNEQUAL.has(name)) continue;
      const unlike = findIn(
        whole[name],
        paged[name],
        Array.isArray(whole) ? `${path}[]` : `${path}.${name}`,
      );
      if (unlike !== null) return unlike;
    }
    return null;
  }
  return Object.is(whole, paged) ? null : { path, whole: show(whole), paged: show(paged) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const show = (value: unknown): string => (JSON.stringify(value) ?? "(absent)").slice(0, 300);

const textOf = ({ body }: Answer): string => body.toString().slice(0, 200);
