/** A URI, or a URI template, of the server that has a label. */
export interface WrappedUri {
  readonly label: string;
  readonly uri: string;
}

const APP_SCHEME = "ui://";

/**
 * Puts the label of its server into a URI or a URI template: `via-files+file:///a`. The URI of an app keeps its scheme, without which hosts
 * refuse it (SEP-1865): `ui://via-files/chart`.
 */
export function wrapUri({ label, uri }: WrappedUri): string {
  return uri.startsWith(APP_SCHEME)
    ? `${APP_SCHEME}via-${label}/${uri.slice(APP_SCHEME.length)}`
    : `via-${label}+${uri}`;
}

/** The inverse of `wrapUri`; undefined for other URIs. */
export function unwrapUri(uri: string): WrappedUri | undefined {
  const [start, label, appLabel] = /^(?:via-([a-z\d.-]+)\+|ui:\/\/via-([a-z\d.-]+)\/)/i.exec(uri) ?? [];
  if (start === undefined) return undefined;
  const rest = uri.slice(start.length);
  return label === undefined
    ? { label: (appLabel ?? "").toLowerCase(), uri: APP_SCHEME + rest }
    : { label: label.toLowerCase(), uri: rest };
}

/** Whether a URI begins like wrapped ones. If a server has such a URI itself, it is wrapped again. */
export function looksWrapped(uri: string): boolean {
  return /^(?:via-|ui:\/\/via-)/i.test(uri);
}
