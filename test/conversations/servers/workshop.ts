import { McpServer } from "../../../runtime/src/server/core.js";
import { object, optionsOf, type ServerSetup, text } from "./setup.js";

/** What the nodes of the server share. */
export const openWorkshop = () => ({ held: new Map<string, () => void>(), trail: [] as string[], count: 0 });

/** A server with tools that wait, count calls, and show their context. */
export function workshop(setup: ServerSetup, state = openWorkshop()): McpServer {
  const server = new McpServer(
    { name: "workshop", version: "1" },
    optionsOf(setup, { capabilities: { logging: {} }, onerror: () => undefined }),
  );
  const { held, trail } = state;

  server.registerTool("count", {}, () => text(++state.count));

  server.registerTool("who", {}, ({ client }) =>
    text(JSON.stringify({ revision: client.side.revision, capabilities: client.capabilities })),
  );

  // Ends when `release` is called, or when the call is cancelled.
  server.registerTool("hold", { inputSchema: object({ name: "string" }) }, async ({ name }, { signal }) => {
    await new Promise<void>((resolve, reject) => {
      held.set(name, resolve);
      signal.addEventListener("abort", () => {
        trail.push(`${name} aborted`);
        reject(signal.reason as Error);
      });
    });
    return text(`${name} released`);
  });
  server.registerTool("release", { inputSchema: object({ name: "string" }) }, ({ name }) => {
    held.get(name)?.();
    return text(held.delete(name));
  });
  server.registerTool("trail", {}, () => text(trail.join(", ")));

  server.registerTool("steps", { inputSchema: object({ name: "string" }) }, async ({ name }, ctx) => {
    for (const progress of [0.2, 0.6]) ctx.progress({ progress, total: 1, message: `${name} ${progress}` });
    await new Promise<void>((resolve, reject) => {
      held.set(name, resolve);
      ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason as Error));
    }).finally(() => {
      ctx.progress({ progress: 0.6 });
      ctx.progress({ progress: 1, total: 1 });
      setTimeout(() => ctx.progress({ progress: 2, total: 1 }), 5);
    });
    return text(`${name} done`);
  });

  server.registerTool("nap", { inputSchema: object({ ms: "number" }) }, async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return text("rested");
  });

  server.registerTool("log", {}, (ctx) => {
    ctx.log("debug", `debug for ${String(ctx.requestId)}`);
    ctx.log("error", `error for ${String(ctx.requestId)}`);
    return text("logged");
  });

  server.registerTool(
    "get-alerts",
    {
      inputSchema: {
        jsonSchema: { type: "object", properties: { state: { type: "string", pattern: "^[A-Z]{2}$" } } },
        validate: (value: unknown) =>
          /^[A-Z]{2}$/.test(String((value as { state?: unknown }).state))
            ? { value: value as { state: string } }
            : { issues: [{ message: "must be two letters", path: ["state"] }] },
      },
    },
    ({ state }) => text(`No active alerts for ${state}`),
  );

  const outputSchema = object({ temperature: "number" });
  server.registerTool("weather", { inputSchema: object({ state: "string" }), outputSchema }, ({ state }) => {
    if (state === "XX") throw new Error("There is no state XX");
    if (state === "bad") return { structuredContent: { temperature: "hot" as never }, content: [] };
    if (state === "sorry") return { isError: true, content: [{ type: "text", text: "The station is down" }] };
    return {
      structuredContent: { temperature: 20 },
      content: [
        { type: "text", text: "20 degrees" },
        { type: "resource_link", uri: "weather:///ca", name: "More" },
      ],
    };
  });

  return server;
}
