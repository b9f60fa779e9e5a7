import type { ConversionRow, ConversionStep, MessagePart } from "../../shared/model/conversion.js";
import type { Side } from "../../shared/model/protocol.js";
import { binding, code, data, docComment, entryKey, join, literal, type Code } from "../../shared/code/code.js";
import { ConversionPrinter } from "./conversion-printer.js";
import { namesIn, neededBy } from "../../shared/schema-code/module-names.js";
import { upperFirst } from "../../shared/names/case.js";

/** The two steps between a revision and its older neighbour. */
export interface NeighbourSteps {
  readonly up: ConversionStep;
  readonly down: ConversionStep;
}

export interface ConversionsView {
  readonly helpers: readonly Code[];
  /** The custom functions that are called, and the type or member that each converts. */
  readonly customFunctions: readonly CustomFunction[];
  readonly ownMember: boolean;
  readonly steps: readonly StepView[];
  readonly functions: readonly Code[];
}

interface CustomFunction {
  readonly name: string;
  readonly at: string;
}

interface StepView {
  readonly name: Code;
  readonly type: Code;
  readonly doc: Code;
  readonly lossesDoc: Code;
  readonly table: Code;
  readonly losses: Code;
}

/** The exports of `convert.ts` that steps use. */
const helpers = ["each", "eachValue", "fill", "isObject", "put", "refuse", "refuseMember", "replace"] as const;

const parts: readonly (readonly [name: string, part: MessagePart])[] = [
  ["params", "params"],
  ["results", "result"],
  ["notifications", "notification"],
];

/** `conversions.ts` of a revision: a table per direction, with functions for the messages that change. */
export function emitConversions({ up, down }: NeighbourSteps, takesParent: (name: string) => boolean): ConversionsView {
  const all = [up, down];
  const printer = new ConversionPrinter(
    all.flatMap(({ functions }) => functions.map(({ name }) => name)),
    takesParent,
  );
  for (const { functions } of all) for (const { name, plan } of functions) printer.define(name, plan);
  const steps = [stepView("up", up, printer), stepView("down", down, printer)];
  // Rows that became `unsupported` leave functions that are never called.
  const tables = join(
    steps.map(({ table }) => table),
    "\n",
  );
  const functions = neededBy(tables, printer.functions()).map(({ text }) => text);
  const text = join([...functions, tables], "\n");
  const used = namesIn(text);
  const called = new Set(Array.from(text.matchAll(/\bcustomFunctions\.([\w$]+)/g), ([, name]) => name));
  return {
    helpers: helpers.filter((name) => used.has(name)).map(binding),
    customFunctions: customFunctionsOf(all).filter(({ name }) => called.has(name)),
    ownMember: used.has("ownMember"),
    steps,
    functions,
  };
}

/** The custom functions of plans, including plans that are not printed in the end. */
function customFunctionsOf(steps: readonly ConversionStep[]): readonly CustomFunction[] {
  const found = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { kind, name, at } = value as { kind?: unknown; name?: unknown; at?: unknown };
    if (kind === "function" && typeof name === "string") found.set(name, String(at));
    Object.values(value).forEach(visit);
  };
  for (const { rows, functions } of steps) [rows.map(({ plan }) => plan), functions].forEach(visit);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, at]) => ({ name, at }));
}

function stepView(name: "up" | "down", { from, to, rows }: ConversionStep, printer: ConversionPrinter): StepView {
  const sides = (print: (row: ConversionRow) => Code | undefined): Code =>
    join(
      (["client", "server"] as const).map((side) => code`${binding(side)}: ${sideTable(rows, side, print)}`),
      ", ",
    );
  const rowOf = (row: ConversionRow): Code | undefined => {
    if (row.kind === "unsupported") return literal(row.instead ?? "");
    if (!row.plan || row.plan.kind === "same") return undefined;
    return printer.function(
      row.plan,
      `${name}${upperFirst(row.method.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()))}${upperFirst(row.part)}`,
    );
  };
  return {
    name: binding(name),
    type: binding(upperFirst(name)),
    doc: docComment({ text: `Converts messages of ${from} to ${to}. Messages without an entry stay the same.` }),
    lossesDoc: docComment({
      text: `What the conversion from ${from} to ${to} drops, changes or adds, by sender, part and method.`,
    }),
    table: code`{ from: ${literal(from)}, to: ${literal(to)}, ${sides(rowOf)} }`,
    losses: code`{ ${sides((row) => (row.losses.length === 0 ? undefined : data(row.losses)))} }`,
  };
}

function sideTable(rows: readonly ConversionRow[], side: Side, print: (row: ConversionRow) => Code | undefined): Code {
  const tables = parts.map(([name, part]) => {
    const entries = rows
      .filter((row) => row.sender === side && row.part === part && !isResultOfUnsupported(row, rows))
      .flatMap((row) => {
        const printed = print(row);
        return printed === undefined ? [] : [code`${entryKey(row.method)}: ${printed}`];
      });
    return code`${binding(name)}: { ${join(entries, ", ")} }`;
  });
  return code`{ ${join(tables, ", ")} }`;
}

/** A request that cannot be sent has no response. */
function isResultOfUnsupported({ part, sender, method }: ConversionRow, rows: readonly ConversionRow[]): boolean {
  const isAsked = (row: ConversionRow): boolean =>
    row.part === "params" && row.sender === sender && row.method === method;
  return part === "result" && rows.some((row) => isAsked(row) && row.kind === "unsupported");
}
