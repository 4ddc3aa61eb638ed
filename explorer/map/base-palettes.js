/** Colours of the outlines and of what the page lays over any map. */

/** @typedef {"light" | "dark"} Theme */

const PALETTES = {
  light: {
    land: "#f4f2ec",
    sea: "#cfe4ee",
    border: "#c9c2b4",
    coast: "#b9ccd6",
    green: "#dcead0",
    lane: "#ffffff",
    street: "#ffffff",
    avenue: "#fff6dc",
    casing: "#e2dccf",
    label: "#6f6a5f",
    place: "#4a463e",
    halo: "#fbfaf6",
    accent: "#0b6b67",
    way: "#1b50c8",
    rail: "#8f97a3",
    grid: "#e9e5da",
    box: "#0b6b67",
  },
  dark: {
    land: "#171b20",
    sea: "#0d2430",
    border: "#3a424b",
    coast: "#274653",
    green: "#18281f",
    lane: "#20262d",
    street: "#2a323b",
    avenue: "#353c3f",
    casing: "#11151a",
    label: "#9aa7b4",
    place: "#c0cad3",
    halo: "#14181d",
    accent: "#4fd1c5",
    way: "#8db4ff",
    rail: "#5a6673",
    grid: "#1d2228",
    box: "#4fd1c5",
  },
};

/** @typedef {typeof PALETTES["light"]} Outlines */

/** @param {Theme} theme @returns {Outlines} */
export function paletteOf(theme) {
  return PALETTES[theme];
}
