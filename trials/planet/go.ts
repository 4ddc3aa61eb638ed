import { run } from "../planet.ts";
process.exitCode = (await run(process.argv.slice(2))) ? 1 : 0;
