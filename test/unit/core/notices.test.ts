/** The JSON of notices, against that of the standard. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Notice,
  ofAbsent,
  ofFailure,
  ofListCut,
  ofPageCut,
  ofPartlyCovered,
  ofSourceCut,
  ofUncovered,
  ofUnheld,
  ofUnstored,
  ofUnread,
  ofUnserved,
  ofUnsurveyed,
  toEnded,
  toNoticeJson,
} from "#core/notices.ts";
import { anyText } from "../../support/any-text.ts";

const names = anyText();
const count = fc.nat();
const cuts = fc.record({ shown: count, total: count, within_m: count });

const notices: fc.Arbitrary<Notice> = fc.oneof(
  fc
    .tuple(names, fc.option(count))
    .map(([name, age_s]) => ofFailure(name, { status: "error", reason: "http_500" }, age_s)),
  names.map(ofUncovered),
  names.map(ofPartlyCovered),
  names.map(ofAbsent),
  names.map((name) => ofUnread(name, null)),
  names.map((name) => ofUnread(name, "unreachable")),
  fc.array(names).map(ofUnserved),
  fc.array(names).map(ofUnheld),
  fc.array(names, { minLength: 1 }).map(ofUnstored),
  count.map(ofUnsurveyed),
  fc.tuple(names, cuts).map(([name, cut]) => ofSourceCut(name, "parking", { ...cut, total: null })),
  fc.tuple(cuts, count, names).map(([cut, from, next]) => ofPageCut({ ...cut, from }, next)),
  cuts.map((cut) => ofListCut("lines", cut)),
);

test("written member by member, a notice is the JSON that the standard makes of it", () => {
  fc.assert(
    fc.property(notices, (notice) => {
      assert.equal(toNoticeJson(notice), JSON.stringify(notice));
      assert.equal(toNoticeJson(toEnded(notice)), JSON.stringify(toEnded(notice)));
    }),
  );
});
