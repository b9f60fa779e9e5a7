/** The identifier of a protected resource (RFC 8707): the URL of the server without a fragment. */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url);
  resource.hash = "";
  return resource;
}

/** Whether a token for one resource may be used for another: both have the same origin, and its path begins with that of the other. */
export function checkResourceAllowed({
  requestedResource,
  configuredResource,
}: {
  requestedResource: URL | string;
  configuredResource: URL | string;
}): boolean {
  const requested = new URL(requestedResource);
  const configured = new URL(configuredResource);
  return requested.origin === configured.origin && withSlash(requested).startsWith(withSlash(configured));
}

function withSlash({ pathname }: URL): string {
  return pathname.endsWith("/") ? pathname : `${pathname}/`;
}
