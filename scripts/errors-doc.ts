/** Prints docs/reference/errors.md from the tables that the tests of bad input run from. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { clientRows, openingRows, type Outcome } from "../test/hostile/client-table.js";
import { type HttpReply, httpRows, httpScenarios } from "../test/hostile/http-table.js";
import { ABSENT, type Case, type Opening, type Reply, REVISIONS, rows, scenarios } from "../test/hostile/table.js";

const root = join(import.meta.dirname, "..");
const path = join(root, "docs/reference/errors.md");

/** The document as it should be. */
export async function errorsDocument(): Promise<string> {
  const text = [
    "# Bad input, and what becomes of it",
    "Every line below is a test: the tables are printed from those in `test/hostile/` (`npx tsx scripts/errors-doc.ts`).",
    "Whatever comes in, three things hold. The process goes on, and so does the connection, unless the table says otherwise. Other connections notice nothing. And what handlers throw stays on this side, but for the message of an error that a tool throws, which is for the model, and for a `ProtocolError`, which is the answer; the rest goes to `onerror` or, without one, to `console.error`.",
    "“Reported” means: `onerror` is told. “…” stands for some text. “Why” names the page of the specification and its section; “ours” marks what it leaves open.",
    "## What a server answers to a client",
    ...groups(rows.filter(({ undocumented }) => !undocumented)).flatMap(([group, members]) => [
      `### ${group}`,
      table(
        ["Input", "Revision", "Answer", "Why"],
        members.flatMap(({ input, cases, source }) =>
          cases.map((one, index) => [
            index === 0 ? input : "",
            openings(one.in),
            answer(one),
            index === 0 ? source : "",
          ]),
        ),
      ),
    ]),
    "### Ends and limits",
    table(
      ["What happens", "What becomes of it", "Why"],
      Object.values(scenarios).map(({ input, outcome, source }) => [input, outcome, source]),
    ),
    "## What a server answers over HTTP",
    "Besides what the messages say: what comes of requests that are no good as requests. Where “nothing” is answered, the client may still go on.",
    ...groups(httpRows).flatMap(([group, members]) => [
      `### ${group}`,
      table(
        ["Input", "Answer", "Why"],
        members.map(({ input, replies, source }) => [input, httpAnswer(replies), source]),
      ),
    ]),
    "### More than one request",
    table(
      ["What happens", "What becomes of it", "Why"],
      Object.values(httpScenarios).map(({ input, outcome, source }) => [input, outcome, source]),
    ),
    "## What a client makes of what a server sends",
    ...groups(clientRows).flatMap(([group, members]) => [
      `### ${group}`,
      table(
        ["The server sends", "Revision", "What becomes of it", "Why"],
        members.map(({ input, in: when, outcome, reported, sends, source }) => [
          input,
          openings(when),
          [result(outcome), ...(sends ?? []).map((sent) => `it is answered ${code(sent)}`), ...report(reported)].join(
            "; ",
          ),
          source,
        ]),
      ),
    ]),
    "### Answers to initialize",
    table(
      ["The server answers", "What becomes of it", "Why"],
      openingRows.map(({ input, source, ...outcome }) => [
        input,
        `${result(outcome)}; the connection is closed`,
        source,
      ]),
    ),
    "## Codes",
    "Every error that this package throws is an `McpError` with `code` and `data`. A `ProtocolError` has a number: it goes over the wire, or came that way (`RemoteError`). An `SdkError` has a name, and never goes over the wire.",
    table(["Code of `SdkError`", "Meaning"], catalogue(/\/\*\* (.+) \*\/\n {2}\| "(\w+)"/g, /^ {2}\| "/gm)),
    table(
      ["Code of `ProtocolError`", "Meaning"],
      catalogue(/\/\*\* (.+) \*\/\n {2}\w+: (-\d+),/g, /^ {2}\w+: -\d+,/gm),
    ),
    "Revision 2026-07-28 adds -32020 (HTTP headers differ from the body), -32021 (`MissingRequiredClientCapabilityError`) and -32022 (`UnsupportedProtocolVersionError`); up to 2025-11-25, -32002 says that there is no such resource.",
  ].join("\n\n");
  return format(text, { ...(await resolveConfig(path)), parser: "markdown" });
}

function httpAnswer(replies: readonly HttpReply[]): string {
  const texts = replies.map(({ status, code: number, message = "", result: sent }) => {
    if (sent !== undefined) return `${status} and a result`;
    return number === undefined ? `${status}` : `${status}, ${number} ${code(message)}`;
  });
  return texts.join("; ") || "nothing";
}

function groups<Row extends { readonly group: string }>(all: readonly Row[]): (readonly [string, readonly Row[]])[] {
  const names = [...new Set(all.map(({ group }) => group))];
  return names.map((name) => [name, all.filter(({ group }) => group === name)]);
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

/** Outside of code, names such as `__proto__` are not meant as markup. */
function cell(text: string): string {
  const parts = text.split(/(`+[^`]*`+)/);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[_*<>[\]]/g, "\\$&")))
    .join("")
    .replaceAll("|", "\\|");
}

function code(text: string): string {
  return `\`${text}\``;
}

function openings(when: readonly Opening[]): string {
  const named = REVISIONS.filter((revision) => when.includes(revision));
  const [first, last] = [named[0] ?? "", named.at(-1) ?? ""];
  const run = REVISIONS.indexOf(last as never) - REVISIONS.indexOf(first as never) + 1 === named.length;
  const revisions =
    named.length === REVISIONS.length ? "all" : run && named.length > 2 ? `${first} to ${last}` : named.join(", ");
  return [revisions, ...(when.includes("unopened") ? ["before a session"] : [])].filter(Boolean).join("; ");
}

function answer({ replies, together, reported }: Case): string {
  const texts = [...new Set(replies.map(reply))];
  const each = texts.length < replies.length ? ["for each"] : [];
  if (texts.length === 0) texts.push("nothing");
  return [...texts, ...each, ...(together ? ["in one batch"] : []), ...report(reported)].join("; ");
}

function reply(one: Reply): string {
  if ("result" in one) return one.result === "…" ? "a result" : `the result ${code(one.result)}`;
  return `${one.code} ${code(one.message)}${one.id === ABSENT ? " without id" : ""}`;
}

function report(reported: string | undefined): string[] {
  return reported === undefined ? [] : [reported === "…" ? "reported" : `reported: ${code(reported)}`];
}

function result(outcome: Outcome): string {
  if ("code" in outcome) return `the call fails: ${code(`${outcome.code}: ${outcome.message}`)}`;
  return "count" in outcome ? `${outcome.count} items` : "the call succeeds";
}

/** What the source says of each code, and that it says something of every one. */
function catalogue(documented: RegExp, all: RegExp): string[][] {
  const source = readFileSync(join(root, "runtime/src/engine/errors.ts"), "utf8");
  const found = [...source.matchAll(documented)].map(([, meaning = "", name = ""]) => [code(name), meaning]);
  if (found.length !== source.match(all)?.length)
    throw new Error("a code in runtime/src/engine/errors.ts has no meaning");
  return found;
}

if (process.argv[1] === import.meta.filename) writeFileSync(path, await errorsDocument());
