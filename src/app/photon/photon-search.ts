/**
 * Photon's interface (places.md 2.1) over imported bases and the gazetteer, for clients that were
 * written for Photon. No server is asked.
 */
import { sayRefusal } from "#core/failure-words.ts";
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import {
  type BaseGeocodingDeps,
  type BaseReply,
  createBudget,
  findAtPoint,
  findByName,
  GOOD_MS,
  orOutOfTime,
} from "../places/base-geocoding.ts";
import { type PhotonFeature, tagOf, toFeature } from "./photon-features.ts";
import { layerOf } from "./layers.ts";
import {
  type PhotonReverse,
  type PhotonSearch,
  type ReadQuestion,
  readReverse,
  readSearch,
} from "./photon-question.ts";
import { pinAt, type PinnedLoss } from "../places/pinned-bases.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";
import { sayUnopened } from "#core/places/geocode-notices.ts";
import { createTurn } from "#kit/run/turn.ts";
import { passesTags } from "./tag-filter.ts";

export type PhotonReply =
  | {
      kind: "ok";
      /** `notices`, a member of ours: what one should know beyond the features. */
      body: { type: "FeatureCollection"; features: PhotonFeature[]; notices?: string[] };
      max_age_s: number;
    }
  | {
      kind: "refused";
      code: "invalid_request" | "provider_unavailable";
      message: string;
      /** Asking again changes nothing. */
      retry_after_s: null;
    };

/** `accepted_languages`: the header Accept-Language, which counts where `lang` is not given. */
type PhotonRequest = {
  query: URLSearchParams;
  accepted_languages: string | undefined;
  /** When the answer must be on its way, epoch ms. */
  deadline_ms: number;
};
export type Photon = {
  search(request: PhotonRequest): Promise<PhotonReply>;
  reverse(request: PhotonRequest): Promise<PhotonReply>;
};

/** Answers of each base that filters are applied to. */
const MOST_FILTERED = 100;

const UNAVAILABLE = {
  not_configured: "no base is imported here, and there is no gazetteer; see vicinity import osm",
  no_coverage: "no imported base covers this point",
  not_loaded: "the gazetteer is being made and will be there soon",
  busy: "too many questions wait to be answered; ask again in a moment",
  out_of_time: "the search took too long; fewer words take less",
  worker_failed: "the search has failed; the log has the details",
} as const;

type Deps = BaseGeocodingDeps;

export function createPhoton(deps: Deps): Photon {
  return {
    search: (request) =>
      answer(deps, request, readSearch(request), (question) => ({
        find: (signal) => findNamed(deps, question, signal),
        keeps: (item) => isIn(item, question),
      })),
    reverse: (request) =>
      answer(deps, request, readReverse(request), ({ at, language, radius_m }) => ({
        find: (signal) => findAtPoint(deps, { ...at, language, limit: MOST_FILTERED }, signal),
        keeps: ({ distance_m }) => distance_m === null || distance_m <= radius_m,
      })),
  };
}

async function findNamed(
  deps: Deps,
  question: PhotonSearch,
  signal: AbortSignal,
): Promise<BaseReply> {
  const [query, budget] = [toQuery(question), createBudget(deps)];
  const options = { budget, signal };
  const by_name = await findByName(deps, query, { operation: "geocode", ...options });
  if (by_name.status !== "ok" || by_name.hits.length > 0) return by_name;
  // Nothing is called so: a kind of thing may be meant.
  return findByName(deps, query, { operation: "search", ...options });
}

type Finding = {
  find(signal: AbortSignal): Promise<BaseReply>;
  keeps(item: GeocodeItem): boolean;
};

async function answer<Q extends PhotonSearch | PhotonReverse>(
  { clock }: Deps,
  { deadline_ms }: PhotonRequest,
  read: ReadQuestion<Q>,
  toFinding: (question: Q) => Finding,
): Promise<PhotonReply> {
  if (!read.ok)
    return { kind: "refused", code: "invalid_request", message: read.message, retry_after_s: null };
  const { layers, tags, limit, language } = read.value;
  const { find, keeps } = toFinding(read.value);
  using deadline = createDeadline(clock, deadline_ms - REPLY_MARGIN_MS);
  const { signal } = deadline;
  const match = await orOutOfTime(signal, () => find(signal));
  if (match.status !== "ok") {
    const { status, reason, source } = match;
    const message =
      source === undefined
        ? UNAVAILABLE[reason as keyof typeof UNAVAILABLE]
        : sayRefusal(source, { status, reason });
    return { kind: "refused", code: "provider_unavailable", message, retry_after_s: null };
  }
  const listed = match.hits
    .filter(({ item }) => keeps(item) && isOfLayers(item, layers) && passesTags(tagOf(item), tags))
    .slice(0, limit);
  const turn = createTurn({});
  const features: PhotonFeature[] = [];
  const lost = new Map<string, PinnedLoss>();
  for (const { item, base } of listed) {
    await turn();
    using pinned = await pinAt([base], item.location, signal);
    for (const each of pinned.listLost()) lost.set(each.id, each);
    const [geocoder] = pinned.of(base);
    const around = geocoder?.around({ ...item.location, language }) ?? [];
    features.push(toFeature(item, around, language));
  }
  const notices = [...new Set([...match.notices, ...[...lost.values()].map(sayUnopened)])];
  const more = notices.length > 0 ? { notices } : {};
  const body = { type: "FeatureCollection" as const, features, ...more };
  return { kind: "ok", body, max_age_s: GOOD_MS / 1000 };
}

function toQuery({ q, language, near, countries, ...question }: PhotonSearch) {
  const { box, layers, tags, limit } = question;
  const is_filtered = box !== null || layers.length + tags.length > 0 || countries.length > 1;
  return {
    ...{ q, language, near, prefix: true },
    country: countries.length === 1 ? countries[0]! : null,
    limit: is_filtered ? MOST_FILTERED : limit,
  };
}

function isOfLayers(item: GeocodeItem, layers: readonly string[]): boolean {
  return layers.length === 0 || layers.includes(layerOf(item));
}

function isIn({ location, country_code }: GeocodeItem, { box, countries }: PhotonSearch): boolean {
  if (countries.length > 0 && (country_code === null || !countries.includes(country_code)))
    return false;
  const { lat, lon } = location;
  return (
    box === null || (lat >= box.south && lat <= box.north && lon >= box.west && lon <= box.east)
  );
}
