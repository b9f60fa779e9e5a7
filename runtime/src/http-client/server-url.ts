import { SdkError } from "../jsonrpc/errors.js";
import { parseUrl } from "../jsonrpc/parse-url.js";

/** @throws SdkError `INVALID_CONFIGURATION` */
export function parseServerUrl(url: URL | string): URL {
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    const message = "url must be an http: or https: URL without credentials; pass credentials as headers or tokens";
    throw new SdkError("INVALID_CONFIGURATION", message);
  }
  parsed.hash = "";
  return parsed;
}
