/** The grammar of wishes: what is read, and what a refusal says. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { WISH_KINDS } from "#api/wishes.ts";
import { readNeeds, readWish, type Wish } from "#core/wishes/read-wish.ts";
import { anyText } from "../../../support/any-text.ts";
import { tries } from "../../../support/size.ts";

function read(text: string): Wish {
  const result = readWish(text);
  return result.ok ? result.wish : assert.fail(`${text}: ${result.message}`);
}

function refusal(text: string): string {
  const result = readWish(text);
  return result.ok ? assert.fail(text) : result.message;
}

describe("wishes", () => {
  test("a kind, its options, its bounds, where to, and how near", () => {
    const charger = read("charger:CCS2:free>=50kW");
    assert.deepEqual(charger.connectors, ["CCS2"]);
    assert.deepEqual([...charger.options], ["free"]);
    assert.deepEqual(charger.least, { kW: 50 });
    assert.deepEqual(read("charger:type2:gbt").connectors, ["Type 2", "GB/T"]);
    assert.deepEqual(read(" Toilet:wheelchair ").kind, WISH_KINDS["toilet"]);
    const tram = read("tram>Fährsteg:last");
    assert.deepEqual([tram.toward, [...tram.options]], ["Fährsteg", ["last"]]);
    assert.deepEqual(read("scooter>=60%").least, { "%": 60 });
    assert.deepEqual(read("bike:dock>=6").least, { "": 6 });
    assert.deepEqual(read("toilet>=90min~5min").near, { amount: 5, unit: "min" });
    assert.deepEqual(read("bike~400m").near, { amount: 400, unit: "m" });
  });

  test("what is none is refused by the rule that it breaks, with the nearest that is one", () => {
    assert.match(refusal("toilets"), /must begin with a kind, did you mean toilet\?/);
    assert.match(refusal("pizza"), /known are toilet, water/);
    assert.match(refusal("wheelchair toilet"), /did you mean toilet:wheelchair\?/);
    assert.match(refusal("electric bikes"), /did you mean bike:electric\?/);
    assert.match(refusal("dock>=3"), /did you mean bike:dock\?/);
    assert.match(refusal("two words"), /known are toilet, water/);
    assert.match(refusal("toilet:wheelchairs"), /"wheelchairs": did you mean toilet:wheelchair\?/);
    assert.match(refusal("charger:CCS3"), /did you mean charger:ccs/);
    assert.match(refusal("tram>=5"), /has a bound, which tram has not/);
    assert.match(refusal("charger>=50"), /such as charger>=10kW or charger>=10min/);
    assert.match(refusal("bike>Central"), /goes nowhere: only public transport/);
    assert.match(refusal("toilet~near"), /such as ~400m or ~5min/);
    assert.match(refusal("toilet::open"), /must be written KIND/);
    assert.match(refusal(""), /must begin with a kind/);
    assert.match(refusal(`toilet${":open".repeat(40)}`), /longer than 80 characters/);
    assert.match(refusal("constructor"), /must begin with a kind/);
  });

  test("no text throws", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const each of [text, `bike:${text}`, `tram>${text}`, `toilet~${text}`]) readWish(each);
      }),
      { numRuns: tries(200) },
    );
  });
});

test("needs: who walks without steps, and how much may be spent", () => {
  const read_needs = readNeeds(["luggage", "budget:3.50"]);
  assert.deepEqual(read_needs, {
    ok: true,
    needs: { wheelchair: false, step_free: true, budget: 3.5 },
  });
  const wheelchair = readNeeds(["wheelchair"]);
  assert.ok(wheelchair.ok && wheelchair.needs.wheelchair && wheelchair.needs.step_free);
  for (const word of ["budget", "dog", "budget:much", "toString"])
    assert.match((readNeeds([word]) as { message: string }).message, /is none of wheelchair/);
});
