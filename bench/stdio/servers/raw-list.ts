/** The floor of lists: the text of the result is put together once, and each reply is its id in front of that. */
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
