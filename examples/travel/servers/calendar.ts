import { ResourceNotFoundError } from "@mcpwright/runtime";
import { McpServer, ResourceTemplate } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../../text-result.js";
import { serve } from "../../serve.js";

const Day = z.iso.date();
const events = new Map([["2027-06", [{ from: "2027-06-21", to: "2027-06-22", what: "Conference" }]]]);

const server = new McpServer(
  { name: "calendar", version: "1.0.0" },
  { capabilities: { resources: { subscribe: true } } },
);

server.registerResource(
  "month",
  new ResourceTemplate("calendar://events/{month}", {
    complete: { month: (start) => [...events.keys()].filter((month) => month.startsWith(start)) },
  }),
  { title: "Events of a month", mimeType: "application/json" },
  ({ href }, { month }) => {
    if (!/^\d{4}-\d{2}$/.test(String(month))) throw new ResourceNotFoundError(href);
    const text = JSON.stringify(events.get(String(month)) ?? []);
    return { contents: [{ uri: href, mimeType: "application/json", text }] };
  },
);

server.registerTool(
  "add-event",
  {
    description: "Adds an event to the calendar",
    inputSchema: z.object({ from: Day, to: Day, what: z.string().min(1) }),
    annotations: { destructiveHint: false, openWorldHint: false },
  },
  ({ from, to, what }) => {
    const month = from.slice(0, 7);
    events.set(month, [...(events.get(month) ?? []), { from, to, what }]);
    server.sendResourceUpdated({ uri: `calendar://events/${month}` });
    return textResult(`${what}: ${from} to ${to}`);
  },
);

await serve(server);
