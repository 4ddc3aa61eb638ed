/** Backups of a fleet's store, and what PostgreSQL has about an account. */
import { after } from "node:test";
import { NO_POSTGRES, startPostgres } from "../support/engines.ts";
import { backupSuite } from "./backup.ts";
import { peopleSuite } from "./people.ts";

const skip = NO_POSTGRES;
const engine = await startPostgres();
after(() => engine?.stop());
const newDatabase = (): Promise<string | null> => engine!.createDatabase();

backupSuite("PostgreSQL", { newDatabase, skip });
peopleSuite("PostgreSQL", { newDatabase, skip });
