/** The values that a form begins with: examples of the description, and what this deployment has. */
import { readSettings } from "../page/settings.js";
import { currentKey } from "./key.js";
import { send } from "./request.js";

/**
 * @typedef {import("./spec.js").Operation} Operation
 * @typedef {{ values: Record<string, string>, notes: string[] }} Offer
 */

const { mode, start, reference } = readSettings();
const POINT = start ?? { lat: 48.8566, lon: 2.3522 };
const AT = `lat=${POINT.lat}&lon=${POINT.lon}`;

/** Examples of what is required; the rest is left to its default. @param {Operation} operation @returns {Record<string, string>} */
export function toExamples({ parameters }) {
  const point = parameters.some(({ name, required }) => name === "lat" && required);
  const filled = parameters.filter(
    // Latitude and longitude go together, whichever of them the description calls required.
    ({ name, required, deprecated }) => !deprecated && (required || (point && name === "lon")),
  );
  return Object.fromEntries(filled.map(({ name, example }) => [name, HERE[name] ?? example]));
}

const HERE = /** @type {Record<string, string>} */ ({
  lat: String(POINT.lat),
  lon: String(POINT.lon),
  coords: `${POINT.lat},${POINT.lon}`,
});

/** The key that a request goes out with: the reader's, else the sandbox's where one is needed. @param {Operation} operation */
export function keyFor({ auth }) {
  if (auth === "none") return null;
  return currentKey() ?? (auth === "required" ? reference.key : null);
}

/** Why an operation cannot be tried here at all; null: it can. @param {Operation} operation */
export function refusalOf({ id }) {
  if (id !== "getChangelog" || reference.changelog) return null;
  return "This deployment does not publish its changelog: the answer is 404.";
}

/** Whether a request would be refused for want of a key. @param {Operation} operation */
export function lacksKey(operation) {
  return operation.auth === "required" && keyFor(operation) === null;
}

/** Ids that only this deployment can know, by the operation that needs them. */
const FINDERS = /** @type {Record<string, (operation: Operation) => Promise<Offer | null>>} */ ({
  getStationDepartures: async (operation) => {
    const id = (await ask(operation, `/v1/departures/nearby?${AT}&limit=1`))?.results
      ?.departures?.[0]?.station?.id;
    return typeof id === "string"
      ? {
          values: { station_id: id },
          notes: ["The station is the one with the next departure near the example point."],
        }
      : null;
  },
  getPlace: async (operation) => {
    const id = (await ask(operation, `/v1/nearby?${AT}&limit=20`))?.results?.stations?.[0]?.id;
    return typeof id === "string"
      ? {
          values: { id, lat: "", lon: "" },
          notes: ["The station is the nearest to the example point."],
        }
      : null;
  },
  getPlaceHistory: async (operation) => {
    const id = (await ask(operation, `/v1/nearby?${AT}&limit=20`))?.results?.stations?.[0]?.id;
    return typeof id === "string"
      ? { values: { id }, notes: ["The station is the nearest to the example point."] }
      : null;
  },
  getSourceQuality: async (operation) => {
    const id = (await ask(operation, `/v1/sources?${AT}`))?.sources?.[0]?.id;
    return typeof id === "string"
      ? { values: { id }, notes: ["The source is one of those around the example point."] }
      : null;
  },
  readDataset: async (operation) => {
    const body = JSON.stringify(SEARCH);
    const found = await ask(operation, "/v1/capabilities", body);
    const row = found?.observation?.provenance?.find(
      (/** @type {any} */ one) => one.kind === "svc_internal",
    );
    return typeof row?.version === "string"
      ? {
          values: { id: row.dataset_id, version: row.version },
          notes: ["The dataset is of a search that was made for this form, which cost 2 units."],
        }
      : null;
  },
  getLegacyVehicles: async (operation) => {
    const near = await ask(operation, `/v1/nearby?${AT}&include=vehicles&limit=1`);
    const network = near?.results?.vehicles?.[0]?.network_id;
    const { sources = [] } = (await ask(operation, `/v1/sources?${AT}`)) ?? {};
    const name = sources.find((/** @type {any} */ one) => one.id === network)?.name;
    return typeof name === "string"
      ? {
          values: { provider: name },
          notes: ["The brand is that of the vehicle nearest to the example point."],
        }
      : null;
  },
});

const SEARCH = {
  contract_version: "1.0.0",
  correlation: {
    conversation_id: "docs",
    interaction_id: "docs",
    request_id: "docs",
    parent_request_id: null,
    turn_id: null,
  },
  request: { capability: "search_mobility", args: POINT },
  freshness_policy: null,
};

/** What this deployment has for an operation; without it, the examples stay. @param {Operation} operation @returns {Promise<Offer>} */
export async function findOffer(operation) {
  const finder = FINDERS[operation.id];
  if (!finder) return { values: {}, notes: [] };
  return (
    (await finder(operation)) ?? {
      values: {},
      notes: ["Nothing was found here to begin with: fill in an id of your own."],
    }
  );
}

/** @param {Operation} operation @param {string} target @param {string | null} [body] @returns {Promise<any>} */
async function ask(operation, target, body = null) {
  const reply = await send({
    method: body === null ? "GET" : "POST",
    target,
    body,
    key: keyFor(operation),
  });
  return typeof reply === "string" || reply.status >= 300 ? null : toJson(reply.text);
}

/** @param {string} text @returns {any} null: it is none */
export function toJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether the key of a request is the sandbox's, which may be shown. @param {string | null} key */
export function isPublic(key) {
  return mode === "sandbox" && key === reference.key;
}
