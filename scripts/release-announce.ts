/** `npm run release:announce -- URL`: tells a portal of the committed release, as often as needed. */
import { PACKAGE_ROOT } from "#cli/releases.ts";
import { announce } from "./release/announce.ts";

const [url] = process.argv.slice(2);
if (url === undefined || URL.parse(url) === null) {
  console.error("usage: npm run release:announce -- URL (VICINITY_PORTAL_TOKEN: its token)");
  process.exit(2);
}
const token = process.env["VICINITY_PORTAL_TOKEN"] ?? null;
const told = await announce(PACKAGE_ROOT, { url, token, timeout_ms: 30_000 });
if (told.ok) console.log(`told of ${told.api_version} (${told.key})`);
else {
  console.error(`${told.problem}; the release stands, run this again`);
  process.exitCode = 1;
}
