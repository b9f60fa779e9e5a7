import { ProtocolError, ProtocolErrorCode } from "../../../shared/errors.js";

/** Distinguishes cursors from other text. */
const mark = "after ";

/**
 * Returns a page of items that are sorted by URI. A cursor states the last URI of the page before, so that pages stay correct after a
 * reload.
 * @throws ProtocolError -32602 for what is not a cursor
 */
export function pageOf<Item extends { readonly uri: string }>(
  items: readonly Item[],
  cursor: string | undefined,
  pageSize: number,
): { items: Item[]; nextCursor?: string } {
  const after = cursor === undefined ? undefined : uriIn(cursor);
  const rest = after === undefined ? items : items.filter(({ uri }) => uri > after);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return last && rest.length > page.length
    ? { items: page, nextCursor: btoa(encodeURIComponent(mark + last.uri)) }
    : { items: page };
}

function uriIn(cursor: string): string {
  try {
    const text = decodeURIComponent(atob(cursor));
    if (text.startsWith(mark)) return text.slice(mark.length);
  } catch {
    // Not a cursor, either.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor");
}
