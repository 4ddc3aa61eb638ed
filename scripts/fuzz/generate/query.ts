/** The parameters of an operation: a valid set, then none, one or several faults in it. */
import type { Dice } from "../../../trials/dice.ts";
import { addFault, type Query } from "./faults.ts";
import { mobilityPairs } from "./mobility.ts";
import type { Operation } from "./rules.ts";
import { makeSearch } from "./search.ts";
import { makeTransport } from "./transport.ts";

export function makeQuery(operation: Operation, dice: Dice): Query {
  const query = makeValid(operation, dice);
  const roll = dice.next();
  const faults = roll < 0.5 ? 0 : roll < 0.9 ? 1 : dice.integer(2, 3);
  for (let n = 0; n < faults; n++) addFault(operation, query, dice);
  return query;
}

function makeValid(operation: Operation, dice: Dice): Query {
  if (operation === "transport") return makeTransport(dice);
  return operation === "nearby" || operation === "sources"
    ? { pairs: mobilityPairs(operation, dice), labels: [] }
    : makeSearch(operation, dice);
}
