/** The floors: JSON.parse, an object, JSON.stringify. Second argument: the revision whose replies are made. */
import type { Booking } from "./booking.js";

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly arguments: Booking };
}

const info = { name: "bench", version: "1.0.0" };
const stateless = process.argv[3] === "2026-07-28";

/** The replies to all whole lines of what has been read, one by one. */
export function echo(reply: (text: string) => void, turn: () => void): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const request = JSON.parse(line) as Request;
      if (request.id !== undefined) reply(JSON.stringify(answer(request)) + "\n");
    }
    turn();
  });
}

function answer({ id, method, params }: Request): object {
  if (method !== "tools/call") return { jsonrpc: "2.0", id, result: opening(method) };
  const content = [{ type: "text", text: priceOf(params.arguments) }];
  const result = stateless
    ? { resultType: "complete", content, _meta: { "io.modelcontextprotocol/serverInfo": info } }
    : { content };
  return { jsonrpc: "2.0", id, result };
}

function priceOf({ city, nights, price, breakfast, guests }: Booking): string {
  return `${city}: ${nights * (price + (breakfast ? 10 : 0)) * guests.length}`;
}

function opening(method: string): object {
  const capabilities = { tools: {} };
  if (method === "server/discover")
    return {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities,
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": info },
    };
  return method === "initialize" ? { protocolVersion: "2025-11-25", capabilities, serverInfo: info } : {};
}
