import { McpServer, ResourceTemplate } from "../../../runtime/src/server/core.js";
import { object, optionsOf, type ServerSetup, text } from "./setup.js";

/** A server that plans vacations. */
export function planner(setup: ServerSetup): McpServer {
  const server = new McpServer({ name: "planner", version: "1" }, optionsOf(setup));
  server.registerPrompt(
    "plan-vacation",
    {
      title: "Plan a vacation",
      argsSchema: object({ destination: "string", days: "string" }),
      complete: {
        destination: (value) => ["Barcelona", "Berlin", "Rome"].filter((city) => city.startsWith(value)),
      },
    },
    ({ destination, days }) => ({
      description: `${days} days in ${destination}`,
      messages: [
        { role: "user", content: { type: "text", text: `Plan ${days} days in ${destination}.` } },
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri: `travel://activities/${destination}`, text: "parks, beaches", mimeType: "text/plain" },
          },
        },
      ],
    }),
  );
  return server;
}

/** A server with the weather of cities. */
export function forecasts(setup: ServerSetup): McpServer {
  const server = new McpServer({ name: "forecasts", version: "1" }, optionsOf(setup));
  server.registerResource(
    "forecast",
    new ResourceTemplate("weather://forecast/{city}/{date}"),
    { mimeType: "application/json" },
    (uri, { city, date }) => ({
      contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify({ city, date, sun: true }) }],
    }),
  );
  return server;
}

/** A server that books after the user has agreed. */
export function bookings(setup: ServerSetup): McpServer {
  const server = new McpServer({ name: "bookings", version: "1" }, optionsOf(setup));
  server.registerTool(
    "book",
    { inputSchema: object({ city: "string" }), annotations: { destructiveHint: true, idempotentHint: false } },
    async ({ city }, ctx) => {
      const { action, content } = await ctx.elicit("confirm", {
        message: `Book ${city}?`,
        requestedSchema: {
          type: "object",
          properties: { confirm: { type: "boolean" }, seat: { type: "string", enum: ["window", "aisle"] } },
          required: ["confirm"],
        },
      });
      if (action !== "accept" || content?.["confirm"] !== true) return text(`Nothing was booked (${action})`);
      return text(`${city} is booked (${String(content["seat"] ?? "any seat")})`);
    },
  );
  return server;
}
