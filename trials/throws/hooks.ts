/**
 * Loaded with `--import`, also by every thread: exported functions of src and packages begin with a question whether
 * a throw is planted in them. The plant of a thread is what the environment said when it was started.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { parseSync } from "oxc-parser";

/** `src/main/engine.ts#startCore`; null: nothing is planted. */
type Planting = { plant: string | null; reached: Set<string> };

const ROOT = new URL("../../", import.meta.url).href;
const PLANTED = ["src/", "packages/"].map((folder) => `${ROOT}${folder}`);

const planting: Planting = {
  plant: isMainThread ? null : (process.env["PLANTED"] ?? null),
  reached: new Set(),
};

Object.assign(globalThis, {
  planting,
  throwIfPlanted(name: string): void {
    planting.reached.add(name);
    if (planting.plant === name) throw new TypeError(`planted in ${name}`);
  },
});

/** Plants a throw in this thread, and in those that are started from now on; null: none. */
export function plantIn(name: string | null): void {
  planting.plant = name;
  planting.reached.clear();
  if (name === null) delete process.env["PLANTED"];
  else process.env["PLANTED"] = name;
}

/** Functions that were called in this thread since the last plant. */
export function listReached(): ReadonlySet<string> {
  return planting.reached;
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(".ts") || !PLANTED.some((folder) => url.startsWith(folder))) return loaded;
    const source = new TextDecoder().decode(loaded.source as Uint8Array);
    return { ...loaded, source: withQuestions(fileURLToPath(url), url.slice(ROOT.length), source) };
  },
});

type Span = { start: number; end: number };
type Declared = { type: string; id?: { name: string } | null; body?: Span | null };
type Statement = { type: string; declaration?: Declared | null };

function withQuestions(path: string, name: string, source: string): string {
  const { program } = parseSync(path, source);
  const bodies = (program.body as unknown as Statement[]).flatMap(({ type, declaration }) => {
    const isFunction = declaration?.type === "FunctionDeclaration" && declaration.body;
    return type === "ExportNamedDeclaration" && isFunction
      ? [{ at: declaration.body!.start + 1, of: declaration.id!.name }]
      : [];
  });
  let text = source;
  for (const { at, of } of bodies.toReversed())
    text = `${text.slice(0, at)}globalThis.throwIfPlanted?.(${JSON.stringify(`${name}#${of}`)});${text.slice(at)}`;
  return text;
}
