/** Coordinates as people write, copy and share them. */

/** @typedef {{ lat: number, lon: number }} Point */

/** Longer texts are links to something else. */
const LONGEST = 500;

/** A number without a sign, as `48`, `48.85` or `48,85`. */
const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{1,12})?)`;
/** Degrees, and after them minutes and seconds. */
const ANGLE = String.raw`${NUMBER}\s?[°º]?\s?(?:${NUMBER}\s?[′'’]\s?)?(?:${NUMBER}\s?(?:[″"”]|''|′′)\s?)?`;
const AFTER = new RegExp(String.raw`^${ANGLE}([NSEWO])[\s,;]{0,3}${ANGLE}([NSEWO])$`, "i");
const BEFORE = new RegExp(String.raw`^([NSEWO])\s?${ANGLE}[\s,;]{0,3}([NSEWO])\s?${ANGLE}$`, "i");
const PAIR = /^(-?\d{1,3}(?:\.\d{1,15})?)(?:\s?[,;]\s?|\s)(-?\d{1,3}(?:\.\d{1,15})?)$/;
/** Commas before the decimals, so that none is between the two. */
const COMMAS = /^(-?\d{1,3},\d{1,15})(?:\s?;\s?|\s)(-?\d{1,3},\d{1,15})$/;
const GEO = /^geo:(-?\d{1,3}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?)(?=[,;?]|$)/i;

/** Where links of maps have their point, the most exact one first. */
const IN_LINKS = [
  /[?&#]mlat=(-?[\d.]{1,20})&mlon=(-?[\d.]{1,20})/,
  /!3d(-?[\d.]{1,20})!4d(-?[\d.]{1,20})/,
  /[?&](?:at|q|query|ll|sll|center|destination|daddr|coordinate)=(?:loc:)?(-?[\d.]{1,20})(?:,|%2C)\+?(-?[\d.]{1,20})/i,
  /\/(?:place|search)\/(-?[\d.]{1,20}),\+?(-?[\d.]{1,20})/,
  /\/@(-?[\d.]{1,20}),(-?[\d.]{1,20})/,
  /#map=[\d.]{1,6}\/(-?[\d.]{1,20})\/(-?[\d.]{1,20})/,
  /[?&]lat=(-?[\d.]{1,20})&lon=(-?[\d.]{1,20})/,
];

/**
 * The point that a text gives: two numbers, a `geo:` address, degrees with or without minutes and
 * seconds and the points of the compass in either order, or a link of a map.
 * `nowhere`: it is written as a point and is none on Earth; null: it is no point.
 * @param {string} text @param {string} [language] whose `O` is east or west
 * @returns {Point | "nowhere" | null}
 */
export function readCoordinates(text, language = "en") {
  const plain = text
    .trim()
    .replaceAll("−", "-")
    .replaceAll(/\s{1,20}/g, " ");
  if (plain === "" || plain.length > LONGEST) return null;
  if (/^https?:\/\//i.test(plain)) return readLink(plain);
  const numbers = PAIR.exec(plain) ?? GEO.exec(plain);
  if (numbers) return toPoint(Number(numbers[1]), Number(numbers[2]));
  const commas = COMMAS.exec(plain);
  if (commas) return toPoint(toNumber(commas[1]), toNumber(commas[2]));
  return readAngles(plain, language);
}

/** @param {string} link @returns {Point | "nowhere" | null} */
function readLink(link) {
  for (const pattern of IN_LINKS) {
    const [, lat, lon] = pattern.exec(link) ?? [];
    if (lat !== undefined && Number.isFinite(Number(lat)) && Number.isFinite(Number(lon)))
      return toPoint(Number(lat), Number(lon));
  }
  return null;
}

/** @param {string} text @param {string} language @returns {Point | "nowhere" | null} */
function readAngles(text, language) {
  const after = AFTER.exec(text);
  const before = after ? null : BEFORE.exec(text);
  if (!after && !before) return null;
  const [first, second] = after
    ? [toAngle(after.slice(1, 4), after[4]), toAngle(after.slice(5, 8), after[8])]
    : [toAngle(before?.slice(2, 5), before?.[1]), toAngle(before?.slice(6, 9), before?.[5])];
  const sides = [first.side, second.side].map((side) => toSide(side, language));
  const lat = sides.findIndex((side) => side === "N" || side === "S");
  const lon = sides.findIndex((side) => side === "E" || side === "W");
  if (lat < 0 || lon < 0) return null;
  const angles = [first, second];
  const signed = (/** @type {number} */ at) =>
    (angles[at]?.degrees ?? Number.NaN) * (sides[at] === "S" || sides[at] === "W" ? -1 : 1);
  return toPoint(signed(lat), signed(lon));
}

/** @param {readonly (string | undefined)[] | undefined} parts degrees, minutes, seconds @param {string | undefined} side */
function toAngle(parts = [], side = "") {
  const [degrees, minutes, seconds] = [0, 1, 2].map((at) => toNumber(parts[at] ?? "0"));
  const isWhole = (minutes ?? 0) < 60 && (seconds ?? 0) < 60;
  const value = (degrees ?? 0) + (minutes ?? 0) / 60 + (seconds ?? 0) / 3600;
  return { degrees: isWhole ? value : Number.POSITIVE_INFINITY, side };
}

/** East in languages that say "Ost" or "oost", west in those that say "ouest" or "oeste". @type {Readonly<Record<string, "E" | "W">>} */
const O_SIDES = { de: "E", nl: "E", fr: "W", es: "W", it: "W", pt: "W" };

/** @param {string} side @param {string} language */
function toSide(side, language) {
  const letter = side.toUpperCase();
  return letter === "O" ? O_SIDES[language] : letter;
}

/** @param {string | undefined} text */
function toNumber(text) {
  return Number(String(text).replace(",", "."));
}

/** @param {number} lat @param {number} lon @returns {Point | "nowhere"} */
function toPoint(lat, lon) {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : "nowhere";
}
