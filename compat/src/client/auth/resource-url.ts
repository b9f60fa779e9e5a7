/** The URL of a server as an identifier of a resource: without a fragment (RFC 8707, section 2). */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url);
  resource.hash = "";
  return resource;
}

/** Whether tokens for the configured resource may be sent to the requested one: the same origin, at the path or below it. */
export function checkResourceAllowed({
  requestedResource,
  configuredResource,
}: {
  requestedResource: URL | string;
  configuredResource: URL | string;
}): boolean {
  const [requested, configured] = [new URL(requestedResource), new URL(configuredResource)];
  return requested.origin === configured.origin && folder(requested).startsWith(folder(configured));
}

function folder({ pathname }: URL): string {
  return pathname.endsWith("/") ? pathname : `${pathname}/`;
}
