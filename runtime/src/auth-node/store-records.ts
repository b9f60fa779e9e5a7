import { AuthorizationError } from "../auth.js";
import { isObject } from "../jsonrpc/guards.js";

/** The values of a store by their keys. */
export type Records = Map<string, string>;

/** The content of a file: its records, or how it is corrupt. */
export interface ParsedRecords {
  readonly records?: Records;
  readonly corruption?: string;
}

/** The version of the file's format. */
const format = 1;

/**
 * @param text the content of the file; undefined for none
 * @throws AuthorizationError `store-failed` for a file of a newer version, which must not be changed
 */
export function parseRecords(path: string, text: string | undefined): ParsedRecords {
  if (text === undefined || text.trim() === "") return { records: new Map() };
  const content = parse(text);
  if (!isObject(content) || typeof content["version"] !== "number")
    return { corruption: "is not a file of credentials" };
  if (content["version"] !== format)
    throw new AuthorizationError(
      "store-failed",
      `${path} has version ${content["version"]}, which this release cannot read; update it, or choose another path`,
    );
  const { records } = content;
  if (!isObject(records)) return { corruption: "has no records" };
  const entries = Object.entries(records);
  const wrong = entries.find(([, value]) => typeof value !== "string");
  if (wrong) return { corruption: "has a record that is not a string" };
  return { records: new Map(entries as [string, string][]) };
}

export function formatRecords(records: Records): string {
  return `${JSON.stringify({ version: format, records: Object.fromEntries(records) }, undefined, 2)}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser would quote the content.
    return undefined;
  }
}
