/** A new filter of services, parking and charging: its row, its wish, and both have all readers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFiles, copyTree, filesOf } from "./tree.ts";

const ROW = `  min_rating: preview(
    numberParameter({
      minimum: 0,
      maximum: 5,
      default: 0,
      description: "Leaves out what is known to be rated lower.",
      example: "4",
    }),
  ),
} as const;

const ONE_PLUG`;

const WISH = `    ...(min_rating === 0 ? [] : [{ count: "rating", filter: "min_rating", fits: isRated(min_rating) } as const]),
  ];
}

function isRated(min_rating: number): (item: OpenItem) => boolean | null {
  return ({ attributes: { rating } }) => (typeof rating === "number" ? rating >= min_rating : null);
}
`;

const TEST = `
test("min_rating leaves out what is rated lower, and counts what is not rated", async () => {
  const places = [3, 4, undefined, 5].map((rating, i) =>
    at(String(rating), 10 * (i + 1), { attributes: rating === undefined ? {} : { rating } }),
  );
  const { body, ids } = await town([places], MONDAY).ask({ min_rating: 4 });
  assert.deepEqual([ids, body!.unknown], [["4", "undefined", "5"], { rating: 1 }]);
});
`;

const PROBE = `
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { COMMANDS } from "#cli/commands.ts";
import { CHARGING_PARAMETERS, FACILITY_PARAMETERS, SERVICES_PARAMETERS } from "#api/services.ts";
import { compileQuery } from "#http/validation.ts";
import { toInputSchema } from "#mcp/tool-schema.ts";
const ask = (parameters) => {
  const decoder = compileQuery({ parameters });
  return decoder.decode(decoder.scan("lat=1&lon=2&types=toilets&min_rating=6")).message;
};
const { options } = COMMANDS.find(({ name }) => name === "services");
console.log(JSON.stringify({
  refused: [SERVICES_PARAMETERS, FACILITY_PARAMETERS, CHARGING_PARAMETERS].map(ask),
  tool: toInputSchema(AGENT_TOOLS.find_urban_services.parameters).properties.min_rating.type,
  option: options.min_rating.help,
}));
`;

const COMPILED = ["packages/api", "src/app/places", "src/core/places", "test/unit/lookup"];

test("a filter of places takes five files", { timeout: 600_000 }, async (t) => {
  const tree = copyTree(t);
  tree.edit("packages/api/usable.ts", "} as const;\n\nconst ONE_PLUG", ROW);
  tree.edit("packages/api/usable.ts", '"access", "connector"]', '"access", "connector", "rating"]');
  tree.edit("src/app/places/place-wishes.ts", "min_kw }", "min_kw, min_rating }");
  tree.edit("src/app/places/place-wishes.ts", "  ];\n}\n", WISH);
  tree.edit(
    "test/unit/contract/tables.ts",
    '  access: "any|public default any",\n',
    '  access: "any|public default any",\n  min_rating: "number >=0 <=5 default 0",\n',
  );
  tree.edit(
    "packages/api/filter-match.ts",
    '"connector", "min_kw"]',
    '"connector", "min_kw", "min_rating"]',
  );
  const own_test = "test/unit/lookup/usable.test.ts";
  tree.edit(own_test, "const BORDERS:", `${TEST}\nconst BORDERS:`);
  checkFiles(tree, filesOf("a filter of services, parking and charging", ""), 5);
  const { code, out } = await tree.compile(...COMPILED);
  assert.equal(code, 0, out);
  const rule = "min_rating must be a number from 0 to 5";
  assert.deepEqual(await tree.probe(PROBE), {
    refused: [rule, rule, rule],
    tool: "number",
    option: "leaves out what is known to be rated lower (default: 0)",
  });
  await tree.generate();
  assert.match(tree.read("docs/cli.md"), /`services LAT,LON --types A,B \[[^\]]*--min_rating/);
  assert.match(tree.read("packages/client/index.d.ts"), /min_rating\?: number;/);
  for (const file of ["test/unit/contract/tables.test.ts", own_test]) await tree.pass(file);
});
