import type { Step } from "../../runtime/src/testing.js";

export const R1 = "2024-11-05";
export const R2 = "2025-03-26";
export const R3 = "2025-06-18";
export const R4 = "2025-11-25";
export const R5 = "2026-07-28";
export const handshakeEra = [R1, R2, R3, R4] as const;
export const everyRevision = [...handshakeEra, R5] as const;

export type Members = Readonly<Record<string, unknown>>;

/** The metadata that every request of the stateless era carries. */
export function meta(capabilities: object = {}, more: object = {}): object {
  return {
    "io.modelcontextprotocol/protocolVersion": R5,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "script", version: "1" },
    ...more,
  };
}

/** A request of the stateless era. */
export function stateless(id: unknown, method: string, params: object = {}, capabilities: object = {}): Members {
  return { id, method, params: { ...params, _meta: meta(capabilities, (params as { _meta?: object })._meta) } };
}

/** Opens a session of the handshake era with request 0. */
export function handshake(revision: string, capabilities: object = {}, result: object = {}): Step[] {
  const clientInfo = { name: "script", version: "1" };
  return [
    { "->": { id: 0, method: "initialize", params: { protocolVersion: revision, capabilities, clientInfo } } },
    { "<-": { id: 0, result: { protocolVersion: revision, ...result } } },
    { "->": { method: "notifications/initialized" } },
  ];
}

/** How a client of a revision opens a connection and writes a request. */
export function speaks(revision: string, capabilities: object = {}) {
  const modern = revision === R5;
  return {
    opening: modern ? [] : handshake(revision, capabilities),
    request: (id: unknown, method: string, params?: object): Members =>
      modern ? stateless(id, method, params, capabilities) : { id, method, ...(params && { params }) },
  };
}

/** A result with one text block. */
export function text(value: unknown): Members {
  return { content: [{ type: "text", text: value }] };
}
