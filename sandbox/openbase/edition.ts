// Raised with every change of what is drawn of a world: an import of another edition is out of date.
export const EXTRACT_EDITION = 4;
