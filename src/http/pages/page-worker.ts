/**
 * The service worker of the map page (docs/explorer.md, Kept in the browser). What it keeps is what the page names:
 * each address of a file in its text. Its version is that of this text, so that a browser sees another
 * worker as soon as the page, a file or a setting is another one.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Asset, createAsset } from "./asset.ts";
import { WORKER_POLICY } from "./page-policy.ts";

/** Above all that it answers: a worker serves what is below its path. */
export const WORKER_PATH = "/service-worker.js";

const FILE = new URL("../../../explorer/service-worker.js", import.meta.url);
const PLACE = "{{offline}}";

export type WorkerSource = {
  /** The page. */
  html: Buffer;
  /** Folder of its files, and the addresses of those. */
  base: string;
  paths: readonly string[];
  /** false: the worker removes itself, and what it kept. */
  isOn: boolean;
};

export function createWorker(
  { html, base, paths, isOn }: WorkerSource,
  onFault: (error: unknown) => void,
): Asset {
  const version = createHash("sha256").update(html).digest("hex").slice(0, 12);
  const named = html.toString();
  const files = isOn ? paths.filter((path) => named.includes(path)) : [];
  const settings = JSON.stringify(JSON.stringify({ isOn, version, base, files })).slice(1, -1);
  const text = readFileSync(FILE, "utf8");
  const body = Buffer.from(text.replace(PLACE, () => settings));
  const type = "text/javascript; charset=utf-8";
  const source = { type, policy: WORKER_POLICY, cache: "no-cache", read: () => body };
  return createAsset(source, onFault);
}
