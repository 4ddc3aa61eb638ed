/** The process that makes the gazetteer (upstream/bases/gazetteer.ts asks). */
import { guard } from "#kit/guard.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { folderFailure } from "#storage/store-reasons.ts";
import { makeGazetteer } from "#upstream/bases/gazetteer-pack.ts";
import { endWithService, failMaker } from "#kit/run/maker.ts";

const [, , folder = ""] = process.argv;
endWithService();

await guard(
  () => makeGazetteer(createBaseStore(folder)),
  (error) => {
    // What the disk says is a reason; anything else is a defect, whose stack the process leaves.
    const failing = folderFailure(error);
    if (failing === null) throw error;
    failMaker(`${failing.reason}: ${failing.detail}`);
  },
);
