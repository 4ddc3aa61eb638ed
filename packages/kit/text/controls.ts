/** Control characters in texts of callers: no name, id or question has one. */
const CONTROL = /\p{Cc}/u;

export function hasControls(text: string): boolean {
  return CONTROL.test(text);
}
