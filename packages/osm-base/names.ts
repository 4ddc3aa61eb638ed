/** Names over many pages or bases: their words as one index, the plan of a question, and its search in a thread. */
export { readQuestion } from "./geocoder/fold-words.ts";
export { mergeNames } from "./geocoder/merge-names.ts";
export { openNames } from "./geocoder/open-names.ts";
export type { NameEntry } from "./geocoder/page-names.ts";
export { planPages } from "./geocoder/plan-pages.ts";
export { type LetGo, SearchedPages, type SearchJob } from "./geocoder/search-job.ts";
