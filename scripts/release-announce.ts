/** `npm run release:announce -- URL`: notifies a portal of the committed release, repeatably. */
import { PACKAGE_ROOT } from "#cli/releases.ts";
import { announce } from "./release/announce.ts";

const [url] = process.argv.slice(2);
if (url === undefined || URL.parse(url) === null) {
  console.error("usage: npm run release:announce -- URL (VICINITY_PORTAL_TOKEN: its token)");
  process.exit(2);
}
const token = process.env["VICINITY_PORTAL_TOKEN"] ?? null;
const announced = await announce(PACKAGE_ROOT, { url, token, timeout_ms: 30_000 });
if (announced.ok) console.log(`announced ${announced.api_version} (${announced.key})`);
else {
  console.error(`${announced.problem}; the release is valid, run this again`);
  process.exitCode = 1;
}
