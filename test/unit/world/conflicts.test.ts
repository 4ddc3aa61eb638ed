/** What feeds say otherwise of one vehicle: unknown contradicts nothing, on either side. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { vehicleConflicts } from "#world/vehicles/conflicts.ts";
import { aShard, aVehicle } from "../../support/domain.ts";

type Flag = boolean | null;
const FLAGS: readonly Flag[] = [true, false, null];

const sighting = (id: string, is_reserved: Flag, is_disabled: Flag) => ({
  shard: aShard({ id, vehicles: [aVehicle(id, { is_reserved, is_disabled })] }),
  row: 0,
});

const read = (text: string) =>
  JSON.parse(`[${text}]`) as { field: string; value: Flag; others: { value: Flag }[] }[];

test("a conflict is one of two that are known, and they differ", () => {
  for (const shown of FLAGS)
    for (const other of FLAGS) {
      const differ = shown !== null && other !== null && shown !== other;
      const expected = differ ? [[shown, [other]]] : [];
      for (const [field, own, others] of [
        ["is_reserved", sighting("a", shown, null), sighting("b", other, null)],
        ["is_disabled", sighting("a", null, shown), sighting("b", null, other)],
      ] as const) {
        const found = read(vehicleConflicts(own, [others, sighting("c", null, null)]));
        assert.deepEqual(
          found.map((each) => [each.value, each.others.map(({ value }) => value)]),
          expected,
        );
        for (const each of found) assert.equal(each.field, field);
      }
    }
  const [reserved, disabled] = read(
    vehicleConflicts(sighting("a", true, false), [
      sighting("b", false, true),
      sighting("c", true, true),
    ]),
  );
  assert.deepEqual([reserved!.others.length, disabled!.others.length], [1, 2]);
});
