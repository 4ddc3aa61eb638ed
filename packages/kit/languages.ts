/**
 * Languages of names: those of the page, which `test/unit/explorer/languages.test.ts` holds to this
 * list, since the page cannot import it; and of larger cities those that many people write besides.
 */
export const LANGUAGES = ["en", "fr", "de", "es", "it", "nl", "pl", "pt", "ja", "ar"] as const;

export const WIDE_LANGUAGES = ["zh", "ru", "ko"] as const;
