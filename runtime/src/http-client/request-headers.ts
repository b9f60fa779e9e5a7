import type { Side } from "@mcpwright/protocol/contract";
import { META_PROTOCOL_VERSION, TOOLS_CALL } from "@mcpwright/protocol/names";
import type { HeaderParam } from "../http/header-param.js";
import { findHeaderParams, headerParamValue } from "../http/tool-header-params.js";
import { encodeHeaderValue } from "../http/header-value.js";
import { SdkError } from "../jsonrpc/errors.js";
import { isObject, ownMember } from "../jsonrpc/guards.js";
import type { JSONRPCMessage, Params } from "../jsonrpc/message-types.js";

/** The headers that repeat parts of a message (MCP 2026-07-28, Streamable HTTP: request headers). */
export class RequestHeaders {
  /** The negotiated or attempted revision. */
  side: Side | undefined;
  /** The version that the handshake negotiated. */
  version: string | undefined;
  /** The arguments that tools repeat in headers, by tool name. */
  readonly #params = new Map<string, readonly HeaderParam[]>();
  /** The results of reading input schemas, because cached lists are checked repeatedly. */
  readonly #found = new WeakMap<object, ReturnType<typeof findHeaderParams>>();

  /** Learns which arguments a tool repeats in headers. @returns why the tool cannot be called */
  learnTool(tool: unknown): string | undefined {
    if (!this.side?.profile.standardHeaders || !isObject(tool)) return undefined;
    const { name, inputSchema } = tool;
    if (typeof name !== "string" || !isObject(inputSchema)) return undefined;
    let found = this.#found.get(inputSchema);
    if (!found) this.#found.set(inputSchema, (found = findHeaderParams(inputSchema)));
    if ("problem" in found || found.params.length === 0) this.#params.delete(name);
    else this.#params.set(name, found.params);
    return "problem" in found ? found.problem : undefined;
  }

  /** The headers of requests without a message. */
  forSession(sessionId: string | undefined): Record<string, string> {
    if (this.side?.profile.opening === "stateless") return {};
    return {
      ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
      ...(this.#agreed !== undefined && { "mcp-protocol-version": this.#agreed }),
    };
  }

  /** The oldest HTTP transport does not have the version header. */
  get #agreed(): string | undefined {
    return this.side?.profile.httpTransport === "sse" ? undefined : this.version;
  }

  /** @throws SdkError `INVALID_CONFIGURATION` for an integer that headers cannot carry exactly */
  forMessage(message: JSONRPCMessage | readonly JSONRPCMessage[]): Record<string, string> {
    const headers: Record<string, string> = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    const { method, params } = message as { readonly method?: string; readonly params?: Params };
    const claim = params?._meta?.[META_PROTOCOL_VERSION];
    const profile = this.side?.profile;
    const own = profile?.versionHeader === "everyRequest" ? this.side?.revision : this.#agreed;
    const version = typeof claim === "string" ? claim : own;
    if (version !== undefined) headers["mcp-protocol-version"] = encodeHeaderValue(version);
    if (!profile?.standardHeaders || method === undefined) return headers;
    headers["mcp-method"] = encodeHeaderValue(method);
    const { results } = this.side?.receives ?? {};
    const by = ownMember(results, method)?.routedBy;
    const name = by === undefined ? undefined : params?.[by];
    if (typeof name !== "string") return headers;
    headers["mcp-name"] = encodeHeaderValue(name);
    if (method === TOOLS_CALL) this.#mirror(name, params?.["arguments"], headers);
    return headers;
  }

  #mirror(tool: string, args: unknown, headers: Record<string, string>): void {
    for (const param of this.#params.get(tool) ?? []) {
      const value = headerParamValue(param, args);
      if (value === undefined) continue;
      if (param.type === "integer" && !Number.isSafeInteger(Number(value)))
        throw new SdkError(
          "INVALID_CONFIGURATION",
          `tool "${tool}" was not called: ${param.path.join(".")} is an integer beyond ±(2^53-1), which the header Mcp-Param-${param.name} cannot carry`,
        );
      headers[`mcp-param-${param.name.toLowerCase()}`] = encodeHeaderValue(value);
    }
  }
}
