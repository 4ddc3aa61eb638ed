/** Faults that public registers really have, one row each: what is wrong costs itself, and no number is invented. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DATEX2_ENERGY_FAULTS } from "./faults-datex2-energy.ts";
import { DATEX2_PARKING_FAULTS } from "./faults-datex2-parking.ts";
import { IRVE_FAULTS } from "./faults-irve.ts";
import { FAULTS_OF_ALL } from "./faults-of-all.ts";
import { OCPI_BULK_FAULTS } from "./faults-ocpi-bulk.ts";
import { OICP_FAULTS } from "./faults-oicp.ts";
import { PARKAPI_FAULTS } from "./faults-parkapi.ts";
import { SHARED_FAULTS } from "./faults-shared.ts";
import { type Fault, readFault } from "./fault-table.ts";

const FAULTS: readonly Fault[] = [
  ...FAULTS_OF_ALL,
  ...DATEX2_ENERGY_FAULTS,
  ...DATEX2_PARKING_FAULTS,
  ...IRVE_FAULTS,
  ...OCPI_BULK_FAULTS,
  ...OICP_FAULTS,
  ...PARKAPI_FAULTS,
  ...SHARED_FAULTS,
];

for (const fault of FAULTS)
  test(`${fault.shape.id}, ${fault.half}: ${fault.fault}`, () => {
    fault.check(readFault(fault));
  });

test("no document of another kind is an empty register", () => {
  const shapes = new Set(FAULTS.map(({ shape }) => shape));
  for (const shape of shapes)
    for (const document of ["", "[]x", "{}", "<html><body>moved</body></html>", "null", "1"]) {
      const read = readFault({
        fault: "",
        shape,
        document,
        half: "places",
        check: () => undefined,
      });
      assert.equal(read.values, null, `${shape.id}: ${document}`);
    }
});
