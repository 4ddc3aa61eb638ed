/** Price of a reply (decisions, "Authentication, plans, metering"), by the charge of its operation. */
import type { Charge } from "#api/operation.ts";

/** Facts of a reply that determine its price. */
export type Metered = {
  status: number;
  /** `partial` with nothing in it, or free for another reason. */
  void: boolean;
  /** Returned after identity resolution and pagination; read where blocks are charged. */
  objects: number;
  /** Categories asked that a maps provider answers; read where categories are charged. */
  maps_categories: number;
};

/** One answer, whatever is in it: an empty list of candidates costs as much (§7 rule 2). */
export const ONE_ANSWER: Omit<Metered, "status"> = { void: false, objects: 0, maps_categories: 0 };

/** Units of one reply; a replay from a cache costs the same. */
export function unitsOfReply(charge: Charge, reply: Metered): number {
  if (reply.status < 200 || reply.status > 299 || reply.void) return 0;
  switch (charge.per) {
    case "reply":
    case "execution":
      return charge.units;
    case "category":
      return charge.first + charge.each * reply.maps_categories;
    case "block":
      return Math.ceil(reply.objects / charge.objects) * charge.units;
  }
}

/**
 * Units that are reserved before the work: the price where the question decides it, and the least
 * that an answer with something in it costs where what is found decides it. `types`: those asked.
 */
export function unitsToReserve(charge: Charge, types: unknown): number {
  switch (charge.per) {
    case "reply":
    case "execution":
    case "block":
      return charge.units;
    case "category": {
      const requests: readonly unknown[] = Array.isArray(types) ? types : [];
      const { first, each, categories } = charge;
      return (
        first + each * requests.filter((type) => categories.some((one) => one === type)).length
      );
    }
  }
}
