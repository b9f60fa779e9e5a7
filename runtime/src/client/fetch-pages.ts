import { ErrorCode, RemoteError, SdkError } from "../jsonrpc/errors.js";
import type { RequestPipeline } from "./request-pipeline.js";
import type { SendOptions } from "./send-options.js";

/** Which part of a list is wanted. */
export interface PageParams {
  /** The `nextCursor` of the page before; absent: all pages. */
  readonly cursor?: string;
}

const maxPages = 1_000;

/**
 * Fetches a list: the page after a cursor, or all of it.
 * @throws SdkError `LIST_PAGINATION_EXCEEDED` when there is no end to it
 */
export async function fetchPages(
  requests: RequestPipeline,
  method: string,
  params: PageParams,
  options: SendOptions | undefined,
): Promise<unknown> {
  const fetch = (page: PageParams): Promise<unknown> =>
    requests.send(method, page, options).catch((error: unknown) => {
      // The pages before, from which the cursor is, are of another list by now.
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
        `${method} does not end: after ${seen.size} pages there is another one`,
      );
    seen.add(cursor);
    const page = (await fetch({ ...params, cursor })) as typeof first;
    // An empty text is a cursor, but many servers put it on their last page, and take it for none.
    if (cursor === "" && page.nextCursor !== undefined && seen.has(page.nextCursor)) break;
    for (const item of page[pages] as unknown[]) items.push(item);
    // The whole is as fresh as its oldest page, and as private as its most private one.
    first["ttlMs"] = Math.min(Number(first["ttlMs"]), Number(page["ttlMs"] ?? 0));
    if (page["cacheScope"] !== "public") first["cacheScope"] = "private";
    cursor = page.nextCursor;
  }
  const { nextCursor: _last, ...rest } = first;
  return { ...rest, [pages]: items };
}

/** Older revisions say nothing about keeping: what they answer is not to be kept. */
export function withCacheHints(result: unknown): Record<string, unknown> {
  return { ttlMs: 0, cacheScope: "private", ...(result as object) };
}
