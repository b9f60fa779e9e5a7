import { SdkError } from "../jsonrpc/errors.js";

/** @throws SdkError `INVALID_CONFIGURATION` */
export function parseServerUrl(url: URL | string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    const hint = "it needs http: or https:, and credentials go into headers";
    throw new SdkError("INVALID_CONFIGURATION", `a server cannot be reached at this URL: ${hint}`);
  }
  parsed.hash = "";
  return parsed;
}
