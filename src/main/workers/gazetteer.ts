/** The process that makes the gazetteer (main/bases/gazetteer.ts asks). */
import { makeGazetteer } from "../bases/gazetteer-pack.ts";

await makeGazetteer(process.argv[2]!);
