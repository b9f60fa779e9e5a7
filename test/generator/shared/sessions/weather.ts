import { serverSides } from "@mcpwright/protocol/server-sides";
import { McpServer, ResourceTemplate } from "../../../../runtime/src/server.js";

interface WeatherOptions {
  /** The revisions that it speaks. Default: all. */
  readonly revisions?: readonly string[];
  readonly pageSize?: number;
  /** Whether it is a later edition: one tool is new, one is gone, one takes something else. */
  readonly later?: boolean;
}

/** Accepts every message, because the tests check the behaviour of clients. */
const shape = (jsonSchema: object) => ({ jsonSchema, validate: (value: unknown) => ({ value: value as never }) });
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

/** A server with something of everything. */
export function weather({ revisions, pageSize, later = false }: WeatherOptions = {}): McpServer {
  const sides = serverSides.filter(({ revision }) => revisions?.includes(revision) ?? true);
  const server = new McpServer(
    { name: "weather", version: "1.2.0", title: "Weather" },
    {
      revisions: sides,
      capabilities: { logging: {} },
      instructions: "Ask for cities.",
      ...(pageSize !== undefined && { pageSize }),
    },
  );
  server.registerTool(
    "get-forecast",
    {
      title: "Forecast",
      description: "The weather of the days to come.",
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: shape({
        type: "object",
        properties: {
          city: { type: "string", description: "Where." },
          days: later ? { type: "string" } : { type: "integer", minimum: 1 },
          exact: { type: "boolean" },
        },
        required: ["city"],
      }),
      outputSchema: shape({
        type: "object",
        properties: { degrees: { type: "number" }, sky: { enum: ["clear", "cloudy"] } },
        required: ["degrees"],
      }),
    },
    (args: { city: string; days?: number }) => {
      if (args.city === "Atlantis") return { ...text("There is no such city."), isError: true };
      const structuredContent = args.city === "Hell" ? { degrees: "hot" } : { degrees: args.days ?? 20, sky: "clear" };
      return { ...text(JSON.stringify(args)), structuredContent: structuredContent as never };
    },
  );
  server.registerTool(later ? "list-cities" : "cities", { description: "All cities." }, async (ctx) => {
    ctx.log("info", { looked: "up" });
    ctx.progress({ progress: 1, total: 2, message: "half" });
    await Promise.resolve();
    return text("Rome, Oslo");
  });
  server.registerTool("ask", {}, async (ctx) => {
    const answer = await ctx.elicit("who", {
      message: "Who are you?",
      requestedSchema: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 }, fine: { type: "boolean" } },
        required: ["name"],
      },
    });
    return text(JSON.stringify(answer));
  });
  server.registerTool("visit", {}, async (ctx) =>
    text(JSON.stringify(await ctx.elicit("where", { mode: "url", message: "Pay", url: "https://pay.example/1" }))),
  );
  server.registerTool("write", {}, async (ctx) =>
    text(
      JSON.stringify(
        await ctx.sample("text", { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 9 }),
      ),
    ),
  );
  server.registerTool("touch", {}, () => {
    server.sendResourceUpdated({ uri: "note:///today" });
    server.registerTool(`made-${Math.random()}`, {}, () => text("")).remove();
    return text("touched");
  });
  server.registerResource(
    "today",
    "note:///today",
    { mimeType: "text/plain", description: "The note of the day" },
    () => ({
      contents: [{ uri: "note:///today", text: "Take an umbrella." }],
    }),
  );
  server.registerResource(
    "note",
    new ResourceTemplate("note:///{id}{?page}", {
      list: undefined,
      complete: { id: (value: string) => ["one", "two", "three"].filter((id) => id.startsWith(value)) },
    }),
    { title: "A note" },
    (uri, variables) => ({ contents: [{ uri: uri.href, text: JSON.stringify(variables) }] }),
  );
  server.registerPrompt(
    "plan-trip",
    {
      description: "Plans a trip.",
      argsSchema: shape({
        type: "object",
        properties: { city: { type: "string", description: "Where to." }, days: { type: "string" } },
        required: ["city"],
      }),
      complete: { city: (value: string) => ["Rome", "Riga", "Oslo"].filter((city) => city.startsWith(value)) },
    },
    (args: { city: string }) => ({
      messages: [{ role: "user" as const, content: { type: "text" as const, text: `Plan a trip to ${args.city}.` } }],
    }),
  );
  return server;
}
