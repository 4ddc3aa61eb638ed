/** One system's immutable snapshot: what `world/` holds and swaps by pointer. */
import type { Box, SystemAlert, SystemInfo } from "#core/entities.ts";
import type { FeedFile, FileState } from "#core/shard/files.ts";
export type Shard = { source_id: string; box: Box | null; system: SystemInfo | null; alerts: SystemAlert[]; files: Partial<Record<FeedFile, FileState>> };
