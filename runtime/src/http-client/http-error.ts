import { SdkError } from "../jsonrpc/errors.js";

/** The data of an `HTTP_ERROR`. */
export interface HttpErrorData {
  /** 0 if a browser hides it. */
  readonly status: number;
  readonly url: string;
  /** The start of the body. */
  readonly body: string;
  readonly wwwAuthenticate?: string;
}

const maxBody = 1_000;

export const mayHaveBeenProcessed = "the request may have been carried out";

/** The credentials with which each response was requested: servers may repeat them in errors. */
const credentials = new WeakMap<Response, readonly string[]>();

/** Keeps the values of headers out of the error that is made of a response. */
export function hideCredentials(response: Response, headers: Readonly<Record<string, string>> = {}): void {
  const secrets = Object.values(headers).map((value) => value.slice(value.indexOf(" ") + 1));
  if (secrets.length > 0) credentials.set(response, secrets);
}

/** Does the same for a copy of a response. @returns the copy */
export function hideSame(copy: Response, original: Response): Response {
  const secrets = credentials.get(original);
  if (secrets) credentials.set(copy, secrets);
  return copy;
}

export function httpError(method: string, url: URL, response: Response, body: string, why?: string): SdkError {
  const { status } = response;
  const hide = (text: string): string =>
    (credentials.get(response) ?? []).reduce(
      (shown, secret) => shown.replaceAll(secret, "[hidden]").replaceAll(encodeURIComponent(secret), "[hidden]"),
      text,
    );
  const wwwAuthenticate = response.headers.get("www-authenticate");
  const data: HttpErrorData = {
    status,
    url: String(url),
    body: hide(body).slice(0, maxBody),
    ...(wwwAuthenticate !== null && { wwwAuthenticate: hide(wwwAuthenticate) }),
  };
  return new SdkError("HTTP_ERROR", `${method} ${url.origin}${url.pathname}: ${hide(why ?? `status ${status}`)}`, data);
}

/** The status of an `HTTP_ERROR`; undefined for other errors. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof SdkError && error.code === "HTTP_ERROR" ? (error.data as HttpErrorData).status : undefined;
}

/** The reason of a failed request or response. For "fetch failed" and "terminated", the cause is more precise. */
export function reasonOf(error: unknown): string {
  if (error instanceof SdkError) return error.message;
  const { cause } = error as { readonly cause?: unknown };
  if (!(cause instanceof Error)) return String(error);
  const { message, code = "" } = cause as { readonly message: string; readonly code?: string };
  const isImpatient = code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT";
  const hint = isImpatient
    ? ": Node's fetch waits at most 300 s for data; pass the option `fetch` with other limits"
    : "";
  // The messages of most system errors contain the code; that of several attempts is empty.
  return (message.includes(code) ? message : `${message} ${code}`.trim()) + hint;
}

/** @param what what was cut off before its end */
export function responseLostError(what: string, cause: unknown): SdkError {
  const why = cause === undefined ? "" : ` (${reasonOf(cause)})`;
  return new SdkError("RESPONSE_LOST", what + why, undefined, { cause });
}
