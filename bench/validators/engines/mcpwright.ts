import * as r2025 from "@mcpwright/protocol/2025-11-25";
import * as r2026 from "@mcpwright/protocol/2026-07-28";
import type { Engine, Predicate } from "../contract.js";

const exported: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "2025-11-25": r2025,
  "2026-07-28": r2026,
};

export const mcpwright: Engine = {
  name: "mcpwright",
  packageName: "@mcpwright/protocol",
  load: (revision) => Promise.resolve((definition) => exported[revision]?.[`is${definition}`] as Predicate | undefined),
};
