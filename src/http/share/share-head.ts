/** The part of the head of the map page that says what it is: to readers, search engines and messengers. */
import { escapeHtml } from "./escape-html.ts";

/** Where the head goes in the page. */
export const HEAD_MARK = "{{head}}";

/** The map page without its head, and its policy. */
export type SharePage = { html: string; policy: readonly string[] };

export type HeadWords = { title: string; description: string };
/** Absolute addresses: of the link, and of its picture; null: it is not known by which the page was reached. */
export type HeadAddresses = { url: string; image: string } | null;

/** Of the page without a point. */
export const GENERAL: HeadWords = {
  title: "Vicinity: what can I use near here, right now?",
  description:
    "Live shared mobility and urban services around any point on Earth, and why each answer is what it is.",
};

/** All words are escaped: names of things are those of feeds, and addresses those of a caller. */
export function toHead({ title, description }: HeadWords, addresses: HeadAddresses = null): string {
  const lines = [
    `<title>${escapeHtml(title)}</title>`,
    meta("name", "description", description),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:site_name", "Vicinity"),
    meta("property", "og:type", "website"),
  ];
  if (addresses !== null)
    lines.push(
      meta("property", "og:url", addresses.url),
      meta("property", "og:image", addresses.image),
      meta("property", "og:image:width", "1200"),
      meta("property", "og:image:height", "630"),
      meta("name", "twitter:card", "summary_large_image"),
    );
  return lines.join("\n    ");
}

function meta(kind: "name" | "property", name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`;
}
