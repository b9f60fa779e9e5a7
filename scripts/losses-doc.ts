/** Prints docs/reference/revisions/losses.md from the conversions between neighbouring revisions. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format, resolveConfig } from "prettier";
import { buildSteps } from "../generator/pipeline/conversions/build-steps.js";
import type { ConversionRow, ConversionStep, RowKind } from "../generator/shared/model/conversion.js";
import type { ProtocolModel } from "../generator/shared/model/protocol.js";
import { knownRevisions } from "../generator/shared/sources/schema-folder.js";

const root = join(import.meta.dirname, "..");
const path = join(root, "docs/reference/revisions/losses.md");

const kinds: readonly (readonly [RowKind, string])[] = [
  ["same", "the same object"],
  ["refuse", "some values have no counterpart there: sending them is an error that says what to do instead"],
  ["fill", "a member is made up that the other revision requires"],
  ["drop", "a member goes that the other revision reads differently or does not expect"],
  ["substitute", "something else stands for what the other revision does not know"],
  ["function", "a function of our own rewrites a value"],
  ["unsupported", "the other revision has no such message: sending it is an error that says what to do instead"],
];

/** The document as it should be. */
export async function lossesDocument(): Promise<string> {
  const models = knownRevisions().map(
    (revision) => JSON.parse(readFileSync(join(root, "generated", revision, "model.json"), "utf8")) as ProtocolModel,
  );
  const steps = buildSteps(models).steps.flatMap(({ up, down }) => [up, down]);
  const text = [
    "# What gets lost between revisions",
    "`@mcpwright/protocol/conversions` converts messages between any two revisions, step by step. Most stay the same object. This page lists the rest; it is printed from the conversions themselves (`npx tsx scripts/losses-doc.ts`). Members that a revision does not know stay where they are, unless listed here. What every request carries besides its own params (`_meta`) is filled in by the connection.",
    table(
      ["Kind of row", "Meaning"],
      kinds.map(([kind, meaning]) => [kind, meaning]),
    ),
    "A row is the params of a method, its result or a notification, by sender. It is named after the most that may happen in it.",
    table(
      ["From", "To", ...kinds.map(([kind]) => kind)],
      steps.map(({ from, to, rows }) => [
        from,
        to,
        ...kinds.map(([kind]) => String(rows.filter((row) => row.kind === kind).length)),
      ]),
    ),
    ...steps.flatMap(section),
  ].join("\n\n");
  return format(text, { ...(await resolveConfig(path)), parser: "markdown" });
}

function section({ from, to, rows }: ConversionStep): readonly string[] {
  const changes = new Map<string, { readonly cells: readonly string[]; readonly messages: string[] }>();
  for (const row of rows.filter(({ kind }) => kind !== "unsupported"))
    for (const { kind, at, text } of row.losses) {
      const id = `${kind} ${at}`;
      const known = changes.get(id) ?? { cells: [`\`${at}\``, kind, text], messages: [] };
      known.messages.push(messageOf(row));
      changes.set(id, known);
    }
  const gone = new Map<string, readonly string[]>();
  for (const { kind, part, sender, method, instead = "" } of rows)
    if (kind === "unsupported" && part !== "result")
      gone.set(`${sender} ${method}`, [`\`${method}\``, sender, instead]);
  return [
    `## From ${from} to ${to}`,
    ...(changes.size === 0 && gone.size === 0 ? ["Nothing changes."] : []),
    ...(changes.size > 0
      ? [
          table(
            ["Where", "Kind", "What is lost", "In"],
            [...changes.values()].map(({ cells, messages }) => [...cells, [...new Set(messages)].join(", ")]),
          ),
        ]
      : []),
    ...(gone.size > 0 ? [table(["Gone", "Sent by the", "Instead"], [...gone.values()])] : []),
  ];
}

function messageOf({ method, part }: ConversionRow): string {
  return part === "notification" ? `\`${method}\`` : `${part} of \`${method}\``;
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await lossesDocument());
}
