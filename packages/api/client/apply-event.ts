/** What a reader of a stream knows: the items of the box by id, and its sources by id. */
import type { LiveItemValue as LiveItem, LiveSourceValue as LiveSource } from "../live.ts";
import type { LiveEvent } from "./live-event.ts";

/**
 * Brings the items to the state after an event, and the sources where they are given; events that
 * change nothing are taken as well. After each event the items are those of the box at that moment.
 */
export function applyEvent(
  items: Map<string, LiveItem>,
  event: LiveEvent,
  sources?: Map<string, LiveSource>,
): void {
  switch (event.kind) {
    case "snapshot":
      items.clear();
      sources?.clear();
      setAll(items, event.body.items);
      break;
    case "delta":
      for (const { id } of event.body.left) items.delete(id);
      setAll(items, event.body.entered);
      setAll(items, event.body.changed);
      break;
    case "status":
      break;
    default:
      return;
  }
  for (const source of event.body.sources ?? []) sources?.set(source.source_id, source);
}

function setAll(items: Map<string, LiveItem>, list: readonly LiveItem[]): void {
  for (const item of list) items.set(item.id, item);
}
