/** The floors' replies, without a library: zod's `Booking` is only imported as a type. */
import type { Booking } from "./booking.js";

export interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly arguments: Booking };
}

const info = { name: "bench", version: "1.0.0" };

export function rawAnswer({ id, method, params }: Request, stateless: boolean): object {
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
