/**
 * Photon's interface: geocoding under paths, parameters and bodies that are Photon's (places.md 2.1).
 * Its routes cost, and are limited and counted, as the operations that they copy; they are none
 * themselves: where they lie is the deployment's choice, so /openapi.json does not describe them.
 */
import { type Deadlines, findOperation } from "./operations.ts";
import type { Operation } from "./operation.ts";
import { TOKEN } from "./primitives.ts";

/** The rest of the parameters is read in Photon's own way: names may be repeated. */
const OWN = { parameters: { token: TOKEN }, addition: true } as const;

type PhotonRow = Operation & { deadline: { name: keyof Deadlines } };

/** Rows of the forward and the reverse route below `prefix`, such as `/photon`; "": at the root. */
export function photonRows(prefix: string): { search: PhotonRow; reverse: PhotonRow } {
  const [search, reverse] = [
    findOperation<"geocode">("geocode"),
    findOperation<"reverseGeocode">("reverseGeocode"),
  ];
  return {
    search: { ...search, ...OWN, path: `${prefix}/api` },
    reverse: { ...reverse, ...OWN, path: `${prefix}/reverse` },
  };
}
