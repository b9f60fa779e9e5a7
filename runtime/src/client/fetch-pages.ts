import { ErrorCode, RemoteError, SdkError } from "../jsonrpc/errors.js";
import type { RequestPipeline } from "./request-pipeline.js";

/** Selects a page of a list. */
export interface PageParams {
  /** The `nextCursor` of the previous page. Default: all pages. */
  readonly cursor?: string;
}

const maxPages = 1_000;

/**
 * Fetches a list: the page after a cursor, or all of it.
 * @param send requests a page; between two pages, the connection may be replaced
 * @throws SdkError `LIST_PAGINATION_EXCEEDED` when the pages do not end
 */
export async function fetchPages(
  requests: RequestPipeline,
  method: string,
  params: PageParams,
  send: (page: PageParams) => Promise<unknown>,
): Promise<unknown> {
  const fetch = (page: PageParams): Promise<unknown> =>
    send(page).catch((error: unknown) => {
      // The cursor is no longer valid, so the cached pages before it are out of date.
      if (page.cursor !== undefined && error instanceof RemoteError && error.code === ErrorCode.InvalidParams)
        requests.options.cache?.invalidateMethod(requests.options.cacheKey, method);
      throw error;
    });
  const first: Record<string, unknown> & { nextCursor?: string } = withCacheHints(await fetch(params));
  const { pages } = requests.connection.resultRow(method);
  if (params.cursor !== undefined || first.nextCursor === undefined || pages === undefined) return first;
  const items = [...(first[pages] as unknown[])];
  const seen = new Set<string>();
  for (let cursor: string | undefined = first.nextCursor; cursor !== undefined;) {
    if (seen.has(cursor) || seen.size >= maxPages)
      throw new SdkError(
        "LIST_PAGINATION_EXCEEDED",
        `${method} was stopped after ${seen.size} pages: the server still returns a nextCursor`,
      );
    seen.add(cursor);
    const page = (await fetch({ ...params, cursor })) as typeof first;
    // An empty string is a valid cursor, but many servers send it on the last page and then start again.
    if (cursor === "" && page.nextCursor !== undefined && seen.has(page.nextCursor)) break;
    for (const item of page[pages] as unknown[]) items.push(item);
    // The whole list is as fresh as its oldest page, and as private as its most private one.
    first["ttlMs"] = Math.min(Number(first["ttlMs"]), Number(page["ttlMs"] ?? 0));
    if (page["cacheScope"] !== "public") first["cacheScope"] = "private";
    cursor = page.nextCursor;
  }
  const { nextCursor: _last, ...rest } = first;
  return { ...rest, [pages]: items };
}

/** Adds cache hints to results of older revisions, which have none and must not be cached. */
export function withCacheHints(result: unknown): Record<string, unknown> {
  return { ttlMs: 0, cacheScope: "private", ...(result as object) };
}
