/** A service and a browser for the tests of one group. */
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { createFolder, removeFolder, start, type Started } from "../integration/service/support.ts";
import { openBrowser } from "./support.ts";

export type Site = { started: Started; url: string; browser: Browser };

export type SiteOptions = {
  /** Simulated cities; absent: those of most tests. */
  cities?: string;
  /** Points whose systems are woken first, so that each test sees a whole answer. */
  awake?: readonly string[];
  /** Whether the simulated world is imported as a base, so that ways on foot are known. */
  base?: boolean;
};

export const PARIS_POINT = "lat=48.8566&lon=2.3522";

/** Starts both before the tests of the group and ends them after; `ready` gets them. */
export function useSite(
  { cities, awake = [], base = false }: SiteOptions,
  ready: (site: Site) => void,
): void {
  let started: Started | undefined;
  let browser: Browser | undefined;
  before(async () => {
    const data_dir = await createFolder();
    started = await start({ data_dir, base, ...(cities === undefined ? {} : { cities }) });
    const { url } = started.service;
    // The first question wakes them, the second waits for what they have.
    for (const point of awake)
      for (let n = 0; n < 2; n += 1) await fetch(`${url}/v1/nearby?${point}`);
    browser = await openBrowser();
    ready({ started, url, browser });
  });
  after(async () => {
    await browser?.close();
    await started?.service.close({ delay_ms: 0 });
    if (started) await removeFolder(started.data_dir);
  });
}
