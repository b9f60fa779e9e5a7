import type { AuthorizationRules } from "@mcpwright/protocol/authorization";

const resourceName = "/.well-known/oauth-protected-resource";
const oauthName = "/.well-known/oauth-authorization-server";
const openidName = "/.well-known/openid-configuration";

/**
 * Returns where the metadata of an MCP server is looked for, in this order: for its path and query (RFC 9728, section 3.1),
 * then for its origin. A path that ends with a slash is tried without it, too.
 */
export function resourceMetadataUrls({ origin, pathname, search }: URL): readonly URL[] {
  return distinct([
    `${origin}${resourceName}${withoutSlash(pathname, "/")}${search}`,
    `${origin}${resourceName}${withoutSlash(pathname)}${search}`,
    `${origin}${resourceName}`,
  ]);
}

/** Returns where the metadata of an authorization server is looked for, in the order of the rules. */
export function serverMetadataUrls(issuer: URL, rules: AuthorizationRules): readonly URL[] {
  const { origin } = issuer;
  const path = withoutSlash(issuer.pathname);
  return distinct(
    rules.serverMetadata.flatMap((form) => {
      switch (form) {
        case "oauth":
          return `${origin}${oauthName}${path}`;
        case "openidInserted":
          return `${origin}${openidName}${path}`;
        case "openidAppended":
          return path === "" ? [] : `${origin}${path}${openidName}`;
        case "origin":
          return `${origin}${oauthName}`;
      }
    }),
  );
}

/** Whether the resource with this identifier contains the URL: same origin, and the same path or one below it. */
export function resourceCovers(resource: URL, url: URL): boolean {
  if (resource.origin !== url.origin) return false;
  const path = withoutSlash(resource.pathname);
  const isSame = path === withoutSlash(url.pathname);
  // A query identifies one resource among those with the same path.
  if (resource.search !== "") return isSame && resource.search === url.search;
  return isSame || url.pathname.startsWith(`${path}/`);
}

/** Returns the path without the slash at its end; `only` limits that to this path. */
function withoutSlash(path: string, only = path): string {
  return path === only && path.endsWith("/") ? path.slice(0, -1) : path;
}

function distinct(urls: readonly string[]): readonly URL[] {
  return [...new Set(urls)].map((url) => new URL(url));
}
