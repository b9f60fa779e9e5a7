import type { AuthInfo, JSONRPCMessage, MessageExtraInfo } from "../types/index.js";
import { lazyMember } from "../shared/lazy-member.js";
import type { Transport } from "../shared/transport.js";
import { errorResponse } from "./parse-request-body.js";
import type { ScopeChallengeHandler } from "./scope-challenge.js";
import { toResponse } from "./http-reply.js";
import { type ReceivedRequest, webRequestOf } from "./received-request.js";
import { scopeRefusal } from "./scope-refusal.js";
import {
  type HandleRequestOptions,
  SessionHttpTransport,
  type SessionHttpTransportOptions,
} from "./session-http-transport.js";

export type { HandleRequestOptions } from "./session-http-transport.js";

export interface WebStandardStreamableHTTPServerTransportOptions extends SessionHttpTransportOptions {
  supportedProtocolVersions?: string[] | undefined;
}

/** Streamable HTTP of version 2, which checks the scopes of clients, on any host. */
export abstract class ScopedHttpTransport extends SessionHttpTransport<MessageExtraInfo> implements Transport {
  #resolveScopes: ScopeChallengeHandler | undefined;

  constructor(options: WebStandardStreamableHTTPServerTransportOptions = {}) {
    super(options, { endsFinished: true, onUndeliverable: (error) => this.onerror?.(error) });
    if (options.supportedProtocolVersions) this.supportedVersions = options.supportedProtocolVersions;
  }

  /** Sets the scopes that requests need. */
  setScopeChallengeResolver(resolver: ScopeChallengeHandler): void {
    this.#resolveScopes = resolver;
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.supportedVersions = versions;
  }

  protected override extraOf(received: ReceivedRequest, authInfo: AuthInfo | undefined): MessageExtraInfo {
    return new HttpExtra(received, authInfo);
  }

  protected override refusalOf(
    messages: readonly JSONRPCMessage[],
    authInfo: AuthInfo | undefined,
  ): Promise<Response | undefined> | undefined {
    const resolve = this.#resolveScopes;
    return resolve && this.#firstRefusal(resolve, messages, authInfo);
  }

  async #firstRefusal(
    resolveScopeChallenge: ScopeChallengeHandler,
    messages: readonly JSONRPCMessage[],
    authInfo: AuthInfo | undefined,
  ): Promise<Response | undefined> {
    try {
      for (const message of messages) {
        const refused = await scopeRefusal({ resolveScopeChallenge }, message, authInfo);
        if (refused) return refused;
      }
    } catch (error) {
      this.onerror?.(error as Error);
      return errorResponse(500, -32603, "Internal server error");
    }
    return undefined;
  }
}

const source: unique symbol = Symbol("request");

class HttpExtra implements MessageExtraInfo {
  declare readonly request: Request;
  declare readonly authInfo?: AuthInfo;
  readonly [source]: ReceivedRequest;

  constructor(received: ReceivedRequest, authInfo: AuthInfo | undefined) {
    this[source] = received;
    Object.defineProperty(this, "request", request);
    if (authInfo) this.authInfo = authInfo;
  }
}

/** Not every host has one, and few programs read it. */
const request = lazyMember<HttpExtra>("request", (extra) => webRequestOf(extra[source]));

/** Serves one session, or one request, of a client with a handshake over HTTP. */
export class WebStandardStreamableHTTPServerTransport extends ScopedHttpTransport {
  /**
   * Serves a request.
   * @throws Error (a rejection) for a second request without sessions
   */
  async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    return toResponse(await this.serve(request, options));
  }
}
