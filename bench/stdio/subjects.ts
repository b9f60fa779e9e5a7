import type { Revision } from "../shared/traffic.js";

/** A server or client that is measured. */
export interface Subject {
  readonly name: string;
  /** The script in `servers/` or `clients/`. */
  readonly script: string;
  readonly revision: Revision;
}

/** Name, script, and the revisions of the traffic. */
type Row = readonly [string, string, ...Revision[]];

export const ours = "mcpwright";
export const floor = "raw echo, coalesced writes";
export const listFloor = "raw list";
export const rawClient = "raw client, a write per request";

const libraries: readonly Row[] = [
  [ours, "mcpwright", "2025-11-25", "2026-07-28"],
  ["SDK 1.x", "sdk1", "2025-11-25"],
  ["SDK 2.x, McpServer.connect", "sdk2", "2025-11-25"],
  ["SDK 2.x, serveStdio", "sdk2-serve", "2025-11-25", "2026-07-28"],
  ["mcp-lite (bridge)", "mcp-lite", "2025-11-25"],
  ["tmcp", "tmcp", "2025-11-25", "2026-07-28"],
  ["fastmcp", "fastmcp", "2025-11-25"],
];

/** Servers whose tool is called. */
export const servers = subjectsOf([
  [floor, "raw-coalesced", "2025-11-25", "2026-07-28"],
  ["raw echo, a write per reply", "raw", "2025-11-25", "2026-07-28"],
  ...libraries,
]);

/** Servers whose tools are listed. */
export const lists = subjectsOf([[listFloor, "raw-list", "2025-11-25", "2026-07-28"], ...libraries]);

/** Clients that call the tool. */
export const clients = subjectsOf([
  [rawClient, "raw", "2025-11-25", "2026-07-28"],
  ["raw client, coalesced writes", "raw-coalesced", "2025-11-25", "2026-07-28"],
  [ours, "mcpwright", "2025-11-25", "2026-07-28"],
  ["SDK 1.x", "sdk1", "2025-11-25"],
  ["SDK 2.x", "sdk2", "2025-11-25", "2026-07-28"],
]);

function subjectsOf(rows: readonly Row[]): readonly Subject[] {
  return rows.flatMap(([name, script, ...revisions]) => revisions.map((revision) => ({ name, script, revision })));
}

/** Servers whose cold start is measured: name and script. */
export const starters: readonly (readonly [string, string])[] = [
  ["raw echo", "raw-coalesced"],
  [ours, "mcpwright-no-zod"],
  [`${ours}, with zod`, "mcpwright"],
  ["SDK 1.x", "sdk1"],
  ["SDK 2.x, McpServer.connect", "sdk2"],
  ["SDK 2.x, serveStdio", "sdk2-serve"],
  ["mcp-lite (bridge)", "mcp-lite-no-zod"],
  ["mcp-lite (bridge), with zod", "mcp-lite"],
  ["tmcp", "tmcp"],
  ["fastmcp", "fastmcp"],
];

/** The packages whose versions are in the report, and the packages of a production install for a stdio server. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  "SDK 1.x": ["@modelcontextprotocol/sdk"],
  "SDK 2.x": ["@modelcontextprotocol/server"],
  "SDK 2.x, client": ["@modelcontextprotocol/client"],
  "mcp-lite": ["mcp-lite"],
  tmcp: ["tmcp", "@tmcp/transport-stdio", "@tmcp/adapter-zod"],
  fastmcp: ["fastmcp"],
};
