/** How a text is fetched. */
export interface FetchTextOptions {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Further headers of the request. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether redirects from https to http are refused; others are followed, up to 20 as `fetch` does. */
  readonly refusesDowngrades: boolean;
  /** Throws the error for a text that cannot be had. */
  readonly notFound: (reason: string) => never;
  /** Throws the error for a text with more than `maxBytes`. */
  readonly tooLarge: () => never;
}

/** Fetches a text. URLs with a user name or password are refused, because they would be shown in messages and logs. */
export async function fetchText(url: URL, options: FetchTextOptions): Promise<string> {
  const { maxBytes, timeoutMs, headers = {}, refusesDowngrades, notFound, tooLarge } = options;
  if (url.username !== "" || url.password !== "") notFound("URLs with a user name or password are not fetched");
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const isDowngrade = url.protocol === "https:" && response.url.startsWith("http:");
    if (refusesDowngrades && isDowngrade) return notFound("it redirects to a URL without https");
    if (!response.ok || !response.body) return notFound(`HTTP ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    if (!(error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError"))) throw error;
    const cause = error.cause instanceof Error ? error.cause : error;
    return notFound("code" in cause && typeof cause.code === "string" ? cause.code : cause.message);
  }
}
