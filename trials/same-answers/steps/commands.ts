/** The command line: the help of every command, what each prints, and how it refuses. */
import { COMMANDS } from "../../../src/cli/commands.ts";
import type { Step } from "../recording.ts";
import { aliasOf } from "../aliases.ts";
import { command, named, withLabels } from "./step.ts";

/** Files of the folder in which commands run (files.ts). */
export const FILES = { extract: "town.osm.pbf", timetable: "timetable.zip" } as const;

const ACCOUNT = "accounts create Trial --plan developer --sandbox --json";
const KEY = "keys create --plan free --name app --sandbox --json";
const PARIS = "48.8566,2.3522";
const SEARCHES: Readonly<Record<string, string>> = {
  nearby: "",
  services: " --types toilets,drinking_water",
  parking: "",
  charging: "",
  stations: "",
  departures: "",
};

/** What touches neither the store nor the service that runs, mostly how it is called wrongly. */
const APART: readonly string[] = [
  ...["", "help", "--help", "-h", "--version", "-v", "none", "--none", "help none", "keys"],
  ...[
    "help keys",
    "keys --help",
    "accounts -h",
    "help keys create",
    "keys none",
    "nearby --version",
  ],
  ...[
    "accounts create x --plan none --sandbox",
    "accounts create --sandbox",
    "accounts list extra",
  ],
  ...["keys create --plan none --sandbox", "keys create --sandbox", "keys revoke", "usage extra"],
  ...["keys create --plan free --expires x", "keys create --plan free --scopes x"],
  ...["usage --month 2026-13", "import none x --id a", "import osm x --id A/B", "bases --none"],
  ...["import addresses x --id a", "migrate extra", "backup", "restore", "changelog check"],
  ...["changelog check --json", "changelog check none.json", "openapi --url http://127.0.0.1:1"],
  ...["serve --none", "serve --config none.json", "sandbox --port x", "sandbox --seed -1"],
  ...Object.keys(SEARCHES),
  ...["nearby x", `nearby ${PARIS} --none`, `parking ${PARIS} --radius x`, `services ${PARIS}`],
  ...["geocode", "reverse x", "weather x", "explain x", "doctor extra", "mcp --none"],
  ...["quality", "quality x --url http://127.0.0.1:1"],
  ...["watch x", `watch ${PARIS} --bbox 1,2`, "watch 0,0 --once --url http://127.0.0.1:1"],
  ...["walk x", `walk ${PARIS}`, "reach x --minutes 10", `reach ${PARIS} --minutes 31`],
  ...[`nearby ${PARIS} --url http://127.0.0.1:1`, "doctor --url http://127.0.0.1:1"],
];

/** What each command is called with; `{…}` is an id of the answer to the command of that name. */
const LINES: readonly string[] = [
  // The store of the folder.
  // Several new accounts are listed in the order of their ids, which are random.
  ...[ACCOUNT, "accounts list --sandbox", "accounts list --sandbox --json", KEY],
  `accounts set {account ${ACCOUNT}} --plan business --sandbox`,
  `accounts set {account ${ACCOUNT}} --standing suspended --sandbox --json`,
  ...["accounts set acc_x --plan free --sandbox", `accounts set {account ${ACCOUNT}} --sandbox`],
  ...["keys list --sandbox", "keys list --sandbox --json", "keys create --plan free --expires 30d"],
  `keys rotate {key_id ${KEY}} --overlap 48h --sandbox --json`,
  ...["keys rotate key_x --sandbox", `keys rotate {key_id ${KEY}} --overlap 40d --sandbox`],
  ...[`keys revoke {key_id ${KEY}} --sandbox`, "keys revoke key_x --sandbox"],
  ...["usage --sandbox", "usage --sandbox --json --month 2026-03"],
  `import osm ${FILES.extract} --id town --sandbox --json`,
  `import osm ${FILES.extract} --id town --sandbox`,
  `import gtfs ${FILES.timetable} --id small --region Paris --sandbox --json`,
  `import gtfs ${FILES.timetable} --id small --sandbox`,
  ...["import osm none.pbf --id a --sandbox", `import gtfs ${FILES.extract} --id a --sandbox`],
  ...[
    `import osm ${FILES.timetable} --id a`,
    `import addresses ${FILES.timetable} --format ban --id a`,
  ],
  ...["bases --sandbox", "bases --sandbox --json"],
  ...["backup copy --sandbox", "backup copy --sandbox", "restore copy --sandbox", "restore none"],
  ...["migrate --sandbox", "migrate --sandbox --json"],
  ...[`accounts erase {account ${ACCOUNT}} --sandbox`, "accounts erase acc_x --yes --sandbox"],
  `accounts erase {account ${ACCOUNT}} --yes --sandbox`,
  `accounts export {account ${ACCOUNT}} --sandbox`,
  ...["openapi", "openapi --out file.json"],
  // The service that runs.
  ...Object.entries(SEARCHES).flatMap(([name, types]) => [
    ...[`${name} ${PARIS}${types}`, `${name} ${PARIS}${types} --json`],
  ]),
  ...[`nearby ${PARIS} --radius 150 --limit 3`, "nearby 91,0", "nearby 0,0"],
  ...[`places toilets,cafe ${PARIS}`, `places toilets ${PARIS} --json`, `places ${PARIS}`],
  ...["departures 0,0", "geocode Paris", "geocode Oberlinden --json"],
  ...["geocode nowhere-at-all-7731", `reverse ${PARIS}`],
  ...[`reverse ${PARIS} --json`, "reverse 0,0", `weather ${PARIS}`, `weather ${PARIS} --json`],
  ...[`walk ${PARIS} 48.86,2.36`, "walk 0,0 0,0.01 --json", `reach ${PARIS} --minutes 10`],
  ...[`reach ${PARIS} --minutes 5 --format geojson`, "reach 0,0 --minutes 5 --json"],
  ...["watch 0,0 --once", "watch 0,0 --once --json"],
  ...["weather 0,0", `explain ${PARIS}`, "explain 0,0 --json", "doctor --json", "doctor"],
];

const PING = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`;
const LIST = `${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "prompts/list" })}\n`;

export function commandSteps(): Step[] {
  const helps = COMMANDS.map(({ name }) => `${name} --help`);
  const apart = [...helps, ...APART].map((line) => ({ ...toCommand(line), apart: true as const }));
  const mcp = ["", "not json\n", PING + LIST].map((input) => command(["mcp"], input));
  return withLabels([...apart, ...LINES.map(toCommand), ...mcp]).map((step) => ({
    ...step,
    part: `vicinity ${nameOf(step)}`,
  }));
}

const toCommand = (line: string): Step => named(line, command(toArgs(line)));

/** The command of a line: its first two words where they are one. */
function nameOf(step: Step): string {
  if (step.to !== "shell") return "";
  const [first = "", second = ""] = step.args;
  const both = `${first} ${second}`;
  const names = COMMANDS.map(({ name }) => name);
  return names.includes(both) ? both : names.includes(first) ? first : "(no command)";
}

function toArgs(line: string): string[] {
  const holes: string[] = [];
  const plain = line.replaceAll(/\{(\w+) ([^}]*)\}/g, (_, kind: string, label: string) => {
    holes.push(aliasOf(kind, label));
    return `{${holes.length - 1}}`;
  });
  return plain
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.replaceAll(/\{(\d+)\}/g, (_, at: string) => holes[Number(at)]!));
}
