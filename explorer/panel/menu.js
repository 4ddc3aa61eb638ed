/** Other pages, theme, language, and the address of what is seen. */
import { byId, fill, h, line } from "../page/dom.js";
import { language, LANGUAGES, setLanguage, t } from "../page/texts.js";
import { watchTheme } from "../page/theme.js";

const SUN =
  "M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m11.4 0 1.4 1.4M4.9 4.9l1.4 1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z";
const MOON = "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.500 10.500Z";

/** @param {{ themed: (theme: "dark" | "light") => void, about: () => void, report: (text: string) => void }} given */
export function createMenu({ themed, about, report }) {
  const opener = byId("open-menu");
  opener.setAttribute("aria-label", t("menu.title"));
  opener.append(line("M4 7h16M4 12h16M4 17h16"));
  const mark = h("span", {});
  const toggle = watchTheme((theme) => {
    fill(mark, line(theme === "dark" ? SUN : MOON, 16));
    themed(theme);
  });
  const languages = h(
    "select",
    { id: "language", onchange: () => setLanguage(languages.value) },
    Object.entries(LANGUAGES).map(([tag, name]) =>
      h("option", { value: tag, lang: tag, selected: tag === language() }, name),
    ),
  );
  const share = async () => {
    byId("menu").hidePopover();
    report(await shareAddress(location.href, document.title));
  };
  fill(
    byId("menu"),
    h(
      "button",
      { type: "button", onclick: () => void share() },
      line(
        "M8 12l8-4.500M8 12l8 4.500M6 12a2 2 0 1 0 .01 0M18 6.500a2 2 0 1 0 .01 0M18 17.500a2 2 0 1 0 .01 0",
        16,
      ),
      t("menu.share"),
    ),
    h("button", { type: "button", id: "theme", onclick: toggle }, mark, t("menu.theme")),
    h("label", {}, t("menu.language"), languages),
    h("a", { href: "/docs" }, t("menu.docs")),
    h("a", { href: "/status" }, t("menu.status")),
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          byId("menu").hidePopover();
          about();
        },
      },
      t("menu.about"),
    ),
  );
}

/** Hands an address to the platform, or copies it; returns what is to be said. @param {string} url @param {string} title */
export async function shareAddress(url, title) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    const isShared = await navigator.share({ url, title }).then(
      () => true,
      () => false,
    );
    if (isShared) return t("share.done");
  }
  return copyText(url, t("share.copied"));
}

/** @param {string} text @param {string} done */
export async function copyText(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    return done;
  } catch {
    return t("share.refused", { text });
  }
}
