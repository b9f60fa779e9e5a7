import { acceptedContent, inputRequired, inputResponse, McpServer, ResourceTemplate } from "@mcpwright/runtime/server";
import { z } from "zod";
import { textResult } from "../../text-result.js";
import { serve } from "../../serve.js";

const cities = ["Barcelona", "Reykjavik", "Rome"];
const Day = z.iso.date();
const Trip = z.object({ city: z.string(), from: Day, to: Day, budget: z.number().positive() });
const trips: Record<string, string> = { rome: "Too hot in August; the night train was fine." };

const server = new McpServer({ name: "travel", version: "1.0.0" });

server.registerPrompt(
  "plan-vacation",
  {
    title: "Plan a vacation",
    argsSchema: z.object({ city: z.string(), from: Day, to: Day, budget: z.string().regex(/^\d+$/) }),
    complete: { city: (start) => cities.filter((city) => city.toLowerCase().startsWith(start.toLowerCase())) },
  },
  ({ city, from, to, budget }) => ({
    messages: [
      {
        role: "user",
        content: {
          type: "text",
          text: `Plan a vacation in ${city} from ${from} to ${to}, for at most ${budget} EUR. Consider my calendar and my preferences.`,
        },
      },
      {
        role: "user",
        content: { type: "resource_link", uri: "travel://preferences", name: "preferences" },
      },
    ],
  }),
);

server.registerResource("preferences", "travel://preferences", { mimeType: "text/plain" }, ({ href }) => ({
  contents: [{ uri: href, mimeType: "text/plain", text: "Trains rather than planes. A room with a desk." }],
}));

server.registerResource(
  "past trip",
  new ResourceTemplate("travel://past-trips/{place}", {
    complete: { place: (start) => Object.keys(trips).filter((place) => place.startsWith(start)) },
  }),
  { mimeType: "text/plain" },
  ({ href }, { place }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: trips[String(place)] ?? "No past trip" }],
  }),
);

server.registerTool(
  "search",
  {
    description: "Finds travel and hotel offers within a budget",
    inputSchema: Trip,
    outputSchema: z.object({ offers: z.array(z.object({ id: z.string(), what: z.string(), price: z.number() })) }),
    annotations: { readOnlyHint: true },
  },
  ({ city, budget }) => ({
    structuredContent: {
      offers: [
        { id: "train", what: `Night train to ${city}, small hotel`, price: 780 },
        { id: "plane", what: `Flight to ${city}, large hotel`, price: 1_150 },
      ].filter(({ price }) => price <= budget),
    },
  }),
);

server.registerTool(
  "book",
  {
    description: "Books an offer after the user confirms",
    inputSchema: z.object({ offer: z.string(), price: z.number() }),
    annotations: { destructiveHint: true, openWorldHint: true },
    inputRequests: ({ offer, price }) => ({
      booking: inputRequired.elicit({
        message: `Book ${offer} for ${price} EUR?`,
        requestedSchema: {
          type: "object",
          properties: {
            insurance: { type: "boolean", title: "Travel insurance", default: false },
            seat: { type: "string", enum: ["window", "aisle"], default: "window" },
          },
        },
      }),
    }),
  },
  ({ offer }, _context, responses) => {
    const chosen = acceptedContent(responses, "booking");
    if (chosen)
      return textResult(
        `Booked: ${offer}, ${String(chosen["seat"])} seat${chosen["insurance"] === true ? ", insured" : ""}`,
      );
    const answer = inputResponse(responses, "booking");
    // `decline` is a decision. After `cancel` (the form was closed), the user may be asked again.
    const isDeclined = answer.kind === "elicit" && answer.action === "decline";
    return textResult(isDeclined ? "The user declined the offer" : "The user has not decided yet");
  },
);

await serve(server);
