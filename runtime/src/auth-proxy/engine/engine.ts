import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type KoaContextWithOIDC, Provider } from "oidc-provider";
import { configureEngine, type EngineParts } from "./engine-configuration.js";
import { documentProblem } from "../clients/metadata-documents.js";
import type { ProxySettings } from "../proxy-settings.js";
import { type StoreAccess, StoreAdapter, storedId, undoUse } from "./store-adapter.js";
import { stopUntrustedRedirect } from "./untrusted-redirects.js";

export interface Engine {
  readonly provider: Provider;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const secondsPerDay = 86_400;

/** Creates the oidc-provider that implements the protocol. It gets only requests that `toEngineRequest` made. */
export function createEngine(settings: ProxySettings, parts: EngineParts): Engine {
  const { access } = parts;
  const provider = new Provider(settings.issuer, configureEngine(settings, parts));
  // The scheme is that of the issuer.
  provider.proxy = true;
  const sessionCookie = provider.cookieName("session");
  provider.use(async (context, next) => {
    await next();
    dropCookie(context, sessionCookie);
    stopUntrustedRedirect(context as KoaContextWithOIDC, settings);
    if (context.status >= 500) await undoUse(context, access.report);
    else if (context.path === "/token" && context.status === 200)
      await renewClient(context as KoaContextWithOIDC, access, settings);
  });
  provider.on("grant.error", explain).on("revocation.error", explain);
  // An event of Koa, which its declaration lacks. Without a listener, Koa prints the error.
  (provider as EventEmitter).on("error", access.report);
  provider.on("server_error", (_context, error) => access.report(error));
  const callback = provider.callback();
  return {
    provider,
    handle: (request, response) => Promise.resolve(callback(request, response)),
  };
}

function explain(context: KoaContextWithOIDC, error: Error): void {
  const error_description = documentProblem(error);
  if (error_description !== undefined) Object.assign(Object(context.body) as object, { error_description });
}

function dropCookie(context: Pick<KoaContextWithOIDC, "response" | "res">, name: string): void {
  const cookies = context.res.getHeader("set-cookie");
  if (!Array.isArray(cookies)) return;
  const kept = cookies.filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`));
  if (kept.length > 0) context.res.setHeader("set-cookie", kept);
  else context.res.removeHeader("set-cookie");
}

/** A client that gets tokens is in use: it expires later. Written once a day at most. */
async function renewClient({ oidc }: KoaContextWithOIDC, access: StoreAccess, settings: ProxySettings): Promise<void> {
  const { clientId = "" } = oidc.client ?? {};
  const clients = new StoreAdapter("Client", access);
  try {
    const registered = await clients.find(clientId);
    const now = Math.floor(Date.now() / 1_000);
    if (!registered || now - Number(registered["mcp_used_at"] ?? 0) < secondsPerDay) return;
    const { idleDays = 90 } = settings.registration ?? {};
    await clients.put(
      storedId(clientId),
      { ...registered, mcp_used_at: now },
      Date.now() + idleDays * secondsPerDay * 1_000,
    );
  } catch {
    // The adapter has reported it. The token was issued; the next one renews the client.
  }
}
