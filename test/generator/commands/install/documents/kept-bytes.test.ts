/** Installing, changing and removing a server gives the same bytes as before; in between, everything else is kept. */
import fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { describe, expect, test } from "vitest";
import { mergeEntry } from "../../../../../generator/commands/install/entry/make-entry.js";
import { parseDocument } from "../../../../../generator/commands/install/documents/parse-document.js";
import type { Entry, ServerDocument } from "../../../../../generator/commands/install/documents/server-document.js";
import { type Host, hostIds, hosts } from "../../../../../generator/shared/hosts/hosts.js";
import { emptyJsonTexts, jsonTexts, tomlTexts } from "./document-texts.js";

const entries: fc.Arbitrary<Entry> = fc
  .record({
    command: fc.string({ minLength: 1, maxLength: 8 }),
    args: fc.array(fc.oneof(fc.string(), fc.constantFrom("C:\\x", "\u007f", '"', "é\n")), { maxLength: 3 }),
    env: fc.option(
      fc.dictionary(fc.constantFrom("API_KEY", "A B"), fc.string(), { maxKeys: 2, noNullPrototype: true }),
      { nil: undefined },
    ),
  })
  .map(({ env, ...rest }) => (env ? { ...rest, env } : rest));

/** The data of a text, by the parser's own functions. */
function dataOf({ format }: Host, text: string): Record<string, unknown> {
  const plain = text.replace(/^\uFEFF/, "");
  if (format === "toml") return getStaticTOMLValue(parseTOML(plain));
  const errors: ParseError[] = [];
  const value = parse(plain, errors, { allowTrailingComma: true, allowEmptyContent: true }) as
    Record<string, unknown> | undefined;
  expect(errors).toEqual([]);
  return value ?? {};
}

const textsOf = ({ format, servers }: Host): fc.Arbitrary<string> =>
  format === "toml" ? tomlTexts : fc.oneof({ weight: 9, arbitrary: jsonTexts(servers) }, emptyJsonTexts);

describe.each(hostIds.map((id) => [id, hosts[id]] as const))("%s", (_id, host) => {
  const read = (text: string): ServerDocument => parseDocument(host, text, "file");

  test("installed, changed and removed", () => {
    fc.assert(
      fc.property(textsOf(host), entries, entries, (text, first, second) => {
        const before = dataOf(host, text);
        const others = before[host.servers] ?? {};
        const installed = read(text).set("notes", first);
        expect(dataOf(host, installed)).toEqual({ ...before, [host.servers]: { ...others, notes: first } });
        expect(read(installed).entry("notes")).toEqual(first);
        const changed = read(installed).set("notes", second);
        expect(dataOf(host, changed)).toEqual({ ...before, [host.servers]: { ...others, notes: second } });
        expect(read(changed).without("notes")).toContain(text);
        for (const removed of read(changed).without("notes"))
          expect({ [host.servers]: {}, ...dataOf(host, removed) }).toEqual({ [host.servers]: {}, ...before });
      }),
      { numRuns: 100 },
    );
  });

  test("two servers, removed in either order", () => {
    fc.assert(
      fc.property(textsOf(host), entries, entries, fc.boolean(), (text, first, second, isFirst) => {
        const both = read(read(text).set("notes", first)).set("tasks", second);
        const [gone, left, entry] = isFirst
          ? (["notes", "tasks", second] as const)
          : (["tasks", "notes", first] as const);
        const [removed = ""] = read(both).without(gone);
        expect(read(removed).entry(left)).toEqual(entry);
        expect(read(removed).without(left)).toContain(text);
      }),
      { numRuns: 100 },
    );
  });

  test("an entry of the user, changed and removed", () => {
    let changes = 0;
    fc.assert(
      fc.property(textsOf(host), entries, (text, entry) => {
        const before = dataOf(host, text);
        const [name] = read(text).names.filter((one) => read(text).entry(one));
        if (name === undefined) return;
        changes++;
        const { [name]: old, ...others } = before[host.servers] as Record<string, Entry>;
        const merged = mergeEntry(old, entry);
        const changed = read(text).set(name, merged);
        expect(dataOf(host, changed)).toEqual({ ...before, [host.servers]: { ...others, [name]: merged } });
        expect(read(changed).set(name, merged)).toBe(changed);
        for (const removed of [...read(text).without(name), ...read(changed).without(name)])
          expect({ [host.servers]: {}, ...dataOf(host, removed) }).toEqual({ ...before, [host.servers]: others });
      }),
      { numRuns: 150 },
    );
    expect(changes).toBeGreaterThan(10);
  });
});
