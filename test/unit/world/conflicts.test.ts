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
  for (const listed of FLAGS)
    for (const other of FLAGS) {
      const differ = listed !== null && other !== null && listed !== other;
      const expected = differ ? [[listed, [other]]] : [];
      for (const [field, own, others] of [
        ["is_reserved", sighting("a", listed, null), sighting("b", other, null)],
        ["is_disabled", sighting("a", null, listed), sighting("b", null, other)],
      ] as const) {
        const match = read(vehicleConflicts(own, [others, sighting("c", null, null)]));
        assert.deepEqual(
          match.map((each) => [each.value, each.others.map(({ value }) => value)]),
          expected,
        );
        for (const each of match) assert.equal(each.field, field);
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
