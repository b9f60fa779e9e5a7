import type { CredentialStore } from "@mcpwright/runtime/auth";
import { isObject } from "../is-object.js";
import type { AuthorizationSettings } from "../command/authorization-settings.js";

/** What the user specified at the last log-in to a server; refreshing its tokens needs the same. */
export type SavedClient = Pick<AuthorizationSettings, "clientId" | "clientSecret" | "authHosts">;

/** Reads what `saveClient` has stored. A record of another form counts as absent. */
export async function readSavedClient(store: CredentialStore, url: URL): Promise<SavedClient> {
  const record = parsed((await store.get(keyOf(url))) ?? "{}");
  if (!isObject(record)) return {};
  const { clientId, clientSecret, authHosts } = record;
  return {
    ...(typeof clientId === "string" && { clientId }),
    ...(typeof clientSecret === "string" && { clientSecret }),
    ...(Array.isArray(authHosts) && { authHosts: authHosts.map(String) }),
  };
}

/** Combines the settings of this run with those of the last log-in. A secret belongs to its client. */
export function withSavedClient(settings: AuthorizationSettings, saved: SavedClient): AuthorizationSettings {
  const { clientId, clientSecret, authHosts } = settings;
  const isSame = clientId === undefined || clientId === saved.clientId;
  const client = isSame
    ? { ...saved, ...(clientSecret !== undefined && { clientSecret }) }
    : { clientId, ...(clientSecret !== undefined && { clientSecret }) };
  return { ...settings, ...client, authHosts: [...new Set([...(saved.authHosts ?? []), ...(authHosts ?? [])])] };
}

/** Stores the client for later runs. */
export async function saveClient(store: CredentialStore, url: URL, settings: AuthorizationSettings): Promise<void> {
  const { clientId, clientSecret, authHosts = [] } = settings;
  if (clientId === undefined && authHosts.length === 0) await store.delete(keyOf(url));
  else await store.set(keyOf(url), JSON.stringify({ clientId, clientSecret, authHosts }));
}

/** @param url of the MCP server */
export async function forgetClient(store: CredentialStore, url: URL): Promise<void> {
  await store.delete(keyOf(url));
}

function keyOf({ origin, pathname, search }: URL): string {
  return `mcpwright-client ${origin}${pathname}${search}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Stored by another program.
    return undefined;
  }
}
