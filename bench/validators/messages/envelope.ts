import type { Revision } from "../contract.js";

/** Members with the value `undefined` are omitted from the message. */
export type Json = Readonly<Record<string, unknown>>;

const stateless = (revision: Revision): boolean => revision === "2026-07-28";

/** The members of a request or notification besides its method and params. */
export function requestEnvelope(index: number): Json {
  return { jsonrpc: "2.0", id: index % 2 === 0 ? index : `request-${index}` };
}

/** A request that is a message in 2025-11-25 and embedded in a result in 2026-07-28. */
export function inputRequest(revision: Revision, index: number, method: string, params: Json): Json {
  return stateless(revision) ? { method, params } : { ...requestEnvelope(index), method, params };
}

export function requestMeta(revision: Revision, index: number): Json | undefined {
  const progressToken = index % 3 === 0 ? undefined : index % 3 === 1 ? index : `progress-${index}`;
  if (!stateless(revision)) return progressToken === undefined ? undefined : { progressToken };
  return {
    progressToken,
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": index % 4 === 3 ? undefined : implementation(index),
    "io.modelcontextprotocol/clientCapabilities": clientCapabilities(index),
    "io.modelcontextprotocol/logLevel": index % 5 === 1 ? "warning" : undefined,
  };
}

export function resultEnvelope(revision: Revision, index: number): Json {
  if (!stateless(revision)) return { _meta: index % 2 === 0 ? undefined : { "com.example/region": "eu" } };
  return {
    resultType: "complete",
    _meta: index % 2 === 0 ? undefined : { "io.modelcontextprotocol/serverInfo": implementation(index) },
  };
}

export function cacheHints(revision: Revision, index: number): Json {
  return stateless(revision) ? { ttlMs: 60_000 * index, cacheScope: index % 2 === 0 ? "public" : "private" } : {};
}

export function implementation(index: number): Json {
  return {
    name: `example-${index}`,
    title: index % 2 === 0 ? "Example implementation" : undefined,
    version: `1.${index}.0`,
    websiteUrl: index % 3 === 0 ? "https://example.com/about" : undefined,
    icons: index % 4 === 1 ? [icon] : undefined,
  };
}

export const icon: Json = { src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48", "96x96"] };

function clientCapabilities(index: number): Json {
  return {
    roots: index % 2 === 0 ? {} : undefined,
    sampling: index % 3 === 0 ? { tools: {} } : undefined,
    elicitation: index % 2 === 1 ? { form: {}, url: {} } : undefined,
  };
}
