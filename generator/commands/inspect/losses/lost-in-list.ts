import { isDeepStrictEqual } from "node:util";
import type { ResultDescriptor } from "@mcpwright/protocol/contract";
import { conversions } from "@mcpwright/protocol/conversions";
import type { MessageStepLoss } from "@mcpwright/runtime/gateway/losses";
import { isObject } from "../../../shared/is-object.js";
import type { Members } from "./list-recorder.js";
import type { FoundLoss } from "./revision-losses.js";

/** A list of a server. */
export interface KnownList {
  readonly method: string;
  readonly row: ResultDescriptor;
  /** The revision of the pages. */
  readonly revision: string;
  /** As the server sent them; undefined if it did not send the list. */
  readonly pages: readonly Members[] | undefined;
}

/**
 * Converts a list up to the step that can cause a loss, and compares the list before and after it.
 * @returns undefined if the list does not lose it
 */
export function lostInList(list: KnownList, loss: MessageStepLoss): FoundLoss | undefined {
  const { method, row, revision, pages } = list;
  const { from, to, kind, at, text } = loss;
  const found = { direction: "toClient", method, kind, at, text } as const;
  const valid = pages?.map((page) => withoutInvalid(page, row));
  const before = valid && converted(valid, revision, from, method);
  const after = before && converted(before, from, to, method);
  const restored = after && converted(after, to, from, method);
  if (!before || !after || !restored) return { ...found, certainty: "possible" };
  const member = at.slice(at.indexOf(".") + 1);
  const items = before.flatMap((page, index) => {
    const converted = itemsOf(after[index], row);
    return itemsOf(page, row).filter((item, position) => isChanged(item, converted[position], member));
  });
  if (items.length > 0) return { ...found, certainty: "certain", items: items.map(nameOf) };
  // A value that the opposite conversion adds was not lost, such as the default of a caching hint.
  const isLost = before.some(
    (page, index) => isChanged(page, after[index], member) && isChanged(page, restored[index], member),
  );
  return isLost ? { ...found, certainty: "certain" } : undefined;
}

/** Clients leave invalid items out, which `inspect` reports. */
function withoutInvalid(page: Members, { pages = "", item: isValid }: ResultDescriptor): Members {
  const { [pages]: items } = page;
  return Array.isArray(items) && isValid ? { ...page, [pages]: items.filter((item) => isValid(item)) } : page;
}

/** Returns undefined if a page cannot be converted. */
function converted(
  pages: readonly Members[],
  from: string,
  to: string,
  method: string,
): readonly Members[] | undefined {
  const convert = conversions.between(from, to)?.("client", "results", method);
  if (!convert) return pages;
  try {
    return pages.map((page) => convert(page) as Members);
  } catch {
    return undefined;
  }
}

function itemsOf(page: Members | undefined, { pages = "" }: ResultDescriptor): readonly Members[] {
  const items = page?.[pages];
  return Array.isArray(items) ? items.filter(isObject) : [];
}

function isChanged(before: Members, after: Members | undefined, member: string): boolean {
  return Object.hasOwn(before, member) && !isDeepStrictEqual(before[member], after?.[member]);
}

function nameOf({ name, uri, uriTemplate }: Members): string {
  return String(uri ?? uriTemplate ?? name);
}
