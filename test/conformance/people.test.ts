import { peopleSuite } from "./people.ts";

peopleSuite("embedded", { newDatabase: () => Promise.resolve(null) });
