import { programs, withOne } from "../../scripts/size/programs.js";
import { type BundleRow, bundlesOf } from "../shared/bundle.js";
import type { Stage } from "../shared/stage.js";

const setUp = `
  const server = new McpServer({ name: "one", version: "1.0.0" });
  server.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "Hello" }] }));`;

const fetched = `
  import { McpServer } from "@mcpwright/runtime/server";
  import { createMcpHandler } from "@mcpwright/runtime/server/http";${setUp}
  export default createMcpHandler(server);`;

/** The tool has no input here, so that the bundles contain no schema library. */
export function measureBundles(stage: Stage): Promise<readonly BundleRow[]> {
  return bundlesOf(
    stage,
    {
      [programs.httpServer.name]: programs.httpServer.text,
      "HTTP server, 2026-07-28 only": withOne(programs.httpServer.text, "2026-07-28", "serverSide"),
      "HTTP server, 2025-11-25 only": withOne(programs.httpServer.text, "2025-11-25", "serverSide"),
      "fetch handler, all revisions": fetched,
      "fetch handler, 2026-07-28 only": withOne(fetched, "2026-07-28", "serverSide"),
    },
    {
      "the measured servers, zod included: mcpwright": "servers/mcpwright",
      "the measured servers, zod included: SDK 1.x": "servers/sdk1",
      "the measured servers, zod included: SDK 2.x, transport": "servers/sdk2",
      "the measured servers, zod included: SDK 2.x, createMcpHandler": "servers/sdk2-handler",
      "the measured servers, zod included: mcp-lite": "servers/mcp-lite",
      "the measured servers, zod included: fastmcp": "servers/fastmcp",
    },
  );
}
