import fc from "fast-check";

/** Texts of host files in many shapes: white space, comments, trailing commas, line ends, byte order marks. */

const words = fc.constantFrom("a", "theme", "mcp", "notes2", "x y", "ü", 'q"', "$schema", "servers2", "//", "{}");

interface JsonShape {
  readonly eol: string;
  readonly indent: string;
  readonly comments: boolean;
  readonly trailing: boolean;
  readonly oneLine: boolean;
  readonly tight: boolean;
}

const jsonShapes: fc.Arbitrary<JsonShape> = fc.record({
  eol: fc.constantFrom("\n", "\r\n"),
  indent: fc.constantFrom("  ", "\t", "    ", ""),
  comments: fc.boolean(),
  trailing: fc.boolean(),
  oneLine: fc.boolean(),
  tight: fc.boolean(),
});

const leaves = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 6 }), words);
const values: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3 },
  leaves,
  fc.array(leaves, { maxLength: 3 }),
  fc.dictionary(words, leaves, { maxKeys: 3 }),
);

/** Prints a value in a shape, with comments at places that `pick` chooses. */
function printJson(value: unknown, shape: JsonShape, pick: () => number, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { eol, indent, comments, trailing, oneLine, tight } = shape;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const gap = tight ? "" : " ";
  const items = Object.entries(value).map(([name, one]) => {
    const printed = printJson(one, shape, pick, depth + 1);
    return Array.isArray(value) ? printed : `${JSON.stringify(name)}${pick() === 0 ? " " : ""}:${gap}${printed}`;
  });
  if (oneLine) {
    const note = comments && pick() < 2 ? "/* c */" : "";
    if (items.length === 0) return `${open}${pick() === 0 ? " " : ""}${note}${close}`;
    return `${open}${gap}${items.join(`,${gap}`)}${trailing ? "," : ""}${note}${gap}${close}`;
  }
  const inner = `${eol}${indent.repeat(depth + 1)}`;
  const outer = `${eol}${indent.repeat(depth)}`;
  const lines = items.map((item, at) => {
    const comma = at < items.length - 1 || trailing ? "," : "";
    const [above, behind] = comments ? [pick(), pick()] : [9, 9];
    const note = above === 0 ? `// ${"c".repeat(pick())}${inner}` : above === 1 ? `/* {,} */ ` : "";
    const tail = behind === 0 ? " // , }" : behind === 1 ? " /* , */" : "";
    return pick() < 3
      ? `${note}${item}${comma}${tail}`
      : `${note}${item}${tail}${comma}`.replace(/( \/\/ , })(,?)$/, "$2$1");
  });
  if (lines.length > 0) return `${open}${inner}${lines.join(inner)}${outer}${close}`;
  const empty = ["", " ", outer, comments ? ` // none${outer}` : "", comments ? " /* none */ " : ""];
  return `${open}${empty[pick() % empty.length]}${close}`;
}

/** A document with or without the object of servers. */
export function jsonTexts(servers: string): fc.Arbitrary<string> {
  const entries = fc.dictionary(
    fc.constantFrom("weather", "git", "a.b", "x"),
    fc.record({ command: words, args: fc.array(words, { maxLength: 2 }) }),
    { maxKeys: 3 },
  );
  const documents = fc
    .tuple(fc.dictionary(words, values, { maxKeys: 3 }), fc.option(entries, { nil: undefined }), fc.boolean())
    .map(([others, held, isFirst]) => {
      const part = held === undefined ? {} : { [servers]: held };
      return isFirst ? { ...part, ...others } : { ...others, ...part };
    });
  return fc
    .tuple(
      documents,
      jsonShapes,
      fc.infiniteStream(fc.nat(5)),
      fc.constantFrom("", "\uFEFF"),
      fc.constantFrom("", "1", "2", "c"),
    )
    .map(([value, shape, stream, mark, end]) => {
      const pick = (): number => Number(stream.next().value);
      const body = printJson(value, shape, pick);
      const before = shape.comments && pick() === 0 ? `// head${shape.eol}` : "";
      const tail = end === "c" ? `${shape.eol}// end` : end === "" ? "" : shape.eol.repeat(Number(end));
      return `${mark}${before}${body}${end === "c" && !shape.comments ? "" : tail}`;
    });
}

/** Documents without a value. */
export const emptyJsonTexts = fc.constantFrom(
  "",
  "\n",
  "\r\n",
  "  \n\n",
  "\uFEFF",
  "// settings\n",
  "// settings",
  "/* a */\r\n",
);

const tomlKeys = fc.constantFrom("model", "a-b", '"x y"', "deep.er", "'q'");
const tomlValues = fc.constantFrom(
  '"text"',
  "'C:\\x'",
  "1",
  "1.5",
  "true",
  "2026-11-27T10:00:00Z",
  "[1, 2]",
  "[\n  1,\n  # two\n  2,\n]",
  '"""\n[mcp_servers.fake]\n"""',
  "{ a = 1, b = { c = 'd' } }",
);

/** TOML documents with or without servers. */
export const tomlTexts: fc.Arbitrary<string> = fc
  .record({
    head: fc.uniqueArray(fc.tuple(tomlKeys, tomlValues), { maxLength: 3, selector: ([key]) => key }),
    tables: fc.uniqueArray(
      fc.constantFrom(
        "mcp_servers.weather",
        "profiles.max",
        "mcp_servers",
        "[list]",
        "mcp_servers.git.env",
        'mcp_servers."a b"',
      ),
      { maxLength: 4 },
    ),
    pairs: fc.infiniteStream(fc.tuple(tomlKeys, tomlValues)),
    pick: fc.infiniteStream(fc.nat(5)),
    eol: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("", "\uFEFF"),
    end: fc.constantFrom("", "\n", "\n\n", "\n# end", "\n# end\n", " # tail\n"),
  })
  .map(({ head, tables, pairs, pick, eol, mark, end }) => {
    const next = (): number => Number(pick.next().value);
    const comment = (): string => (next() === 0 ? " # note" : "");
    const lines = head.map(([key, value]) => `${key} = ${value}${comment()}`);
    for (const table of tables) {
      if (next() < 4) lines.push("");
      if (next() === 0) lines.push("# about");
      lines.push(`${next() === 0 ? "  " : ""}[${table}]${comment()}`);
      const [key, value] = pairs.next().value as [string, string];
      if (next() < 4 && table !== "mcp_servers") lines.push(`${key} = ${value}${comment()}`);
    }
    const text = lines.join("\n");
    return mark + (text === "" ? end.trimStart() : `${text}${end}`).replaceAll("\n", eol);
  });
