import { ErrorCode, ProtocolError } from "../../jsonrpc/errors.js";

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * Returns a page of items that are sorted by `uri`. A cursor states the last URI of the page before, so pages stay correct while items
 * come and go.
 * @param list the name of the list, so that a cursor of another one is refused
 * @throws ProtocolError -32602 for a cursor that does not come from this list
 */
export function pageOf<Item extends { readonly uri: string }>(
  list: string,
  items: readonly Item[],
  cursor: string | undefined,
  pageSize: number,
): Page<Item> {
  const after = cursor === undefined ? undefined : readCursor(list, cursor);
  const rest = after === undefined ? items : items.filter(({ uri }) => uri > after);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  if (rest.length <= pageSize || !last) return { items: page };
  return { items: page, nextCursor: btoa(encodeURIComponent(JSON.stringify([list, last.uri]))) };
}

function readCursor(list: string, cursor: string): string {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(atob(cursor)));
    if (Array.isArray(value) && value[0] === list && typeof value[1] === "string") return value[1];
  } catch {
    // Not a cursor of this server, either.
  }
  throw new ProtocolError(ErrorCode.InvalidParams, "Invalid cursor");
}
