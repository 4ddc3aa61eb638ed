import { backupSuite } from "./backup.ts";

backupSuite("embedded", { newDatabase: () => Promise.resolve(null) });
