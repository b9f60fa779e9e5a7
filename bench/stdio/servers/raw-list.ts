/** The floor of lists: the result is serialised once; each reply is its id followed by that text. */
import { z } from "zod";
import { description, info, inputSchema, toolNames } from "./booking.js";
import { coalescedEcho, rawText, stateless } from "./echo.js";

const schema = z.toJSONSchema(inputSchema, { io: "input" });
const tools = toolNames().map((name) => ({ name, description, inputSchema: schema }));
const result = JSON.stringify(
  stateless
    ? {
        resultType: "complete",
        tools,
        ttlMs: 0,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": info },
      }
    : { tools },
);

coalescedEcho((request) =>
  request.method === "tools/list" ? `{"jsonrpc":"2.0","id":${request.id},"result":${result}}` : rawText(request),
);
