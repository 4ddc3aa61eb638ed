/** Opening hours as the open map writes them: reads the text, and says open, closed or unknown, and until when. */
export {
  createHoursMemory,
  evaluateHours,
  type Hours,
  type HoursMemory,
  type HoursPlace,
  type OpenState,
  parseHours,
} from "./hours.ts";
export { type Dated, type Weekly, weeklyHours } from "./weekly.ts";
