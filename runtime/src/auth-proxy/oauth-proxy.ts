import type { IncomingMessage, ServerResponse } from "node:http";
import type { OAuthTokenVerifier } from "../auth-server.js";
import { SdkError } from "../jsonrpc/errors.js";
import { toError } from "../jsonrpc/error-conversion.js";
import type { Principal } from "../transport/principal.js";
import { ClientRegistration } from "./clients/client-registration.js";
import { createEngine } from "./engine/engine.js";
import { EngineInteractions } from "./engine/engine-interactions.js";
import { StoreAdapter } from "./engine/store-adapter.js";
import { MemoryProxyStore } from "./memory-proxy-store.js";
import { MetadataDocuments } from "./clients/metadata-documents.js";
import type { OAuthProxyOptions } from "./oauth-proxy-options.js";
import { ProxyListener } from "./proxy-listener.js";
import type { PageParts, ProxyFlow } from "./proxy-pages.js";
import { checkOptions } from "./proxy-settings.js";
import type { ProxyClaims } from "./proxy-claims.js";
import { ProxyVerifier } from "./proxy-verifier.js";
import { Sealer } from "./sealer.js";
import { UpstreamError } from "./upstream-error.js";
import type { UpstreamAccess } from "./upstream-tokens.js";

/** A function for `fallback` of `serveHttp`, for `node:http`, and for express, where it passes other paths on. */
export type OAuthProxyListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** An authorization server for MCP clients, whose users log in at another provider. */
export interface OAuthProxy {
  /** The issuer identifier, as the metadata state it. */
  readonly issuer: string;
  /** Serves the endpoints, the metadata and the pages; responds with 404 to other paths. */
  readonly listener: OAuthProxyListener;
  /** Verifies the access tokens of this proxy: pass it to `requireBearerAuth`. Revoked tokens are refused at once. */
  readonly verifier: OAuthTokenVerifier<ProxyClaims>;
  /**
   * Returns the provider's tokens of the user who sent a request, refreshed when they have expired. Use them in tools; never
   * return them to the client.
   * @param caller the context of a handler, or its principal
   * @param rejected an access token that the provider's API has refused: it is refreshed, or the user has to log in again
   * @throws SdkError `INVALID_CONFIGURATION` when the request was not authenticated by this proxy; `UpstreamError` when the
   * provider gives no tokens; SdkError `STORE_FAILED` when the store failed (`onerror` gets the error of the store)
   * @example
   * ```ts
   * server.registerTool("stars", { scopes: ["repos"] }, async (context) => {
   *   const { accessToken } = await proxy.upstreamTokens(context);
   *   const headers = { authorization: `Bearer ${accessToken}` };
   *   const response = await fetch("https://api.github.com/user/starred", { headers, signal: context.signal });
   *   return { content: [{ type: "text", text: await response.text() }] };
   * });
   * ```
   */
  upstreamTokens(
    caller: Principal | { readonly principal?: Principal | undefined },
    rejected?: string,
  ): Promise<UpstreamAccess>;
  /** Responds with 503 from now on. The store stays open. */
  close(): Promise<void>;
}

/** Joins the engine, the pages and the store. */
export function assembleProxy(options: OAuthProxyOptions, createFlow: (parts: PageParts) => ProxyFlow): OAuthProxy {
  const settings = checkOptions(options);
  const report = (error: unknown): void => reportProxyError(options, error);
  const store = options.store ?? new MemoryProxyStore();
  const sealer = new Sealer(settings.secrets, report);
  const { registration, metadataDocuments, redirects, issuer, basePath } = settings;
  const access = { store, sealer, report, unusedClientMs: (registration?.unusedDays ?? 1) * 86_400_000 };
  const documents = new MetadataDocuments(metadataDocuments ?? {}, redirects);
  const engine = createEngine(settings, {
    access,
    fetchDocument: (url) => documents.fetch(url),
    maxDocumentBytes: documents.maxBytes,
  });
  const pending = new EngineInteractions(engine.provider, settings);
  const grants = new StoreAdapter("Grant", access);
  const revokeAccount = (accountId: string): Promise<void> => grants.revokeByAccountId(accountId);
  const { grantSeconds } = settings;
  const flow = createFlow({ options, store, sealer, issuer, basePath, grantSeconds, pending, revokeAccount, report });
  const listener = new ProxyListener({
    settings,
    engine,
    pages: flow,
    registration: registration && new ClientRegistration(registration, store, redirects),
    store,
    report,
  });
  return {
    issuer,
    verifier: new ProxyVerifier(issuer, access),
    listener: (request, response, next) => {
      void listener
        .handle(request, response)
        .then((isServed) => {
          if (isServed) return;
          if (next) next();
          else response.writeHead(404).end();
        })
        .catch(report);
    },
    async upstreamTokens(caller, rejected) {
      const principal = "subject" in caller ? caller : caller.principal;
      if (principal?.issuer !== issuer)
        throw new SdkError(
          "INVALID_CONFIGURATION",
          "the request was not authenticated by this proxy: protect the server with requireBearerAuth({ verifier: proxy.verifier, … })",
        );
      try {
        return await flow.tokensOf(principal.subject, rejected);
      } catch (error) {
        if (error instanceof UpstreamError) throw error;
        // Clients see the messages of errors that tools throw.
        report(error);
        throw new SdkError("STORE_FAILED", "the store of the OAuth proxy failed; try again later");
      }
    },
    close() {
      listener.close();
      return Promise.resolve();
    },
  };
}

function reportProxyError({ onerror }: OAuthProxyOptions, error: unknown): void {
  try {
    if (onerror) onerror(toError(error));
    else process.emitWarning(toError(error));
  } catch (failure) {
    process.emitWarning(toError(failure));
  }
}
