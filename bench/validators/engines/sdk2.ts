import { readdirSync, readFileSync } from "node:fs";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/core";
import type { Engine, Predicate, Revision } from "../contract.js";

/** The codecs with which the SDK checks the messages of one revision. Only they contain the schemas of 2026-07-28. */
interface WireCodec {
  validateRequest(method: string, raw: unknown): { readonly ok: boolean };
  validateResult(method: string, raw: unknown): { readonly ok: boolean };
  validateInputRequest(method: string, raw: unknown): { readonly ok: boolean };
  decodeResult(method: string, raw: unknown): { readonly kind: string };
  checkInboundEnvelope(material: { readonly envelope: unknown }): string | undefined;
}

const resultMethods: Readonly<Record<string, string>> = {
  CallToolResult: "tools/call",
  ListToolsResult: "tools/list",
  InitializeResult: "initialize",
  DiscoverResult: "server/discover",
  ReadResourceResult: "resources/read",
};
const requestMethods: Readonly<Record<string, string>> = {
  CallToolRequest: "tools/call",
  CreateMessageRequest: "sampling/createMessage",
  ElicitRequest: "elicitation/create",
};

export const sdk2: Engine = {
  name: "SDK 2.x (zod)",
  packageName: "@modelcontextprotocol/server",
  load: async (revision) => {
    const codec = await codecOf(revision);
    const { request, result } = revision === "2025-11-25" ? handshakeEra(codec) : statelessEra(codec);
    return (definition) => {
      if (definition === "JSONRPCMessage") return (value) => JSONRPCMessageSchema.safeParse(value).success;
      const resultMethod = resultMethods[definition];
      if (resultMethod !== undefined) return result(resultMethod);
      const requestMethod = requestMethods[definition];
      return requestMethod === undefined ? undefined : request(requestMethod);
    };
  },
};

interface Checks {
  readonly request: (method: string) => Predicate;
  readonly result: (method: string) => Predicate;
}

function handshakeEra(codec: WireCodec): Checks {
  return {
    request: (method) => (value) => codec.validateRequest(method, value).ok,
    result: (method) => (value) => codec.validateResult(method, value).ok,
  };
}

function statelessEra(codec: WireCodec): Checks {
  return {
    request: (method) =>
      method === "tools/call"
        ? (value) =>
            codec.checkInboundEnvelope({ envelope: metaOf(value) }) === undefined &&
            codec.validateRequest(method, value).ok
        : (value) => codec.validateInputRequest(method, value).ok,
    result: (method) => (value) => codec.decodeResult(method, value).kind === "complete",
  };
}

function metaOf(request: unknown): unknown {
  return (request as { readonly params?: { readonly _meta?: unknown } }).params?._meta;
}

/** The package does not export its codecs, but one of its chunks does, under a short name. */
async function codecOf(revision: Revision): Promise<WireCodec> {
  const folder = new URL(".", import.meta.resolve("@modelcontextprotocol/server"));
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".mjs")) continue;
    const file = new URL(name, folder);
    const alias = /\bcodecForVersion as (\w+)/.exec(readFileSync(file, "utf8").split("\nexport {")[1] ?? "")?.[1];
    if (alias === undefined) continue;
    const chunk = (await import(file.href)) as Readonly<Record<string, (version: string) => WireCodec>>;
    const codecForVersion = chunk[alias];
    if (codecForVersion) return codecForVersion(revision);
  }
  throw new Error("@modelcontextprotocol/server holds its codecs somewhere else: adapt validators/engines/sdk2.ts");
}
