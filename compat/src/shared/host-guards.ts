export type HostHeaderValidationResult =
  | { ok: true; hostname: string }
  | {
      ok: false;
      errorCode: "missing_host" | "invalid_host_header" | "invalid_host";
      message: string;
      hostHeader?: string;
      hostname?: string;
    };

export type OriginValidationResult =
  | { ok: true; origin?: string; hostname?: string }
  | {
      ok: false;
      errorCode: "invalid_origin_header" | "invalid_origin";
      message: string;
      originHeader?: string;
      hostname?: string;
    };

const localHostnames = ["localhost", "127.0.0.1", "[::1]"] as const;

export function localhostAllowedHostnames(): string[] {
  return [...localHostnames];
}

export function localhostAllowedOrigins(): string[] {
  return [...localHostnames];
}

/** Compares the hostname of a `Host` header, without its port, with a list. */
export function validateHostHeader(
  hostHeader: string | null | undefined,
  allowedHostnames: string[],
): HostHeaderValidationResult {
  if (!hostHeader) return { ok: false, errorCode: "missing_host", message: "Missing Host header" };
  const hostname = parse(`http://${hostHeader}`)?.hostname;
  if (hostname === undefined)
    return { ok: false, errorCode: "invalid_host_header", message: `Invalid Host header: ${hostHeader}`, hostHeader };
  return allowedHostnames.includes(hostname)
    ? { ok: true, hostname }
    : { ok: false, errorCode: "invalid_host", message: `Invalid Host: ${hostname}`, hostHeader, hostname };
}

/**
 * Compares the hostname of an `Origin` header with a list, in which `<scheme>://*` stands for all origins of a scheme other than HTTP.
 * Requests without an origin are allowed.
 */
export function validateOriginHeader(
  originHeader: string | null | undefined,
  allowedOriginHostnames: string[],
): OriginValidationResult {
  if (!originHeader) return { ok: true };
  const { hostname, protocol } = parse(originHeader) ?? { hostname: "", protocol: "" };
  if (hostname === "") {
    const message = `Invalid Origin header: ${originHeader}`;
    return { ok: false, errorCode: "invalid_origin_header", message, originHeader };
  }
  const isAllowedScheme = !/^https?:$/.test(protocol) && allowedOriginHostnames.includes(`${protocol}//*`);
  return isAllowedScheme || allowedOriginHostnames.includes(hostname)
    ? { ok: true, origin: originHeader, hostname }
    : { ok: false, errorCode: "invalid_origin", message: `Invalid Origin: ${hostname}`, originHeader, hostname };
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** The response to a request that a host or origin guard does not allow. */
export function hostHeaderValidationResponse(request: Request, allowedHostnames: string[]): Response | undefined {
  return refusal(validateHostHeader(request.headers.get("host"), allowedHostnames));
}

export function originValidationResponse(request: Request, allowedOriginHostnames: string[]): Response | undefined {
  return refusal(validateOriginHeader(request.headers.get("origin"), allowedOriginHostnames));
}

function refusal(result: HostHeaderValidationResult | OriginValidationResult): Response | undefined {
  return result.ok ? undefined : Response.json(refusalBody(result.message), { status: 403 });
}

/** The JSON-RPC error in responses to requests that never reach a server. */
export function refusalBody(message: string) {
  return { jsonrpc: "2.0", error: { code: -32000, message }, id: null } as const;
}

/** The guards of a framework, in its form. */
export interface HostGuards<Guard> {
  /** Allows requests whose `Host` header has one of the hostnames. Others get 403. */
  readonly hostHeaderValidation: (allowedHostnames: string[]) => Guard;
  /** Allows the hostnames of this computer only, so that DNS rebinding does not reach the server. */
  readonly localhostHostValidation: () => Guard;
  /** Allows requests of scripts from the listed origins, and those without an `Origin` header. Others get 403. */
  readonly originValidation: (allowedOriginHostnames: string[]) => Guard;
  /** Allows scripts of this computer only. */
  readonly localhostOriginValidation: () => Guard;
}

/** @param toGuard returns the guard of a header: `problemOf` returns a message for a value that is not allowed */
export function hostGuards<Guard>(
  toGuard: (header: "host" | "origin", problemOf: (value: string | undefined) => string | undefined) => Guard,
): HostGuards<Guard> {
  const hostHeaderValidation: HostGuards<Guard>["hostHeaderValidation"] = (allowed) =>
    toGuard("host", (host) => problemIn(validateHostHeader(host, allowed)));
  const originValidation: HostGuards<Guard>["originValidation"] = (allowed) =>
    toGuard("origin", (origin) => problemIn(validateOriginHeader(origin, allowed)));
  return {
    hostHeaderValidation,
    localhostHostValidation: () => hostHeaderValidation(localhostAllowedHostnames()),
    originValidation,
    localhostOriginValidation: () => originValidation(localhostAllowedOrigins()),
  };
}

function problemIn(result: HostHeaderValidationResult | OriginValidationResult): string | undefined {
  return result.ok ? undefined : result.message;
}

/** The guards that an application for a host has. */
export interface HostOptions {
  /** The address that the program listens on. Default: `127.0.0.1`. */
  host?: string;
  /** The hostnames of allowed `Host` headers. Default: those of this computer when `host` is one of them, otherwise all. */
  allowedHosts?: string[];
  /** The hostnames of allowed `Origin` headers. The default is as for `allowedHosts`. */
  allowedOrigins?: string[];
}

/** The guards of an application: the allowed hostnames, or `undefined` where all are allowed. */
export interface HostRules {
  readonly hosts: string[] | undefined;
  readonly origins: string[] | undefined;
  /** Set when the application can be reached from other computers by any name. */
  readonly warning: string | undefined;
}

export function hostRules({ host = "127.0.0.1", allowedHosts, allowedOrigins }: HostOptions): HostRules {
  const isLocal = ["127.0.0.1", "localhost", "::1"].includes(host);
  const isOpen = !allowedHosts && ["0.0.0.0", "::"].includes(host);
  return {
    hosts: allowedHosts ?? (isLocal ? localhostAllowedHostnames() : undefined),
    origins: allowedOrigins ?? (isLocal ? localhostAllowedOrigins() : undefined),
    warning: isOpen
      ? `Requests to ${host} with any Host header are served, also after DNS rebinding. Set allowedHosts, or require authorization.`
      : undefined,
  };
}
