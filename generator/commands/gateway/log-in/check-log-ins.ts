import { discover, type DiscoveredServer } from "@mcpwright/runtime/auth";
import { guardedFetch } from "@mcpwright/runtime/auth/node";
import type { BearerAuth } from "@mcpwright/runtime/auth/server";
import { type Diagnostic, diagnostic } from "../../../shared/diagnostics/diagnostic.js";
import { quoteName } from "../config/labels.js";
import { type ResolvedHttpServer, tryResolve } from "../config/resolve-references.js";
import type { SourceContent } from "../gateway-source.js";
import { hostsOf } from "./config-log-in.js";
import { hasLogIn } from "./print-log-in.js";

/** A server at which users cannot log in; undefined means the gateway itself. */
export interface LogInProblem {
  readonly server: string | undefined;
  readonly diagnostic: Diagnostic;
}

const timeoutMs = 10_000;

/**
 * Finds out whether users can log in: asks each server with `logIn` for its authorization server, and the authorization servers whether they
 * know the gateway, or let it register itself. No client is registered, and no one logs in.
 * @param page the page of the gateway where log-ins begin
 */
export async function checkLogIns(
  content: SourceContent,
  authorization: BearerAuth<object>,
  page: URL,
): Promise<readonly LogInProblem[]> {
  const servers = content.servers.filter(hasLogIn);
  if (servers.length === 0) return [];
  const own = issuersOf(content).map(async (issuer): Promise<readonly LogInProblem[]> => {
    const client = content.settings.logIn?.clientId;
    const found = discoverOwn(issuer, content, authorization);
    return problemsOf(undefined, found, client !== undefined, page);
  });
  const others = servers.map(async (config): Promise<readonly LogInProblem[]> => {
    const { resolved } = tryResolve(config, content.context);
    // Missing values have been reported.
    if (resolved?.kind !== "http") return [];
    return problemsOf(config.name, discoverFor(resolved), resolved.logIn?.clientId !== undefined, page);
  });
  return (await Promise.all([...own, ...others])).flat();
}

async function problemsOf(
  server: string | undefined,
  discovered: Promise<DiscoveredServer>,
  isRegistered: boolean,
  page: URL,
): Promise<readonly LogInProblem[]> {
  const target = server === undefined ? "the gateway" : `the server ${quoteName(server)}`;
  const reason = await discovered.then((found) => (isRegistered ? undefined : unregistered(found, page)), reasonOf);
  if (reason === undefined) return [];
  return [{ server, diagnostic: diagnostic("gateway-log-in-unusable", { target, reason }) }];
}

/** `fetch` says why only in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Why the gateway cannot be a client without a registration by hand. */
function unregistered({ issuer, metadata }: DiscoveredServer, page: URL): string | undefined {
  const isPublic = page.protocol === "https:" && !/^(?:.+\.)?localhost$|^127\.|^\[::1\]$/.test(page.hostname);
  const takesDocument = isPublic && metadata["client_id_metadata_document_supported"] === true;
  if (takesDocument || metadata.registration_endpoint !== undefined) return undefined;
  return `${issuer} lets no client register itself`;
}

async function discoverFor({ url, headers, logIn }: ResolvedHttpServer): Promise<DiscoveredServer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    // The headers may be secrets, and are for this server only.
    redirect: "manual",
    signal,
  });
  await asked.body?.cancel();
  const wwwAuthenticate = asked.status === 401 ? (asked.headers.get("www-authenticate") ?? undefined) : undefined;
  const options = {
    fetch: guardedFetch({ allow: [url.hostname, ...(logIn?.authHosts ?? [])] }),
    // A server that asks for no log-in does not have those of the oldest revision either.
    ...(asked.status !== 401 && { defaultEndpoints: false }),
  };
  return discover({ url, wwwAuthenticate, options, signal });
}

/** The gateway need not run: its metadata comes from its authorization. */
function discoverOwn(
  issuer: string,
  { settings }: SourceContent,
  authorization: BearerAuth<object>,
): Promise<DiscoveredServer> {
  const send = guardedFetch({ allow: hostsOf(settings) });
  const { resourceMetadataUrl } = authorization;
  return discover({
    url: new URL(authorization.resource),
    wwwAuthenticate: `Bearer resource_metadata="${resourceMetadataUrl}"`,
    options: {
      selectIssuer: () => issuer,
      fetch: (url, init) => {
        if (url.href !== resourceMetadataUrl) return send(url, init);
        const { status, headers, body } = authorization.publicDocument(url.pathname);
        return Promise.resolve(new Response(body ?? null, { status, headers: { ...headers } }));
      },
    },
    signal: AbortSignal.timeout(timeoutMs),
  });
}

function issuersOf({ settings }: SourceContent): readonly string[] {
  const { issuer = [], introspection } = settings.authorization ?? {};
  return [...new Set([issuer, introspection?.issuer ?? []].flat())];
}
