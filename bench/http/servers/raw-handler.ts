/** The floor as a `fetch` handler: measures the cost of a bridge, because the handler does almost nothing. */
import { randomUUID } from "node:crypto";
import { rawAnswer, type Request as Asked } from "../../shared/raw-answer.js";
import { eventOf, streamHead } from "./echo.js";
import { kind, reply } from "./form.js";

export async function fetch(request: Request): Promise<Response> {
  const message = (await request.json()) as Asked;
  if (message.id === undefined) return new Response(null, { status: 202 });
  const text = JSON.stringify(rawAnswer(message, kind === "stateless"));
  const session =
    kind === "sessions" && message.method === "initialize" ? { "Mcp-Session-Id": randomUUID() } : undefined;
  return reply === "json"
    ? new Response(text, { headers: { "Content-Type": "application/json", ...session } })
    : new Response(eventOf(text), { headers: { ...streamHead, ...session } });
}
